package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.pipeline.PrivacyConflictException;
import io.gauze.pipeline.SketchJobSettings;
import io.gauze.pipeline.SketchRun;
import io.gauze.pipeline.StreamSettings;
import io.gauze.release.StreamPlan;
import io.gauze.solver.SolverRun;
import io.gauze.solver.SolverSettings;
import io.gauze.source.TopicAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads a config, checks everything in it and in its topics, and says what it means. */
@Command(
    name = "check",
    description = {
      "Finds everything that is wrong with a config and its topics, and sums it up. Reads no row, creates no topic."
    },
    footer = {"", "Example:", "  gauze check --config wine.yaml"})
final class CheckCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  @Mixin private ConfigOption config;

  @Mixin private FormatOption format;

  @Option(names = "--offline", description = "Check the file alone: ask no broker for its topics.")
  private boolean offline;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, PrivacyRefusalException {
    StreamConfig stream = config.read();
    StreamPlan plan = RunCommand.plan(stream);
    RunCommand.environment(stream, Optional.empty());
    Optional<TopicAdmin.Checked> topics = Optional.empty();
    try {
      if (!offline && stream.kafka().bootstrap().isPresent()) {
        topics = Optional.of(topics(stream, plan));
      }
    } finally {
      report(stream, plan, topics); // also if only the topics are wrong
    }
    return ExitStatus.DONE;
  }

  private static TopicAdmin.Checked topics(StreamConfig stream, StreamPlan plan)
      throws ConfigException, PrivacyRefusalException {
    try {
      return find(stream, plan);
    } catch (TopicAdmin.TopicException | IllegalArgumentException e) {
      throw new ConfigException(e.getMessage(), e);
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(e.getMessage(), e);
    } catch (IOException e) {
      throw new ConfigException(
          "the topics could not be checked: "
              + e.getMessage()
              + " Correct kafka.bootstrap or kafka.properties, start the broker, or say --offline"
              + " to check only the file.",
          e);
    }
  }

  private static TopicAdmin.Checked find(StreamConfig stream, StreamPlan plan)
      throws IOException, ConfigException {
    Optional<TopicAdmin.Creation> creation = StreamSettings.creation(stream);
    SketchJobSettings job = StreamSettings.job(stream, plan, Instant.now());
    SolverSettings solver = SolverCommand.settings(stream);
    List<TopicAdmin.Checked> found = new ArrayList<>();
    TopicAdmin.all(
        List.of(
            () -> found.add(SketchRun.check(job, stream.epochs().backfill(), creation, PATIENCE)),
            () -> found.add(SolverRun.check(solver, creation, PATIENCE))));
    return new TopicAdmin.Checked(
        found.stream().flatMap(each -> each.missing().stream()).toList(),
        found.stream().flatMap(each -> each.warnings().stream()).toList());
  }

  private void report(StreamConfig stream, StreamPlan plan, Optional<TopicAdmin.Checked> topics) {
    ConfigSummary summary =
        new ConfigSummary(stream, plan, topics.map(TopicAdmin.Checked::missing));
    PrintWriter out = spec.commandLine().getOut();
    out.print(format.json() ? summary.json() : summary.table());
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    plan.warnings().forEach(warning -> err.println("warning: " + warning));
    topics.ifPresent(found -> found.warnings().forEach(w -> err.println("warning: " + w)));
    err.flush();
  }
}

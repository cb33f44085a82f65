package io.gauze.cli;

import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.flink.SecondJob;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.ledger.LedgerBook;
import io.gauze.publish.Ledger;
import io.gauze.publish.LedgerRebuild;
import io.gauze.publish.LedgerView;
import io.gauze.report.LedgerReport;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StreamSettings;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The verb {@code ledger}: prints the contents of the ledger topic, or rebuilds it. Reads no row.
 */
@Command(
    name = "ledger",
    description = "What has been spent on each topic of rows, by which streams, and what is left.",
    footer = {
      "",
      "Examples:",
      "  ./gauze ledger --config examples/meters.yaml",
      "  ./gauze ledger --config examples/meters.yaml --rebuild"
    })
public final class LedgerCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Option(
      names = "--rebuild",
      description = {
        "Enter releases of this stream that the ledger lacks, from the topic of releases. For a"
            + " ledger that was lost; no job of the stream may run, and the config is the one that"
            + " made them."
      })
  private boolean rebuild;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, PrivacyRefusalException, IOException {
    StreamConfig stream = config.read();
    SketchJobSettings job = StreamSettings.job(stream, RunCommand.plan(stream), Instant.now());
    String topic = stream.kafka().topics().ledger();
    BrokerCheck.connect(stream, spec.commandLine().getErr());
    LedgerBook book =
        StillWaiting.during(
            SketchJobPlan.topics(stream),
            spec.commandLine().getErr(),
            () -> {
              if (rebuild) {
                rebuild(stream, job);
              }
              return read(stream, job, topic);
            });
    format.print(LedgerReport.of(topic, book.summary(job.charge())));
    return ExitStatus.DONE;
  }

  private void rebuild(StreamConfig stream, SketchJobSettings job)
      throws ConfigException, PrivacyRefusalException, IOException {
    PrintWriter err = spec.commandLine().getErr();
    new SecondJob(JobStreams.of(stream), err).refuse();
    try (TopicAdmin admin = new TopicAdmin(job.kafka(), stream.kafka().create())) {
      admin.plain(job.topics().releases());
      admin.ledger(job.topics().ledger());
    } catch (TopicException e) {
      throw ConfigLocation.topics(stream, e);
    }
    try {
      err.println(
          "entered from topic "
              + job.topics().releases()
              + ": "
              + LedgerRebuild.run(job)
              + " releases of stream "
              + stream.stream());
      err.flush();
    } catch (PrivacyConflictException e) {
      throw new PrivacyRefusalException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the ledger was rebuilt", e);
    }
  }

  /** Returns the ledger of a config for many readers; reads nothing yet. */
  static LedgerView view(StreamConfig stream) throws ConfigException, PrivacyRefusalException {
    SketchJobSettings job = StreamSettings.job(stream, RunCommand.plan(stream), Instant.now());
    return new LedgerView(job.kafka(), stream.kafka().topics().ledger(), job.charge());
  }

  private static LedgerBook read(StreamConfig stream, SketchJobSettings job, String topic)
      throws ConfigException, IOException {
    try (TopicAdmin admin = new TopicAdmin(job.kafka(), Optional.empty())) {
      admin.ledger(topic);
    } catch (TopicException.Missing e) {
      String problem =
          "topic "
              + topic
              + " does not exist on "
              + job.kafka()
              + ", so nothing was spent in it: gauze run makes it (kafka.create), or kafka.ledger"
              + " names another topic";
      throw new ConfigException(ConfigLocation.key(stream, "kafka.ledger.topic", problem), e);
    } catch (TopicException e) {
      throw ConfigLocation.topics(stream, e);
    }
    return Ledger.read(job.kafka(), topic);
  }
}

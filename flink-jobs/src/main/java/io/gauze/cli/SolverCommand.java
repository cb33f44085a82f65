package io.gauze.cli;

import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.flink.ClientSettings;
import io.gauze.cli.flink.LocalExecution;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.config.ConfigException;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.report.Messages;
import io.gauze.solver.SolverJob;
import io.gauze.solver.SolverPreflight;
import io.gauze.solver.SolverSettings;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The verb {@code solver}: runs the solver on the configured Kafka, in this process or on the
 * cluster of {@code flink run}.
 */
@Command(
    name = "solver",
    description = {
      "Answers the requests of topic requests from the releases, into topic answers, until Ctrl-C."
          + " Answers cost no more privacy.",
      "In this process; or on a cluster: flink run gauze-cluster.jar solver --config FILE."
    },
    footer = {"", "Example:", "  ./gauze solver --config examples/meters.yaml"})
public final class SolverCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    StreamConfig stream = config.read();
    PrintWriter err = spec.commandLine().getErr();
    BrokerCheck.connect(stream, err, BrokerCheck.OF_JOBS);
    SolverSettings settings =
        StillWaiting.during(
            "Kafka at " + stream.kafka().requireBootstrap() + ": topics of the solver",
            err,
            () -> prepare(stream, stream.kafka().create(), err));
    StreamExecutionEnvironment env = environment(stream, stream.flink(), settings);
    if (LocalExecution.is(env)) {
      err.println("running until Ctrl-C; " + described(settings));
      err.flush();
    }
    Configuration cluster = LocalExecution.settings(stream.flink(), err);
    LocalExecution.run(
        env,
        jobName(stream.stream()),
        err,
        new LocalExecution.Here(
            cluster, true, rest -> () -> {}, LocalExecution.Preflight.NONE, Optional.empty()));
    return ExitStatus.DONE;
  }

  static StreamExecutionEnvironment environment(
      StreamConfig stream, Map<String, String> flink, SolverSettings settings)
      throws ConfigException {
    try {
      Configuration all = SolverJob.configuration(ClientSettings.of(flink, Optional.empty()));
      StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(all);
      SolverJob.build(env, settings);
      return env;
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          ConfigLocation.flink(
              stream, e.getMessage() + " Set it for this job in flink.properties."),
          e);
    }
  }

  static String described(SolverSettings settings) {
    return "requests come from topic "
        + settings.topics().requests()
        + ", answers go to topic "
        + settings.topics().answers();
  }

  public static String jobName(String stream) {
    return "gauze solver of " + stream;
  }

  /** Returns the settings of the solver job of a config. */
  public static SolverSettings settings(StreamConfig stream) throws ConfigException {
    KafkaSettings kafka = stream.kafka();
    return new SolverSettings(
        stream.stream(),
        new KafkaAccess(kafka.requireBootstrap(), kafka.properties()),
        new SolverSettings.Topics(
            kafka.topics().requests(), kafka.topics().releases(), kafka.topics().answers()));
  }

  /** Checks or creates the topics, and prints the warnings for the owner. */
  static SolverSettings prepare(
      StreamConfig stream, Optional<TopicAdmin.Creation> creation, PrintWriter err)
      throws IOException, ConfigException {
    try {
      SolverPreflight.Prepared prepared = SolverPreflight.prepare(settings(stream), creation);
      Messages.all("warning: ", prepared.warnings()).forEach(err::println);
      err.flush();
      return prepared.settings();
    } catch (TopicException.Missing e) {
      String releases = stream.kafka().topics().releases();
      if (!e.faults().get(0).topic().equals(releases)) {
        throw ConfigLocation.topics(stream, e);
      }
      String problem =
          "topic "
              + releases
              + " does not exist, so there is nothing to answer from: gauze run makes it"
              + " (kafka.create), or kafka.releases names another topic";
      throw new ConfigException(ConfigLocation.key(stream, "kafka.releases.topic", problem), e);
    } catch (TopicException e) {
      throw ConfigLocation.topics(stream, e);
    }
  }
}

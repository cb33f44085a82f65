package io.gauze.cli;

import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.kafka.LetterTopic;
import io.gauze.summary.LetterReport;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicException;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The verb {@code dead-letters}: reads the topic of dead letters, or that of late rows, to its end.
 */
@Command(
    name = "dead-letters",
    description = {
      "Counts the dead letters of a config's topic by their reasons; with --late, the late rows."
          + " With --show, also shows the newest ones: these are raw rows, which are not private.",
      "A row that a job has read again after a failure may be there twice."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze dead-letters --config examples/meters.yaml",
      "  ./gauze dead-letters --config examples/meters.yaml --late --show 3"
    })
public final class DeadLettersCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 1000;

  @Mixin private ConfigOption config;

  @Option(
      names = "--late",
      description = "The topic of late rows instead: rows that came too late for their epoch.")
  private boolean late;

  @Option(
      names = "--show",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Show the newest N records, in [0, 1000], with key and value: raw rows (default: 0).")
  private int shown;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException {
    if (shown < 0 || shown > MOST_SHOWN) {
      throw new ParameterException(
          spec.commandLine(),
          "--show must be in [0, " + MOST_SHOWN + "]. Provided value: " + shown);
    }
    StreamConfig stream = config.read();
    Topics topics = stream.kafka().topics();
    LetterReport report = new LetterReport(late ? topics.late() : topics.deadLetters(), shown);
    try (LetterTopic topic = open(stream, report.topic())) {
      topic.readToEnd(report::add);
    }
    format.print(format.json() ? report.json() : report.table());
    return ExitStatus.DONE;
  }

  private LetterTopic open(StreamConfig stream, String topic) throws ConfigException, IOException {
    KafkaAccess kafka = BrokerCheck.connect(stream, spec.commandLine().getErr());
    try {
      return new LetterTopic(kafka, topic);
    } catch (TopicException.Missing e) {
      String key = stream.kafka().topics().keyOf(topic);
      String problem =
          "topic "
              + topic
              + " does not exist on "
              + kafka
              + ", so no row went there: gauze run makes it (kafka.create), or "
              + key
              + " must name another topic";
      throw new ConfigException(ConfigLocation.key(stream, key, problem), e);
    }
  }
}

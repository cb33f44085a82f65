package io.gauze.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseRange;
import io.gauze.answer.SolveRequest;
import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.NoFitException;
import io.gauze.cli.option.ScaledFitOptions;
import io.gauze.cli.release.EmptyEpoch;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.mechanism.ReleaseId;
import io.gauze.solver.SolverClient;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import io.gauze.topic.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code ask}: sends one request to a running solver and prints its answer. */
@Command(
    name = "ask",
    description = {
      "Sends one request to the running solver (gauze solver, gauze up) and shows its answer, as"
          + " fit does. Answers cost no more privacy.",
      "Without --id the latest epoch is taken, of the sketch that promises the smallest error."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze ask --config examples/meters.yaml --response kwh",
      "  ./gauze ask --config examples/meters.yaml --response kwh --loss lasso \\",
      "      --id meters/all/2026-01-01T00:00:00Z/moments"
    })
public final class AskCommand implements Callable<Integer> {
  private static final Duration LONGEST = SolveRequest.LONGEST_WAIT;

  /** The part of the timeout that is left for the answer to arrive. */
  private static final Duration WAY = Duration.ofSeconds(5);

  /** The errors that another command line would have avoided. */
  private static final Set<String> USAGE =
      Set.of(
          ErrorCode.BAD_REQUEST.text(),
          ErrorCode.BAD_COLUMN.text(),
          ErrorCode.UNKNOWN_RELEASE.text());

  @Mixin private ConfigOption config;

  @Option(
      names = "--id",
      paramLabel = "ID[..ID][,...]",
      description = {
        "A release of the topic, of any stream, or the first and the last of a range of epochs; or"
            + " several of both with commas between them, which are added up. One of a group whose"
            + " name has a comma is in double quotes."
      })
  private Optional<String> id;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      defaultValue = "PT30S",
      description =
          "How long to wait for the answer, and the solver for the release, in [PT1S, PT10M]"
              + " (default: PT30S).")
  private Duration timeout;

  @Mixin private ScaledFitOptions options;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException, NoFitException {
    StreamConfig stream = config.read();
    options.question();
    checkLevel();
    options.checked(() -> id.map(AskCommand::ranges));
    if (timeout.compareTo(Duration.ofSeconds(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--timeout must be in [PT1S, " + LONGEST + "]. Provided value: " + timeout);
    }
    JsonNode answer = ask(stream);
    if (answer.has("error")) {
      refuse(answer.path("error"));
    }
    FitReport fit = FitReport.read(answer);
    if (id.isEmpty()) {
      sayIfEmpty(fit, ReleaseId.parse(answer.at("/releases/0").asText()));
    }
    options.print(fit, answer);
    return ExitStatus.DONE;
  }

  private static List<ReleaseRange> ranges(String ids) {
    return SolverClient.ids("--id", ids).stream()
        .map(each -> ReleaseRange.parse("--id", each))
        .toList();
  }

  /** Says if the latest epoch seems empty; the answer does not tell whether there are others. */
  private void sayIfEmpty(FitReport fit, ReleaseId latest) {
    Optional<String> reason = fit.summary().flatMap(summary -> summary.rows().reason());
    EmptyEpoch.line(reason, latest, Optional.empty())
        .ifPresent(spec.commandLine().getErr()::println);
    spec.commandLine().getErr().flush();
  }

  private void checkLevel() {
    double level = options.level();
    if (level != Term.USUAL_LEVEL) {
      throw new ParameterException(
          spec.commandLine(),
          "--level must be "
              + Term.USUAL_LEVEL
              + ", that of the solver's answers; gauze fit has intervals of any level. Provided value: "
              + level);
    }
  }

  private JsonNode ask(StreamConfig stream) throws ConfigException, IOException {
    KafkaAccess kafka = BrokerCheck.connect(stream, spec.commandLine().getErr());
    Topics topics = stream.kafka().topics();
    checkTopics(stream, kafka);
    String name = "ask-" + UUID.randomUUID();
    ObjectNode request = SolverClient.request(id, options.question(), deadline(timeout));
    try (SolverClient client = new SolverClient(kafka, topics.requests(), topics.answers())) {
      client.send(name, request);
      Map<String, JsonNode> answers = client.await(Set.of(name), timeout);
      return Optional.ofNullable(answers.get(name))
          .orElseThrow(
              () ->
                  new IOException(
                      "no solver answered within "
                          + timeout
                          + "; is one running on "
                          + kafka
                          + " (gauze solver --config "
                          + config.file()
                          + ") with the topics "
                          + topics.requests()
                          + " and "
                          + topics.answers()
                          + "? A longer --timeout waits longer"));
    }
  }

  /**
   * Returns the deadline of the solver, which is earlier than the timeout so that its answer comes
   * in time.
   */
  static Duration deadline(Duration timeout) {
    Duration less = timeout.minus(WAY);
    Duration half = timeout.dividedBy(2);
    return less.compareTo(half) > 0 ? less : half;
  }

  private static void checkTopics(StreamConfig stream, KafkaAccess kafka)
      throws ConfigException, IOException {
    Topics topics = stream.kafka().topics();
    try (TopicAdmin admin = new TopicAdmin(kafka, Optional.empty())) {
      for (String topic : List.of(topics.requests(), topics.answers())) {
        admin.plain(topic);
      }
    } catch (TopicException.Missing e) {
      String key = topics.keyOf(e.faults().get(0).topic());
      String problem =
          e.getMessage() + " when gauze solver starts, or name the topics of a running solver";
      throw new ConfigException(ConfigLocation.key(stream, key, problem), e);
    }
  }

  private void refuse(JsonNode error) throws NoFitException {
    // The message names the solver's deadline, which is a little earlier than the user's timeout.
    String text =
        error
            .path("message")
            .asText()
            .replace("the deadline of " + deadline(timeout), "the --timeout of " + timeout);
    String code = error.path("code").asText();
    boolean awaited = id.isEmpty() && code.equals(ErrorCode.UNKNOWN_RELEASE.text());
    if (awaited) { // the command is right: the first epoch is not over yet
      throw new NoFitException(text + "; a longer --timeout waits longer");
    }
    if (USAGE.contains(code)) {
      throw new ParameterException(spec.commandLine(), text);
    }
    throw new NoFitException(code + ": " + text);
  }
}

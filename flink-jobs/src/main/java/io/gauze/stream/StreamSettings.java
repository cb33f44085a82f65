package io.gauze.stream;

import io.gauze.accounting.UnitKind;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.KafkaSettings;
import io.gauze.config.RowTime;
import io.gauze.config.RowsSettings;
import io.gauze.config.StreamConfig;
import io.gauze.kafka.KafkaAccess;
import io.gauze.mechanism.StreamPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Turns a config into the settings of the job: noise, epochs, topics. */
public final class StreamSettings {
  private static final String PUBLIC_TIMES =
      "the timestamps of rows, and that there is a row under each, are public: the promise is"
          + " about the values";

  private StreamSettings() {}

  /**
   * Returns the plan of a config, with the calibrated noise of every sketch.
   *
   * @throws IllegalArgumentException if the noise cannot be calibrated
   */
  public static StreamPlan plan(StreamConfig config) {
    return StreamPlan.of(config.request(assumptions(config)));
  }

  private static List<String> assumptions(StreamConfig config) {
    EpochSchedule epochs = config.epochs();
    List<String> assumptions = new ArrayList<>();
    boolean producers = epochs.time().kind() == RowTime.Kind.PRODUCER;
    if (producers) {
      assumptions.add(PUBLIC_TIMES);
      assumptions.add(
          "which of the rows that are appended after their epoch's end and epochs.sealDelay still count"
              + " depends on no row's values");
    } else if (!epochs.isAll()) {
      assumptions.add(
          "clocks of brokers and replicas' copies are behind the clock of the job by at most"
              + " epochs.sealDelay, "
              + Duration.ofMillis(epochs.sealDelayMillis()));
      assumptions.add("the broker sets the time of every record when it appends it");
    }
    boolean isTable = config.unit().kind() == UnitKind.KEY;
    assumptions.add(
        isTable
            ? "the log keeps every change until the job has read it, but for those that a later one of the"
                + " same key before the end of the same epoch replaces"
            : "the log keeps every row of an epoch that is released until the job has read it");
    if (config.unit().kind() == UnitKind.USER) {
      assumptions.add(
          "whoever sends rows sends each under the id of its own user; ids are compared as texts,"
              + " those that are numbers by their value");
      assumptions.add(
          "the rows of a user and epoch are in one partition of their topic, so that no other user's rows"
              + " decide which of them are the first");
    }
    if (isTable) {
      assumptions.add(
          "whoever sends changes sends those of a key for that key alone, whatever other keys'"
              + " rows are, and all of them to one partition of their topic");
    }
    return assumptions;
  }

  /**
   * Returns the settings of the job that a config asks for, at the config's broker.
   *
   * @param now the time of the stream's first start, if the config does not name the first epoch
   * @throws ConfigException if the config names no broker
   */
  public static SketchJobSettings job(StreamConfig config, StreamPlan plan, Instant now)
      throws ConfigException {
    config.requireKnownRanges("a stream");
    KafkaSettings kafka = config.kafka();
    return SketchJobSettings.of(
        new StreamSpec(
            plan,
            config.epochs().startingAt(now),
            input(config),
            new KafkaAccess(kafka.requireBootstrap(), kafka.properties()),
            kafka.topics(),
            config.totalBudget()));
  }

  /** Returns the warnings about a plan for all groups of its stream; may be empty. */
  public static List<String> warnings(StreamConfig config, StreamPlan plan) {
    int groups = input(config).groups().size();
    List<String> warnings = new ArrayList<>(plan.warnings(groups));
    manyGroups(plan, groups).ifPresent(warnings::add);
    BudgetedEpochs.warning(config, plan).ifPresent(warnings::add);
    if (config.epochs().time().kind() == RowTime.Kind.PRODUCER) {
      warnings.add(
          "epochs.timestamps: producer weakens the guarantee: "
              + PUBLIC_TIMES
              + ", and which rows of the last moments are in a release may differ between two readings"
              + " of the log. With append the broker's time decides, and a row's being there is"
              + " protected, too");
    }
    return warnings;
  }

  private static Optional<String> manyGroups(StreamPlan plan, int groups) {
    long each = PartialEpoch.bytes(plan);
    return groups == 1 || groups * each <= Partials.MEMORY_LIMIT
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "each subtask that reads rows keeps sketches of at most %d of %d groups, %d kB each, in %d MiB: when rows of"
                    + " more groups come in turns, it sends all of them on again and again, and few rows a second are"
                    + " sketched. Ask for fewer buckets or fewer groups",
                Math.max(1, Partials.MEMORY_LIMIT / each),
                groups,
                each >> 10,
                Partials.MEMORY_LIMIT >> 20));
  }

  private static RowInput input(StreamConfig config) {
    RowsSettings rows = config.kafka().rows();
    RowInput input =
        new RowInput(
            rows.format(),
            rows.upsert(),
            rows.key().flatMap(RowsSettings.KeySource::field).orElse(""),
            "",
            List.of(SketchJobSettings.NO_GROUP));
    return config
        .groups()
        .map(groups -> input.groupedBy(groups.field(), groups.values()))
        .orElse(input);
  }
}

package io.gauze.stream;

import io.gauze.accounting.UnitKind;
import io.gauze.config.ConfigException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.KafkaSettings;
import io.gauze.config.RangeEstimates;
import io.gauze.config.RowTime;
import io.gauze.config.RowsSettings;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.StreamRequest;
import io.gauze.message.Message;
import io.gauze.plan.CalibrationEpochs;
import io.gauze.plan.SkewedColumns;
import io.gauze.plan.StreamPlan;
import io.gauze.source.format.RecordFormat;
import io.gauze.topic.KafkaAccess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
    StreamRequest request = config.request(assumptions(config));
    boolean calibrates = config.estimates().isPresent() && !config.epochs().isAll();
    return calibrates
        ? CalibrationEpochs.plan(
            request, config.estimates().get().share(), config.estimates().get().columnNames())
        : StreamPlan.of(request);
  }

  private static List<String> assumptions(StreamConfig config) {
    EpochSchedule epochs = config.epochs();
    List<String> assumptions = new ArrayList<>();
    boolean producers = epochs.time().kind() == RowTime.Kind.PRODUCER;
    if (producers) {
      assumptions.add(PUBLIC_TIMES);
      assumptions.add(
          "which of the rows that are appended after their epoch's end and epochs.sealDelay still"
              + " count depends on no row's values");
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
            ? "the log keeps every change until the job has read it, but for those that a later one"
                + " of the same key before the end of the same epoch replaces"
            : "the log keeps every row of an epoch that is released until the job has read it");
    if (config.kafka().rows().format() instanceof RecordFormat.ConfluentAvro) {
      assumptions.add("the schema registry gives one schema of an id, whenever it is asked");
    }
    if (config.unit().kind() == UnitKind.USER) {
      assumptions.add(
          "whoever sends rows sends each under the id of its own user; ids are compared as texts,"
              + " those that are numbers by their value");
      assumptions.add(
          "the rows of a user and epoch are in one partition of their topic, so that no other"
              + " user's rows decide which of them are the first");
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
    return config.estimates().isPresent()
        ? counts(config, plan, now, false)
        : job(config, plan, config.epochs().startingAt(now), RangePhase.KNOWN);
  }

  /**
   * Returns the settings of the job that counts a calibration epoch.
   *
   * @param sketches the plan of the config
   * @param now the time of the stream's first start
   * @param restored whether the job goes on from a state
   */
  public static SketchJobSettings counts(
      StreamConfig config, StreamPlan sketches, Instant now, boolean restored)
      throws ConfigException {
    config.requireEpochsForRanges();
    RangeEstimates estimates = config.estimates().orElseThrow();
    StreamPlan counts = CalibrationEpochs.counts(sketches, estimates.request(sketches.request()));
    return job(
            config,
            counts,
            config.epochs().startingAt(now),
            new RangePhase.Counting(sketches, input(config), restored))
        .withInput(ungrouped(config));
  }

  /**
   * Returns the settings of the job that has chosen ranges.
   *
   * @param sketches the plan of the config
   * @param chosen the plan with the ranges
   * @param epoch the latest epoch that was counted
   */
  public static SketchJobSettings chosen(
      StreamConfig config, StreamPlan sketches, StreamPlan chosen, long epoch)
      throws ConfigException {
    EpochSchedule epochs = config.epochs().startingAt(Instant.now());
    return job(
        config,
        chosen,
        epochs.from(Math.max(epochs.firstEpoch(), epoch + 1)),
        new RangePhase.Chosen(sketches, input(config), epoch));
  }

  private static SketchJobSettings job(
      StreamConfig config, StreamPlan plan, EpochSchedule epochs, RangePhase ranges)
      throws ConfigException {
    KafkaSettings kafka = config.kafka();
    return SketchJobSettings.of(
        new StreamSpec(
            plan,
            epochs,
            input(config),
            new KafkaAccess(kafka.requireBootstrap(), kafka.properties()),
            kafka.topics(),
            config.totalBudget(),
            ranges));
  }

  /** Returns what to know of a plan for all groups of its stream; may be empty. */
  public static List<Message> warnings(StreamConfig config, StreamPlan plan) {
    int groups = input(config).groups().size();
    Set<Message> warnings = new LinkedHashSet<>(plan.warnings(groups));
    SkewedColumns.warning(config.schema().columns(), config.spreads()).ifPresent(warnings::add);
    if (config.estimates().isPresent()) {
      StreamRequest counts = config.estimates().get().request(plan.request());
      warnings.addAll(CalibrationEpochs.counts(plan, counts).warnings());
      unusedShare(config.estimates().get(), plan).ifPresent(warnings::add);
    }
    manyGroups(plan, groups).ifPresent(warnings::add);
    BudgetedEpochs.warning(config, plan).ifPresent(warnings::add);
    if (config.epochs().time().kind() == RowTime.Kind.PRODUCER) {
      warnings.add(JobMessage.PRODUCERTIME.of());
    }
    return List.copyOf(warnings);
  }

  private static Optional<Message> unusedShare(RangeEstimates estimates, StreamPlan plan) {
    boolean whole = plan.request().ranges().ownEpochs() && plan.request().rangeShare() == 0.0;
    return whole && estimates.hasOwnShare() ? Optional.of(JobMessage.SHARE.of()) : Optional.empty();
  }

  private static Optional<Message> manyGroups(StreamPlan plan, int groups) {
    int rows = PartialEpoch.batchRows(plan, groups, Partials.MEMORY_LIMIT);
    long each = PartialEpoch.bytes(plan, rows);
    return groups == 1 || groups * each <= Partials.MEMORY_LIMIT
        ? Optional.empty()
        : Optional.of(
            JobMessage.MANYGROUPS.of(
                Math.max(1, Partials.MEMORY_LIMIT / each),
                groups,
                each >> 10,
                Partials.MEMORY_LIMIT >> 20));
  }

  private static RowInput input(StreamConfig config) {
    RowInput input = ungrouped(config);
    return config
        .groups()
        .map(groups -> input.groupedBy(groups.field(), groups.values()))
        .orElse(input);
  }

  private static RowInput ungrouped(StreamConfig config) {
    RowsSettings rows = config.kafka().rows();
    return new RowInput(
        rows.format(),
        rows.upsert(),
        rows.key().flatMap(RowsSettings.KeySource::field).orElse(""),
        rows.key().stream().anyMatch(RowsSettings.KeySource::comparesBytes),
        "",
        List.of(SketchJobSettings.NO_GROUP),
        rows.deletions());
  }
}

package io.gauze.summary;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.config.EpochSchedule;
import io.gauze.config.GroupSettings;
import io.gauze.config.RangeEstimates;
import io.gauze.config.RowTime;
import io.gauze.config.StreamConfig;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.report.Figures;
import io.gauze.report.Messages;
import io.gauze.report.Report;
import io.gauze.row.RowSchema;
import io.gauze.stream.BudgetedEpochs;
import io.gauze.stream.StreamSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A summary of a config, for people and for programs. */
public final class ConfigSummary {
  /** The most groups that are shown to people. */
  private static final int MOST_GROUPS = 10;

  private final StreamConfig config;
  private final StreamPlan plan;
  private final Optional<List<String>> missing;
  private final Optional<BudgetedEpochs> covered;

  /**
   * Creates a summary.
   *
   * @param missing topics that {@code run} or {@code solver} would create; empty if the topics were
   *     not checked, or if the check failed
   * @param covered how many epochs the total budget of a stream of users covers
   */
  public ConfigSummary(
      StreamConfig config,
      StreamPlan plan,
      Optional<List<String>> missing,
      Optional<BudgetedEpochs> covered) {
    this.config = config;
    this.plan = plan;
    this.missing = missing;
    this.covered = covered;
  }

  /**
   * Returns a report with the settings, and the sketches with their costs.
   *
   * @param whole whether people see the whole guarantee instead of a sentence
   */
  public Report report(boolean whole) {
    Report report = new Report();
    addRows(report);
    addPrivacy(report, whole);
    List<SketchCost> costs =
        plan.sketches().stream().map(sketch -> SketchCost.of(plan, sketch)).toList();
    List<Message> warnings = StreamSettings.warnings(config, plan);
    return report
        .line("topics", topics())
        .gap()
        .list("sketches", SketchCost.columns(), costs)
        .text(
            "epsilon if alone: of this sketch, without the others. noise deviation: the standard"
                + " deviation of the noise in each of its numbers, in the encoded scale.")
        .field("guarantee", plan.guarantee(Randomness.SYSTEM).sentence())
        .field("warnings", warnings.stream().map(Message::text).toList())
        .field("messages", Messages.objects(warnings))
        .field("topicsChecked", missing.isPresent())
        .field("topicsToCreate", missing);
  }

  private void addRows(Report report) {
    RowSchema schema = config.schema();
    EpochSchedule epochs = config.epochs();
    report
        .add("stream", "stream", config.stream())
        .field("dimension", schema.dimension())
        .line(
            "columns",
            schema.columns().size()
                + ", encoded as "
                + schema.dimension()
                + " numbers with the intercept")
        .add("columns", "encoded", schema.encodedNames(), String.join(", ", schema.encodedNames()))
        .line("row bound", Figures.rowBound(schema, config.choosesBounds()))
        .field("rangeShare", config.estimates().map(RangeEstimates::share))
        .field("intercept", schema.intercept())
        .field("rowBound", schema.rowBound())
        .field("largestNorm", schema.largestNorm())
        .field("responses", schema.responses().columns())
        .field("responseBound", schema.responses().bound())
        .line("missing", missing(schema))
        .add(
            "gridStep",
            "rounding",
            schema.grid().step(),
            "to multiples of 2^-" + schema.grid().fractionBits() + " of the encoded values")
        .add(
            "epochLength",
            "epochs",
            epochs.length().map(Object::toString).orElse("all"),
            epochs(epochs))
        .field("epochs", epochs.length().map(length -> times(epochs)));
    config.estimates().ifPresent(estimates -> report.line("ranges", estimates.sentence(plan)));
    config
        .groups()
        .ifPresent(groups -> report.add("groups", "groups", json(groups), groups(groups)));
  }

  private void addPrivacy(Report report, boolean whole) {
    Budget budget = config.budget();
    Guarantee guarantee = plan.guarantee(Randomness.SYSTEM);
    report
        .line(
            "neighbours",
            budget.neighbours().label() + ": releases hardly tell whether " + guarantee.change())
        .line(
            "budget",
            String.format(
                Locale.ROOT,
                "epsilon %s, delta %s, for each %s",
                budget.epsilon(),
                budget.delta(),
                config.scope().description()))
        .field("epsilon", budget.epsilon())
        .field("delta", budget.delta())
        .field("neighbours", budget.neighbours().label())
        .field("unit", config.unit().label())
        .fields(config.scope().settings())
        .field("checkpointLeaks", config.checkpointLeaks());
    Optional.ofNullable(config.scope().settings().get("snapshots"))
        .ifPresent(snapshots -> report.line("snapshots", snapshots.toString()));
    if (config.checkpointLeaks() > 0) {
      report.line("checkpointLeaks", Integer.toString(config.checkpointLeaks()));
    }
    report.line("guarantee", whole ? guarantee.sentence() : guarantee.summaryWithoutNeighbours());
    addTotalBudget(report);
  }

  private void addTotalBudget(Report report) {
    Map<String, Object> totalBudget = new LinkedHashMap<>();
    totalBudget.put("epsilon", config.totalBudget().epsilon());
    totalBudget.put("delta", config.totalBudget().delta());
    covered.ifPresent(
        epochs -> {
          totalBudget.put("epochs", epochs.all());
          epochs.left().ifPresent(left -> totalBudget.put("left", left));
          epochs.until().ifPresent(until -> totalBudget.put("until", until.toString()));
        });
    report.add(
        "totalBudget",
        "limit",
        totalBudget,
        String.format(
            Locale.ROOT,
            "epsilon %s, delta %s, for all streams over topic %s together (privacy.totalBudget)",
            config.totalBudget().epsilon(),
            config.totalBudget().delta(),
            config.kafka().topics().rows()));
    covered.ifPresent(epochs -> report.line("covers", epochs.text()));
  }

  private String topics() {
    if (missing.isEmpty()) {
      return config.kafka().bootstrap().isPresent()
          ? "not checked"
          : "not checked: the config names no broker";
    }
    List<String> names = missing.get();
    return names.isEmpty()
        ? "those that the job needs exist, with the right settings"
        : "missing, and would be created: " + String.join(", ", names);
  }

  private static String missing(RowSchema schema) {
    String key = schema.missing().name().toLowerCase(Locale.ROOT);
    return switch (schema.missing()) {
      case REJECT -> key + ": a row that lacks a value is left out";
      case MIDPOINT -> key + ": a missing value counts as the middle of its column's range";
    };
  }

  private static String epochs(EpochSchedule epochs) {
    if (epochs.isAll()) {
      return "one: all rows of a file, or of a topic up to its end";
    }
    return "every "
        + epochs.length().orElseThrow()
        + time(epochs.time())
        + ", sealed "
        + epochs.sealedAfter()
        + " after its end";
  }

  private static String time(RowTime time) {
    return switch (time.kind()) {
      case APPEND -> " of append time";
      case PRODUCER -> " of the producers' timestamps";
      case EVENT ->
          String.format(
              Locale.ROOT,
              " of field %s (allowedLateness %s, maxClockSkew %s)",
              time.field(),
              Duration.ofMillis(time.allowedLatenessMillis()),
              Duration.ofMillis(time.maxClockSkewMillis()));
    };
  }

  private static Map<String, Object> times(EpochSchedule epochs) {
    Map<String, Object> times = new LinkedHashMap<>();
    RowTime time = epochs.time();
    times.put("time", time.kind().name().toLowerCase(Locale.ROOT));
    if (time.kind() == RowTime.Kind.EVENT) {
      times.put("field", time.field());
      times.put("allowedLateness", Duration.ofMillis(time.allowedLatenessMillis()).toString());
      times.put("maxClockSkew", Duration.ofMillis(time.maxClockSkewMillis()).toString());
    }
    times.put("sealedAfter", epochs.sealedAfter().toString());
    return times;
  }

  private static String groups(GroupSettings groups) {
    List<String> values = groups.values();
    return values.size()
        + " of field "
        + groups.field()
        + ": "
        + String.join(", ", values.subList(0, Math.min(values.size(), MOST_GROUPS)))
        + (values.size() > MOST_GROUPS ? ", ..." : "");
  }

  private static Map<String, Object> json(GroupSettings groups) {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("field", groups.field());
    facts.put("values", groups.values());
    return facts;
  }
}

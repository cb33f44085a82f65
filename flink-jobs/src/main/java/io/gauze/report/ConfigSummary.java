package io.gauze.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.accounting.Budget;
import io.gauze.config.EpochSchedule;
import io.gauze.config.GroupSettings;
import io.gauze.config.RowTime;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.StreamPlan;
import io.gauze.noise.Randomness;
import io.gauze.row.RowSchema;
import io.gauze.stream.LifetimeEpochs;
import io.gauze.stream.StreamSettings;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a config means, for people and for programs. */
public final class ConfigSummary {
  /** That many groups are shown to people. */
  private static final int MOST_GROUPS = 10;

  private final StreamConfig config;
  private final StreamPlan plan;
  private final Optional<List<String>> missing;
  private final Optional<LifetimeEpochs> covered;
  private final List<SketchCost> costs;

  /**
   * @param missing topics that {@code run} or {@code solver} would create; empty if the topics were
   *     not checked, or not all right
   * @param covered how far the lifetime of a stream of users reaches
   */
  public ConfigSummary(
      StreamConfig config,
      StreamPlan plan,
      Optional<List<String>> missing,
      Optional<LifetimeEpochs> covered) {
    this.config = config;
    this.plan = plan;
    this.missing = missing;
    this.covered = covered;
    this.costs = plan.sketches().stream().map(sketch -> SketchCost.of(plan, sketch)).toList();
  }

  /** Lines of text. */
  public String table() {
    RowSchema schema = config.schema();
    Budget budget = config.budget();
    TextTable facts = new TextTable();
    facts.row("stream", config.stream());
    facts.row(
        "columns",
        schema.columns().size() + ", encoded as " + schema.dimension() + " with the intercept");
    facts.row("encoded", String.join(", ", schema.encodedNames()));
    facts.row("row bound", number(schema.rowBound()) + ", intercept " + number(schema.intercept()));
    facts.row("missing", schema.missing().name().toLowerCase(Locale.ROOT));
    facts.row("grid", "steps of 2^-" + schema.grid().fractionBits());
    facts.row("epochs", epochs(config.epochs()));
    config.groups().ifPresent(groups -> facts.row("groups", groups(groups)));
    facts.row(
        "privacy",
        String.format(
            Locale.ROOT,
            "epsilon %s, delta %s, %s, for each %s",
            budget.epsilon(),
            budget.delta(),
            budget.neighbours().label(),
            config.scope().description()));
    Optional.ofNullable(config.scope().settings().get("snapshots"))
        .ifPresent(snapshots -> facts.row("snapshots", snapshots.toString()));
    if (config.intrusions() > 0) {
      facts.row("intrusions", Integer.toString(config.intrusions()));
    }
    facts.row("guarantee", plan.guarantee(Randomness.SYSTEM).promise());
    facts.row(
        "lifetime",
        String.format(
            Locale.ROOT,
            "epsilon %s, delta %s, all streams over topic %s together",
            config.lifetime().epsilon(),
            config.lifetime().delta(),
            config.kafka().topics().rows()));
    covered.ifPresent(epochs -> facts.row("covers", epochs.text()));
    facts.row("topics", topics());
    return facts + System.lineSeparator() + sketches();
  }

  /** One JSON object. */
  public String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    RowSchema schema = config.schema();
    all.put("stream", config.stream());
    all.put("dimension", schema.dimension());
    all.put("columns", schema.encodedNames());
    all.put("intercept", schema.intercept());
    all.put("rowBound", schema.rowBound());
    all.put("gridStep", schema.grid().step());
    all.put("epochLength", config.epochs().length().map(Object::toString).orElse("all"));
    config.epochs().length().ifPresent(length -> all.put("epochs", times(config.epochs())));
    config.groups().ifPresent(groups -> all.put("groups", json(groups)));
    all.put("epsilon", config.budget().epsilon());
    all.put("delta", config.budget().delta());
    all.put("neighbours", config.budget().neighbours().label());
    all.put("unit", config.unit().label());
    all.putAll(config.scope().settings());
    all.put("intrusions", config.intrusions());
    Map<String, Object> lifetime = new LinkedHashMap<>();
    lifetime.put("epsilon", config.lifetime().epsilon());
    lifetime.put("delta", config.lifetime().delta());
    covered.ifPresent(
        epochs -> {
          lifetime.put("epochs", epochs.all());
          epochs.left().ifPresent(left -> lifetime.put("left", left));
          epochs.until().ifPresent(until -> lifetime.put("until", until.toString()));
        });
    all.put("lifetime", lifetime);
    all.put("sketches", costs.stream().map(SketchCost::json).toList());
    all.put("guarantee", plan.guarantee(Randomness.SYSTEM).sentence());
    all.put("warnings", StreamSettings.warnings(config, plan));
    all.put("topicsChecked", missing.isPresent());
    missing.ifPresent(topics -> all.put("topicsToCreate", topics));
    try {
      return new ObjectMapper().writeValueAsString(all) + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }

  private String topics() {
    if (missing.isEmpty()) {
      return config.kafka().bootstrap().isPresent()
          ? "not checked"
          : "not checked: the config names no broker";
    }
    List<String> names = missing.get();
    return names.isEmpty()
        ? "there, and fit"
        : "fit, or missing; would be created: " + String.join(", ", names);
  }

  private String sketches() {
    TextTable table = new TextTable();
    table.row("sketch", "mechanism", "share", "epsilon alone", "noise sigma", "entries", "bytes");
    for (SketchCost cost : costs) {
      table.row(
          cost.name(),
          cost.mechanism(),
          String.format(Locale.ROOT, "%.1f %%", 100.0 * cost.share()),
          number(cost.epsilonAlone()),
          number(cost.sigma()),
          Integer.toString(cost.entries()),
          Long.toString(cost.bytes()));
    }
    return table.toString();
  }

  private static String epochs(EpochSchedule epochs) {
    if (epochs.isAll()) {
      return "one, for bounded input";
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
              " of field %s (lateness %s, ahead %s)",
              time.field(),
              Duration.ofMillis(time.latenessMillis()),
              Duration.ofMillis(time.aheadMillis()));
    };
  }

  private static Map<String, Object> times(EpochSchedule epochs) {
    Map<String, Object> times = new LinkedHashMap<>();
    RowTime time = epochs.time();
    times.put("time", time.kind().name().toLowerCase(Locale.ROOT));
    if (time.kind() == RowTime.Kind.EVENT) {
      times.put("field", time.field());
      times.put("lateness", Duration.ofMillis(time.latenessMillis()).toString());
      times.put("ahead", Duration.ofMillis(time.aheadMillis()).toString());
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

  /** Short: six digits are enough to recognise a number. */
  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value)
        .replaceFirst("(\\.\\d*?)0+(e|$)", "$1$2")
        .replaceFirst("\\.(e|$)", "$1");
  }
}

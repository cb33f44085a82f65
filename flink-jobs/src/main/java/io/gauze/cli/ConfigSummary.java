package io.gauze.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.config.EpochSettings;
import io.gauze.config.StreamConfig;
import io.gauze.pipeline.StreamSettings;
import io.gauze.privacy.Budget;
import io.gauze.privacy.Randomness;
import io.gauze.release.PrivacyUnit;
import io.gauze.release.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a config means, for people and for programs. */
final class ConfigSummary {
  private final StreamConfig config;
  private final StreamPlan plan;
  private final Optional<List<String>> missing;
  private final List<SketchCost> costs;

  /**
   * @param missing topics that {@code run} or {@code solver} would create; empty if the topics were
   *     not checked, or not all right
   */
  ConfigSummary(StreamConfig config, StreamPlan plan, Optional<List<String>> missing) {
    this.config = config;
    this.plan = plan;
    this.missing = missing;
    this.costs = plan.sketches().stream().map(sketch -> SketchCost.of(plan, sketch)).toList();
  }

  /** Lines of text. */
  String table() {
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
    facts.row(
        "privacy",
        String.format(
            Locale.ROOT,
            "epsilon %s, delta %s, %s, for each row, all sketches of %s together",
            budget.epsilon(),
            budget.delta(),
            budget.neighbours().label(),
            config.unit() instanceof PrivacyUnit.GrowingRow row
                ? row.epochs() + " cumulative releases"
                : "an epoch"));
    facts.row(
        "lifetime",
        String.format(
            Locale.ROOT,
            "epsilon %s, delta %s, all streams over topic %s together",
            config.lifetime().epsilon(),
            config.lifetime().delta(),
            config.kafka().topics().rows()));
    facts.row("topics", topics());
    return facts + System.lineSeparator() + sketches();
  }

  /** One JSON object. */
  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    RowSchema schema = config.schema();
    all.put("stream", config.stream());
    all.put("dimension", schema.dimension());
    all.put("columns", schema.encodedNames());
    all.put("intercept", schema.intercept());
    all.put("rowBound", schema.rowBound());
    all.put("gridStep", schema.grid().step());
    all.put("epochLength", config.epochs().length().map(Object::toString).orElse("all"));
    all.put("epsilon", config.budget().epsilon());
    all.put("delta", config.budget().delta());
    all.put("neighbours", config.budget().neighbours().label());
    Map<String, Object> lifetime = new LinkedHashMap<>();
    lifetime.put("epsilon", config.lifetime().epsilon());
    lifetime.put("delta", config.lifetime().delta());
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

  private static String epochs(EpochSettings epochs) {
    return epochs
        .length()
        .map(
            length ->
                "every " + length + " of append time, sealed " + epochs.grace() + " after its end")
        .orElse("one, for bounded input");
  }

  /** Short: six digits are enough to recognise a number. */
  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6g", value)
        .replaceFirst("(\\.\\d*?)0+(e|$)", "$1$2")
        .replaceFirst("\\.(e|$)", "$1");
  }
}

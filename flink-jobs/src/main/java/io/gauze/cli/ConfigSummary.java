package io.gauze.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gauze.config.EpochSettings;
import io.gauze.config.SketchSettings;
import io.gauze.config.StreamConfig;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a config means, for people and for programs. */
final class ConfigSummary {
  private final StreamConfig config;

  private ConfigSummary(StreamConfig config) {
    this.config = config;
  }

  static ConfigSummary of(StreamConfig config) {
    return new ConfigSummary(config);
  }

  /** Lines of text. */
  String table() {
    RowSchema schema = config.schema();
    TextTable facts = new TextTable();
    facts.row("stream", config.stream());
    facts.row(
        "columns",
        schema.columns().size() + ", encoded as " + schema.dimension() + " with the intercept");
    facts.row("encoded", String.join(", ", schema.encodedNames()));
    facts.row("row bound", number(schema.rowBound()) + ", intercept " + number(schema.intercept()));
    facts.row("missing fields", schema.missing().name().toLowerCase(Locale.ROOT));
    facts.row("grid", "steps of 2^-" + schema.grid().fractionBits());
    facts.row("epochs", epochs(config.epochs()));
    facts.row(
        "privacy",
        String.format(
            Locale.ROOT,
            "epsilon %s, delta %s, %s, for each row, all sketches of an epoch together",
            config.budget().epsilon(),
            config.budget().delta(),
            config.budget().neighbours().label()));
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
    List<Map<String, Object>> sketches = new ArrayList<>();
    for (SketchSettings sketch : config.sketches()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", sketch.name());
      one.put("mechanism", sketch.mechanism().label());
      one.put("share", share(sketch));
      sketches.add(one);
    }
    all.put("sketches", sketches);
    try {
      return new ObjectMapper().writeValueAsString(all) + System.lineSeparator();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }

  private String sketches() {
    TextTable table = new TextTable();
    table.row("sketch", "mechanism", "share of the budget");
    for (SketchSettings sketch : config.sketches()) {
      table.row(
          sketch.name(),
          sketch.mechanism().label(),
          String.format(Locale.ROOT, "%.1f %%", 100.0 * share(sketch)));
    }
    return table.toString();
  }

  /** Of mu squared, which adds up. */
  private double share(SketchSettings sketch) {
    return sketch.weight() / config.sketches().stream().mapToDouble(SketchSettings::weight).sum();
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
    return String.format(Locale.ROOT, "%.6g", value).replaceFirst("\\.?0+$", "");
  }
}

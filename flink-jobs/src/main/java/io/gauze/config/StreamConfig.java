package io.gauze.config;

import io.gauze.privacy.Budget;
import io.gauze.row.Grid;
import io.gauze.row.Neighbours;
import io.gauze.row.RowSchema;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * Everything that a config says about one stream. Immutable; made by {@link #read} or {@link
 * #parse}, which check each value.
 *
 * @param stream the stream's name: lower case, digits, hyphens
 * @param schema columns, intercept, row bound, missing values
 * @param budget of one epoch, for all sketches together; the privacy unit is one row
 * @param epochs how the stream is cut
 * @param expectedRows in an epoch, a public guess, at least 1; empty if the config does not say
 * @param sketches at least one, with different names; immutable
 * @param kafka the topics
 * @param flink Flink's own keys and values, a positive checkpoint interval among them; immutable
 */
public record StreamConfig(
    String stream,
    RowSchema schema,
    Budget budget,
    EpochSettings epochs,
    OptionalLong expectedRows,
    List<SketchSettings> sketches,
    KafkaSettings kafka,
    Map<String, String> flink) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");
  private static final String MAP = "keys and values";

  /**
   * Reads a config.
   *
   * @throws ConfigException if the file cannot be read, or if a value is missing, unknown, not
   *     allowed or not supported yet
   */
  public static StreamConfig read(Path file) throws ConfigException {
    return parse(file.toString(), YamlFile.text(file));
  }

  /**
   * Reads a config from its text.
   *
   * @param name the file's name in errors
   * @throws ConfigException if a value is missing, unknown, not allowed or not supported yet
   */
  public static StreamConfig parse(String name, String text) throws ConfigException {
    YamlMap top = YamlFile.parse(name, text).map("keys and values, beginning with stream");
    for (String key : new String[] {"snapshots", "groups"}) {
      if (top.has(key)) {
        throw top.require(key, "").error("is not supported yet; remove the key");
      }
    }
    top.only(
        "stream",
        "columns",
        "intercept",
        "rowBound",
        "missing",
        "privacy",
        "epochs",
        "expectedRows",
        "sketches",
        "kafka",
        "flink");
    String allowed = "lower-case letters, digits and hyphens, at most 100";
    String stream = top.require("stream", allowed).text(NAME, allowed);
    RowSchema schema = ColumnsReader.read(top);
    Budget budget = budget(top);
    EpochSettings epochs = EpochSettings.read(top);
    OptionalLong rows = expectedRows(top);
    List<SketchSettings> sketches = SketchSettings.read(top, schema.dimension());
    return new StreamConfig(
        stream,
        schema,
        budget,
        epochs,
        rows,
        sketches,
        KafkaReader.read(top, epochs),
        FlinkReader.read(top));
  }

  /** The same config with another broker. */
  public StreamConfig withBootstrap(String address) {
    return new StreamConfig(
        stream,
        schema,
        budget,
        epochs,
        expectedRows,
        sketches,
        kafka.withBootstrap(address),
        flink);
  }

  /** The same config, cut into other epochs. */
  public StreamConfig withEpochs(EpochSettings other) {
    return new StreamConfig(stream, schema, budget, other, expectedRows, sketches, kafka, flink);
  }

  /** The same config with another budget. */
  public StreamConfig withBudget(Budget other) {
    return new StreamConfig(stream, schema, other, epochs, expectedRows, sketches, kafka, flink);
  }

  private static OptionalLong expectedRows(YamlMap top) throws ConfigException {
    Optional<YamlValue> value = top.get("expectedRows");
    return value.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(value.get().whole(1, Grid.MAX_ROWS));
  }

  private static Budget budget(YamlMap top) throws ConfigException {
    YamlMap map = top.require("privacy", MAP).map(MAP);
    map.only("epsilon", "delta", "neighbours", "unit", "intrusions");
    refuseUnits(map);
    double epsilon = probability(map, "epsilon", Budget.LARGEST_EPSILON);
    double delta = probability(map, "delta", Budget.LARGEST_DELTA);
    String allowed = "replace-one or add-remove";
    YamlValue value = map.require("neighbours", allowed);
    String label = value.text(allowed);
    for (Neighbours neighbours : Neighbours.values()) {
      if (neighbours.label().equals(label)) {
        return value.make(() -> new Budget(epsilon, delta, neighbours));
      }
    }
    throw value.mustBe(allowed);
  }

  private static double probability(YamlMap map, String key, double largest)
      throws ConfigException {
    String allowed = "a number in (0, " + largest + "]";
    YamlValue value = map.require(key, allowed);
    double number = value.number(allowed);
    if (!(number > 0.0 && number <= largest)) {
      throw value.mustBe(allowed);
    }
    return number;
  }

  private static void refuseUnits(YamlMap map) throws ConfigException {
    Optional<YamlValue> unit = map.get("unit");
    if (unit.isPresent()) {
      if (unit.get().isMap() || unit.get().text("row").equals("key")) {
        throw unit.get().notSupported("the privacy unit is one row; use row");
      }
      unit.get().text(Pattern.compile("row"), "row");
    }
    Optional<YamlValue> intrusions = map.get("intrusions");
    if (intrusions.isPresent() && intrusions.get().whole(0, 1) == 1) {
      throw intrusions.get().notSupported("use 0 and protect the checkpoints");
    }
  }
}

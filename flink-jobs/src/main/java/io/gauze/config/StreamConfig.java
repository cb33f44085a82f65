package io.gauze.config;

import io.gauze.privacy.Budget;
import io.gauze.release.NoisyMoments;
import io.gauze.release.PrivacyUnit;
import io.gauze.release.SketchRequest;
import io.gauze.release.StreamRequest;
import io.gauze.row.Grid;
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
 * @param budget for all sketches together: of one epoch, or of all snapshots if the unit is a key
 * @param unit whose data are protected
 * @param lifetime what all streams over the same topic of rows may spend together, ever; at least
 *     the budget, which it is if the config does not say
 * @param epochs how the stream is cut
 * @param intrusions how many checkpoints may be stolen, 0 or 1
 * @param expectedRows in an epoch, a public guess, at least 1; empty if the config does not say
 * @param sketches at least one, with different names; immutable
 * @param kafka the topics
 * @param flink Flink's own keys and values, a positive checkpoint interval among them; immutable
 */
public record StreamConfig(
    String stream,
    RowSchema schema,
    Budget budget,
    PrivacyUnit unit,
    Budget lifetime,
    EpochSettings epochs,
    int intrusions,
    OptionalLong expectedRows,
    List<SketchRequest> sketches,
    KafkaSettings kafka,
    Map<String, String> flink) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");

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
   * What a config asks for but the sketches, which may be wrong or not there yet.
   *
   * @param expectedRows in an epoch and group, at least 1
   * @throws ConfigException if the file cannot be read, or if a value that counts here is missing
   *     or not allowed
   */
  public static StreamRequest requestWithoutSketches(Path file, long expectedRows)
      throws ConfigException {
    return withoutSketches(top(file.toString(), YamlFile.text(file)), expectedRows);
  }

  private static StreamRequest withoutSketches(YamlMap top, long expectedRows)
      throws ConfigException {
    return new StreamRequest(
        name(top),
        ColumnsReader.read(top),
        PrivacyReader.budget(top),
        PrivacyReader.unit(top),
        expectedRows,
        List.of(),
        List.of(new SketchRequest("any", NoisyMoments.NAME, 1.0, Map.of())),
        PrivacyReader.intrusions(top));
  }

  /**
   * Reads a config from its text.
   *
   * @param name the file's name in errors
   * @throws ConfigException if a value is missing, unknown, not allowed or not supported yet
   */
  public static StreamConfig parse(String name, String text) throws ConfigException {
    StreamConfig config = parseAll(name, text);
    refuseUnits(top(name, text));
    return config;
  }

  // What the engine does not run yet. Once it does, this and its call go, and parseAll is parse.
  private static void refuseUnits(YamlMap top) throws ConfigException {
    YamlMap privacy = top.require("privacy", "").map("");
    if (PrivacyReader.intrusions(top) > 0) {
      throw privacy.require("intrusions", "").notSupported("use 0 and protect the checkpoints");
    }
    if (!PrivacyReader.unit(top).equals(PrivacyUnit.ROW)) {
      throw privacy.require("unit", "").notSupported("the privacy unit is one row; use row");
    }
  }

  /** A config that the engine may not run yet. */
  static StreamConfig parseAll(String name, String text) throws ConfigException {
    YamlMap top = top(name, text);
    OptionalLong rows = expectedRows(top);
    StreamRequest asked = withoutSketches(top, rows.orElse(SketchReader.DEFAULT_EXPECTED_ROWS));
    EpochSettings epochs = EpochSettings.read(top);
    List<SketchRequest> sketches = new SketchReader(asked, rows.isPresent()).read(top);
    return new StreamConfig(
        asked.stream(),
        asked.schema(),
        asked.budget(),
        asked.unit(),
        PrivacyReader.lifetime(top, asked, epochs),
        epochs,
        asked.intrusions(),
        rows,
        sketches,
        KafkaReader.read(top, epochs),
        FlinkReader.read(top));
  }

  private static String name(YamlMap top) throws ConfigException {
    String allowed = "lower-case letters, digits and hyphens, at most 100";
    return top.require("stream", allowed).text(NAME, allowed);
  }

  private static YamlMap top(String name, String text) throws ConfigException {
    YamlMap top = YamlFile.parse(name, text).map("keys and values, beginning with stream");
    if (top.has("groups")) {
      throw top.require("groups", "").error("is not supported yet; remove the key");
    }
    top.only(
        "stream",
        "columns",
        "intercept",
        "rowBound",
        "missing",
        "privacy",
        "snapshots",
        "epochs",
        "expectedRows",
        "sketches",
        "kafka",
        "flink");
    return top;
  }

  /**
   * What the sketches are planned for.
   *
   * @param assumptions what must hold for the guarantee, see {@link StreamRequest}
   */
  public StreamRequest request(List<String> assumptions) {
    return new StreamRequest(
        stream,
        schema,
        budget,
        unit,
        expectedRows.orElse(SketchReader.DEFAULT_EXPECTED_ROWS),
        assumptions,
        sketches,
        intrusions);
  }

  /** The same config with another broker. */
  public StreamConfig withBootstrap(String address) {
    return new StreamConfig(
        stream,
        schema,
        budget,
        unit,
        lifetime,
        epochs,
        intrusions,
        expectedRows,
        sketches,
        kafka.withBootstrap(address),
        flink);
  }

  /** The same config, cut into other epochs. */
  public StreamConfig withEpochs(EpochSettings other) {
    return new StreamConfig(
        stream,
        schema,
        budget,
        unit,
        lifetime,
        other,
        intrusions,
        expectedRows,
        sketches,
        kafka,
        flink);
  }

  /** The same config with another budget, which is the lifetime too. */
  public StreamConfig withBudget(Budget other) {
    return new StreamConfig(
        stream,
        schema,
        other,
        unit,
        other,
        epochs,
        intrusions,
        expectedRows,
        sketches,
        kafka,
        flink);
  }

  private static OptionalLong expectedRows(YamlMap top) throws ConfigException {
    Optional<YamlValue> value = top.get("expectedRows");
    return value.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(value.get().whole(1, Grid.MAX_ROWS));
  }
}

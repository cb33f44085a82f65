package io.gauze.config;

import io.gauze.accounting.Budget;
import io.gauze.message.NearestName;
import io.gauze.plan.RowBoundPlan;
import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Reads the columns of a config, the intercept, the row bound, and the treatment of missing values.
 */
final class ColumnsReader {
  private static final String NUMBER = "a finite number";
  private static final String ESTIMATE = "estimate";
  private static final String OTHER = "other";
  private static final String COLUMNS =
      "a list of at least one column, such as {name: alcohol, lower: 8, upper: 15}";
  private static final double LEAST_SPREAD = 1e-6; // of the range

  static final ConfigSection KEYS =
      ConfigSection.of(
          "columns",
          ConfigKey.of("name", ConfigKey.TEXT, "all different", "The name in fits and releases.")
              .required(),
          ConfigKey.of("source", ConfigKey.TEXT, "", "The field of a row that holds the value.")
              .or("`name`"),
          ConfigKey.of(
              "range",
              ConfigKey.WORD,
              "`estimate`",
              "Has the range of a number chosen from the rows, in place of `lower` and `upper`."),
          ConfigKey.of(
                  "lower",
                  ConfigKey.NUMBER,
                  "below `upper`",
                  "The lower end of the public range; smaller values are moved to it.")
              .or("required for a number without `range`; with `map` the least rank"),
          ConfigKey.of(
                  "upper",
                  ConfigKey.NUMBER,
                  "above `lower`",
                  "The upper end of the public range; larger values are moved to it.")
              .or("required for a number without `range`; with `map` the largest rank"),
          ConfigKey.of(
                  "typical",
                  ConfigKey.NUMBER,
                  "[`lower`, `upper`]",
                  "The value of a number or rank that is encoded as 0. The end that is farther from it"
                      + " is encoded as -1 or 1.")
              .or("the middle of the range"),
          ConfigKey.of(
                  "spread",
                  ConfigKey.NUMBER,
                  "from a millionth of the range to all of it",
                  "A public guess of the standard deviation of a number or rank, for the row bound.")
              .or("a quarter of the range; half of it if another column has a `spread`"),
          ConfigKey.of(
              "map",
              "map of texts to numbers",
              "at least 1 text",
              "Makes the column ordinal: the rank of each text."),
          ConfigKey.of(
              "equals",
              ConfigKey.TEXT,
              "",
              "Makes the column an indicator: 1 if the field is this text, else -1."),
          ConfigKey.of(
              "categories",
              ConfigKey.TEXTS,
              "at least 2, all different",
              "Makes the column one-hot: an encoded column for each text but the first, the"
                  + " baseline."),
          ConfigKey.of(
                  OTHER,
                  ConfigKey.TEXT,
                  "not one of `categories`",
                  "One more category, after those that are listed: it stands for all texts that are"
                      + " not.")
              .or("none: a row with such a text is refused"));

  private ColumnsReader() {}

  /**
   * Reads them.
   *
   * @param budget of the stream, for which a row bound is planned where none is given
   * @param expectedRows of an epoch
   * @param tight whether a planned bound may clip rows
   * @param scaled whether columns may be encoded smaller than their ranges allow
   * @param unknown gives a column of unknown range a range
   */
  static RowSchema read(
      YamlMap top,
      Budget budget,
      long expectedRows,
      boolean tight,
      boolean scaled,
      UnknownRanges unknown)
      throws ConfigException {
    YamlValue place = top.require("columns", COLUMNS);
    List<Column> columns = new ArrayList<>();
    Map<String, Double> spreads = new LinkedHashMap<>();
    for (YamlValue value : place.list(COLUMNS)) {
      Column column = column(value, unknown);
      columns.add(column);
      YamlMap map = value.map("");
      if (map.has("range") && EncodingFile.isIn(top)) {
        throw map.require("range", "").error("has no place in an encoding; give lower and upper");
      }
      OptionalDouble given = map.has("range") ? unknown.spread(column) : spread(map, column);
      given.ifPresent(spread -> spreads.put(column.name(), spread));
    }
    OptionalDouble intercept = number(top, "intercept");
    MissingValues missing = missing(top);
    List<String> responses = responses(top, columns);
    if (EncodingFile.isIn(top)) {
      RowSchema pinned = EncodingFile.read(top, columns, responses, missing);
      return fitting(pinned, tight, scaled, top);
    }
    RowBoundPlan plan =
        place.make(
            () ->
                new RowBoundPlan(
                    columns, intercept, spreads, responses, budget, expectedRows, scaled));
    OptionalDouble bound = number(top, "rowBound");
    OptionalDouble responseBound = number(top, "responseBound");
    if (responseBound.isPresent() && (bound.isEmpty() || responses.isEmpty())) {
      throw top.require("responseBound", NUMBER).error("needs rowBound and response beside it");
    }
    try {
      if (bound.isEmpty()) {
        return plan.schema(tight, missing);
      }
      return unknown.areChosen()
          ? plan.schemaWithin(bound.getAsDouble(), responseBound, missing)
          : plan.schema(bound.getAsDouble(), responseBound, missing);
    } catch (IllegalArgumentException e) {
      throw blame(top, place, e.getMessage());
    }
  }

  private static RowSchema fitting(RowSchema pinned, boolean tight, boolean scaled, YamlMap top)
      throws ConfigException {
    if ((!tight && pinned.shortens()) || (!scaled && pinned.isScaled())) {
      throw top.require(EncodingFile.KEY, "")
          .error(
              "shortens rows or scales columns, and a sketch of this config needs full ranges. Make"
                  + " the encoding with a config that has this sketch, too");
    }
    return pinned;
  }

  /** Reads the public guesses of standard deviations, by column. */
  static Map<String, Double> spreads(YamlMap top) throws ConfigException {
    Map<String, Double> spreads = new LinkedHashMap<>();
    for (YamlValue value : top.require("columns", COLUMNS).list(COLUMNS)) {
      Column column = column(value, RangeEstimates::placeholder);
      spread(value.map(""), column).ifPresent(spread -> spreads.put(column.name(), spread));
    }
    return spreads;
  }

  private static List<String> responses(YamlMap top, List<Column> columns) throws ConfigException {
    Optional<YamlValue> place = top.get("response");
    if (place.isEmpty()) {
      return List.of();
    }
    String allowed = "a column, or a list of columns";
    List<String> known = columns.stream().map(Column::name).toList();
    List<String> responses = new ArrayList<>();
    for (YamlValue value : place.get().listOrOne(allowed)) {
      String name = value.text(allowed);
      if (!known.contains(name)) {
        throw value.mustBe("one of the columns" + NearestName.hint(name, known));
      }
      if (responses.contains(name)) {
        throw value.mustBe("there once");
      }
      responses.add(name);
    }
    return responses;
  }

  /** Returns the error at the value that the schema refuses. */
  private static ConfigException blame(YamlMap top, YamlValue columns, String problem) {
    for (String key : new String[] {"rowBound", "intercept", "responseBound"}) {
      if (problem.startsWith(key + " ") && top.has(key)) {
        return top.get(key).orElse(columns).error(problem.substring(key.length() + 1));
      }
    }
    return columns.complaint(problem);
  }

  private static MissingValues missing(YamlMap top) throws ConfigException {
    String allowed = "reject or midpoint";
    if (!top.has("missing")) {
      return MissingValues.REJECT;
    }
    YamlValue value = top.require("missing", allowed);
    String text = value.text(allowed);
    if (text.equals("midpoint")) {
      return MissingValues.MIDPOINT;
    }
    if (text.equals("reject")) {
      return MissingValues.REJECT;
    }
    throw value.mustBe(allowed);
  }

  private static Column estimated(YamlMap map, String name, String source, UnknownRanges unknown)
      throws ConfigException {
    YamlValue range = map.require("range", ESTIMATE);
    String allowed = ESTIMATE + "; a known range is given by lower and upper";
    if (!range.text(allowed).equals(ESTIMATE)) {
      throw range.mustBe(allowed);
    }
    for (String key :
        new String[] {"lower", "upper", "typical", "spread", "map", "equals", "categories"}) {
      if (map.has(key)) {
        throw map.require(key, "")
            .error("means nothing beside range: estimate; remove one of the two");
      }
    }
    return range.make(() -> unknown.column(new EstimatedColumn(name, source)));
  }

  private static Column column(YamlValue value, UnknownRanges unknown) throws ConfigException {
    YamlMap map = value.map("keys and values such as {name: alcohol, lower: 8, upper: 15}");
    map.only(KEYS);
    List<String> kinds =
        map.entries().keySet().stream()
            .filter(List.of("map", "equals", "categories")::contains)
            .toList();
    if (kinds.size() > 1) {
      throw value.error(
          "must have one of map, equals and categories. Provided value: "
              + String.join(", ", kinds));
    }
    String name = map.require("name", "the column's name").text("the column's name");
    Optional<YamlValue> field = map.get("source");
    String source = field.isPresent() ? field.get().text("the name of a field") : name;
    if (map.has(OTHER) && !kinds.contains("categories")) {
      throw map.require(OTHER, "").error("needs categories beside it");
    }
    if (map.has("range")) {
      return estimated(map, name, source, unknown);
    }
    if (map.has("map")) {
      return ordinal(map, name, source);
    }
    if (kinds.isEmpty()) {
      double lower = map.require("lower", NUMBER).number(NUMBER);
      double upper = map.require("upper", NUMBER).number(NUMBER);
      double typical = number(map, "typical", Column.middle(lower, upper));
      return place(map, lower < upper ? "typical" : "upper")
          .make(() -> new NumericColumn(name, source, lower, upper, typical));
    }
    return text(map, name, source);
  }

  private static Column text(YamlMap map, String name, String source) throws ConfigException {
    for (String key : new String[] {"lower", "upper", "typical", "spread"}) {
      if (map.has(key)) {
        throw map.require(key, "").error("means nothing for texts; remove the key");
      }
    }
    if (map.has("equals")) {
      String equalTo = map.require("equals", "").text("the text that counts as 1");
      return map.self().make(() -> new IndicatorColumn(name, source, equalTo));
    }
    String allowed = "a list of at least 2 texts, the first of which is the baseline";
    YamlValue place = map.require("categories", allowed);
    List<String> categories = new ArrayList<>();
    for (YamlValue category : place.list(allowed)) {
      categories.add(category.text("a text"));
    }
    if (map.has(OTHER)) {
      YamlValue other = map.require(OTHER, "");
      categories.add(other.text("a name for all texts that are not listed"));
      return other.make(() -> new CategoryColumn(name, source, categories, true));
    }
    return place.make(() -> new CategoryColumn(name, source, categories));
  }

  private static Column ordinal(YamlMap map, String name, String source) throws ConfigException {
    String allowed = "texts with their ranks, such as {Fair: 0, Good: 1}";
    YamlValue place = map.require("map", allowed);
    Map<String, Double> ranks = new LinkedHashMap<>();
    for (Map.Entry<String, YamlValue> rank : place.map(allowed).entries().entrySet()) {
      ranks.put(rank.getKey(), rank.getValue().number(NUMBER));
    }
    if (ranks.isEmpty()) {
      throw place.mustBe(allowed);
    }
    double lower = number(map, "lower", Collections.min(ranks.values()));
    double upper = number(map, "upper", Collections.max(ranks.values()));
    double typical = number(map, "typical", Column.middle(lower, upper));
    return (map.has("typical") ? map.require("typical", NUMBER) : place)
        .make(() -> new OrdinalColumn(name, source, ranks, lower, upper, typical));
  }

  private static OptionalDouble number(YamlMap map, String key) throws ConfigException {
    return map.has(key)
        ? OptionalDouble.of(map.require(key, NUMBER).number(NUMBER))
        : OptionalDouble.empty();
  }

  private static YamlValue place(YamlMap map, String key) throws ConfigException {
    return map.has(key) ? map.require(key, NUMBER) : map.self();
  }

  private static OptionalDouble spread(YamlMap map, Column column) throws ConfigException {
    if (!map.has("spread")) {
      return OptionalDouble.empty();
    }
    YamlValue value = map.require("spread", NUMBER);
    double spread = value.number(NUMBER);
    double range = column.upper() - column.lower();
    if (!(spread >= LEAST_SPREAD * range && spread <= range)) {
      throw value.mustBe("at least a millionth of the range and at most all of it, " + range);
    }
    return OptionalDouble.of(spread);
  }

  private static double number(YamlMap map, String key, double byDefault) throws ConfigException {
    return map.has(key) ? map.require(key, NUMBER).number(NUMBER) : byDefault;
  }
}

package io.gauze.config;

import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
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

  private ColumnsReader() {}

  static RowSchema read(YamlMap top) throws ConfigException {
    String allowed = "a list of at least one column, such as {name: alcohol, lower: 8, upper: 15}";
    YamlValue place = top.require("columns", allowed);
    List<Column> columns = new ArrayList<>();
    for (YamlValue value : place.list(allowed)) {
      columns.add(column(value));
    }
    double intercept = top.has("intercept") ? top.require("intercept", NUMBER).number(NUMBER) : 1.0;
    MissingValues missing = missing(top);
    Optional<YamlValue> bound = top.get("rowBound");
    OptionalDouble asked =
        bound.isPresent() ? OptionalDouble.of(bound.get().number(NUMBER)) : OptionalDouble.empty();
    try {
      return RowSchema.of(columns, intercept, rowBound(asked, columns, intercept), missing);
    } catch (IllegalArgumentException e) {
      throw blame(top, place, e.getMessage());
    }
  }

  /** Returns the row bound of the config, or the largest norm of a row if that is smaller. */
  private static double rowBound(OptionalDouble asked, List<Column> columns, double intercept) {
    if (asked.isEmpty()) {
      return RowSchema.largestNorm(columns, intercept);
    }
    double bound = asked.getAsDouble();
    return intercept > 0.0 && intercept <= bound
        ? RowSchema.usefulBound(bound, columns, intercept)
        : bound; // the schema refuses such an intercept
  }

  /** Returns the error at the value that the schema refuses. */
  private static ConfigException blame(YamlMap top, YamlValue columns, String problem) {
    for (String key : new String[] {"rowBound", "intercept"}) {
      if (problem.startsWith(key + " ")) {
        return at(top, key, columns).error(problem.substring(key.length() + 1));
      }
    }
    return columns.complaint(problem);
  }

  private static YamlValue at(YamlMap top, String key, YamlValue otherwise) {
    return top.get(key).orElse(otherwise);
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

  private static Column column(YamlValue value) throws ConfigException {
    YamlMap map = value.map("keys and values such as {name: alcohol, lower: 8, upper: 15}");
    map.only("name", "source", "lower", "upper", "map", "equals", "categories");
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
    if (map.has("map")) {
      return ordinal(map, name, source);
    }
    if (kinds.isEmpty()) {
      double lower = map.require("lower", NUMBER).number(NUMBER);
      double upper = map.require("upper", NUMBER).number(NUMBER);
      return value.make(() -> new NumericColumn(name, source, lower, upper));
    }
    return text(map, name, source);
  }

  private static Column text(YamlMap map, String name, String source) throws ConfigException {
    for (String key : new String[] {"lower", "upper"}) {
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
    double lower = end(map, "lower", Collections.min(ranks.values()));
    double upper = end(map, "upper", Collections.max(ranks.values()));
    return place.make(() -> new OrdinalColumn(name, source, ranks, lower, upper));
  }

  private static double end(YamlMap map, String key, double byDefault) throws ConfigException {
    return map.has(key) ? map.require(key, NUMBER).number(NUMBER) : byDefault;
  }
}

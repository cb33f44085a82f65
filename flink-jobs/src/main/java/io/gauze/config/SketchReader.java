package io.gauze.config;

import io.gauze.privacy.Budget;
import io.gauze.release.Mechanisms;
import io.gauze.release.Option;
import io.gauze.release.SketchRequest;
import io.gauze.release.StreamRequest;
import io.gauze.row.NearestName;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the sketches of a stream, whatever their mechanisms. */
final class SketchReader {
  /** The rows expected in an epoch where the config does not say. */
  static final long DEFAULT_EXPECTED_ROWS = 100_000;

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,99}");
  private static final String EXAMPLE = "{name: moments, mechanism: noisy-moments}";

  private final String stream;
  private final RowSchema schema;
  private final Budget budget;
  private final OptionalLong expectedRows;

  SketchReader(String stream, RowSchema schema, Budget budget, OptionalLong expectedRows) {
    this.stream = stream;
    this.schema = schema;
    this.budget = budget;
    this.expectedRows = expectedRows;
  }

  List<SketchRequest> read(YamlMap top) throws ConfigException {
    String allowed = "a list of at least one sketch, such as " + EXAMPLE;
    List<SketchRequest> sketches = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlValue value : top.require("sketches", allowed).list(allowed)) {
      YamlMap map = value.map("keys and values such as " + EXAMPLE);
      SketchRequest sketch = sketch(map);
      if (!names.add(sketch.name())) {
        throw map.require("name", "").mustBe("unique among the sketches");
      }
      checkSizes(map, sketch);
      sketches.add(sketch);
    }
    return List.copyOf(sketches);
  }

  private SketchRequest sketch(YamlMap map) throws ConfigException {
    String mechanism = mechanism(map);
    List<Option> options = Mechanisms.options(mechanism);
    List<String> known = new ArrayList<>(List.of("name", "mechanism", "weight"));
    options.forEach(option -> known.add(option.name()));
    map.only(known.toArray(String[]::new));
    String allowed = "lower-case letters, digits and hyphens, at most 100, starting with a letter";
    String name = map.require("name", allowed).text(NAME, allowed);
    Map<String, String> values = new LinkedHashMap<>();
    for (Option option : options) {
      if (map.has(option.name())) {
        values.put(option.name(), value(option, map.require(option.name(), option.allowed())));
      } else if (option.planned() && expectedRows.isEmpty()) {
        throw map.self()
            .error(
                "lacks the key "
                    + option.name()
                    + ", "
                    + option.allowed()
                    + "; or give expectedRows, from which it is planned");
      }
    }
    return new SketchRequest(name, mechanism, weight(map), values);
  }

  private static String mechanism(YamlMap map) throws ConfigException {
    List<String> names = Mechanisms.names();
    String allowed = "one of " + String.join(", ", names);
    YamlValue value = map.require("mechanism", allowed);
    String name = value.text(allowed);
    if (!names.contains(name)) {
      throw value.mustBe(allowed + "; the nearest is " + NearestName.of(name, names));
    }
    return name;
  }

  private String value(Option option, YamlValue value) throws ConfigException {
    return switch (option.kind()) {
      case WHOLE -> Long.toString(value.whole(option.least(), option.most()));
      case CHOICE -> {
        String word = value.text(option.allowed());
        if (!option.words().contains(word)) {
          throw value.mustBe(option.allowed());
        }
        yield word;
      }
      case COLUMN -> {
        String column = value.text(option.allowed());
        value.make(() -> schema.encodedIndex(column));
        yield column;
      }
    };
  }

  /** What only all sizes together show, at the key that is to blame if there is one. */
  private void checkSizes(YamlMap map, SketchRequest sketch) throws ConfigException {
    StreamRequest request =
        new StreamRequest(
            stream,
            schema,
            budget,
            StreamRequest.ROW,
            expectedRows.orElse(DEFAULT_EXPECTED_ROWS),
            List.of(),
            List.of(sketch));
    try {
      Mechanisms.checkSizes(request, sketch);
    } catch (IllegalArgumentException e) {
      for (String option : sketch.options().keySet()) {
        if (e.getMessage().startsWith(option + " ")) {
          throw map.require(option, "").complaint(e.getMessage());
        }
      }
      throw map.self().complaint(e.getMessage());
    }
  }

  private static double weight(YamlMap map) throws ConfigException {
    String allowed = "a number in (0, 1000000]";
    if (!map.has("weight")) {
      return 1.0;
    }
    YamlValue value = map.require("weight", allowed);
    double weight = value.number(allowed);
    if (!(weight > 0.0 && weight <= 1e6)) {
      throw value.mustBe(allowed);
    }
    return weight;
  }
}

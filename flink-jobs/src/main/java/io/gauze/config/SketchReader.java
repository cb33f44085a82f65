package io.gauze.config;

import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.NoisyMoments;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.Advisor;
import io.gauze.regression.Loss;
import io.gauze.row.NearestName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the {@code sketches} section of a config. */
final class SketchReader {
  /** The name that selects the recommended mechanism. */
  private static final String AUTO = "auto";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,99}");
  private static final int MOST = 100;
  private static final String EXAMPLE = "{name: moments, mechanism: noisy-moments}";

  private final StreamRequest stream;
  private final boolean expectsRows;

  /**
   * Creates a reader for one stream.
   *
   * @param stream the request of the stream, with arbitrary sketches
   * @param expectsRows whether the config gives the expected rows
   */
  SketchReader(StreamRequest stream, boolean expectsRows) {
    this.stream = stream;
    this.expectsRows = expectsRows;
  }

  List<SketchRequest> read(YamlMap top) throws ConfigException {
    String allowed = "a list of at least one sketch, such as " + EXAMPLE;
    List<SketchRequest> sketches = new ArrayList<>();
    Set<String> names = new HashSet<>();
    YamlValue list = top.require("sketches", allowed);
    List<YamlValue> elements = list.list(allowed);
    if (elements.size() > MOST) {
      throw list.error("must be at most " + MOST + " sketches. Provided value: " + elements.size());
    }
    for (YamlValue value : elements) {
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
    if (mechanism.equals(AUTO)) {
      return advised(map);
    }
    List<MechanismOption> options = Mechanisms.options(mechanism);
    List<String> known = new ArrayList<>(List.of("name", "mechanism", "weight"));
    options.forEach(option -> known.add(option.name()));
    map.only(known.toArray(String[]::new));
    String name = name(map);
    Map<String, String> values = new LinkedHashMap<>();
    for (MechanismOption option : options) {
      if (map.has(option.name())) {
        values.put(option.name(), value(option, map.require(option.name(), option.allowed())));
      } else if (option.planned() && !expectsRows) {
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

  private static String name(YamlMap map) throws ConfigException {
    String allowed = "lower-case letters, digits and hyphens, at most 100, starting with a letter";
    return map.require("name", allowed).text(NAME, allowed);
  }

  /** Returns the mechanism with the smallest predicted excess for the whole budget. */
  private SketchRequest advised(YamlMap map) throws ConfigException {
    map.only("name", "mechanism", "weight", "loss");
    if (!expectsRows) {
      throw map.require("mechanism", "")
          .error("auto needs expectedRows, the rows of an epoch, to choose by");
    }
    String allowed = "ridge or lad";
    String loss = map.has("loss") ? map.require("loss", allowed).text(allowed) : "ridge";
    if (!loss.equals("ridge") && !loss.equals("lad")) {
      throw map.require("loss", allowed).mustBe(allowed);
    }
    String name = name(map);
    double weight = weight(map);
    SketchRequest any = new SketchRequest(name, NoisyMoments.NAME, 1.0, Map.of());
    return Advisor.recommended(request(any), loss.equals("lad") ? Loss.ABSOLUTE : Loss.SQUARED)
        .map(advice -> new SketchRequest(name, advice.mechanism(), weight, Map.of()))
        .orElseThrow(
            () ->
                map.self()
                    .error(
                        "finds no mechanism whose fit would be clearly better than a constant; gauze advise says why"
                            + " for each"));
  }

  private static String mechanism(YamlMap map) throws ConfigException {
    List<String> names = Mechanisms.names();
    String allowed = "auto or one of " + String.join(", ", names);
    YamlValue value = map.require("mechanism", allowed);
    String name = value.text(allowed);
    if (!names.contains(name) && !name.equals(AUTO)) {
      List<String> known = new ArrayList<>(names);
      known.add(AUTO);
      throw value.mustBe(allowed + "; the nearest is " + NearestName.of(name, known));
    }
    return name;
  }

  private String value(MechanismOption option, YamlValue value) throws ConfigException {
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
        value.make(() -> stream.schema().encodedIndex(column));
        yield column;
      }
    };
  }

  /**
   * Checks the sizes of a sketch together; an error is at the key that it names, if there is one.
   */
  private void checkSizes(YamlMap map, SketchRequest sketch) throws ConfigException {
    try {
      Mechanisms.checkSizes(request(sketch), sketch);
    } catch (IllegalArgumentException e) {
      for (String option : sketch.options().keySet()) {
        if (e.getMessage().startsWith(option + " ")) {
          throw map.require(option, "").complaint(e.getMessage());
        }
      }
      throw map.self().complaint(e.getMessage());
    }
  }

  private StreamRequest request(SketchRequest sketch) {
    return stream.withSketches(List.of(sketch));
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

package io.gauze.config;

import io.gauze.row.NearestName;
import io.gauze.sketch.CountSketchSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One sketch of the stream.
 *
 * @param name unique; lower case, digits, hyphens
 * @param mechanism what is released
 * @param buckets of a count-sketch, a power of two; empty: planned from the expected rows
 * @param weight its share of the budget relative to the others, above 0
 */
public record SketchSettings(String name, Mechanism mechanism, OptionalInt buckets, double weight) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,99}");
  private static final List<String> LATER =
      List.of(
          "wishart",
          "inverse-wishart",
          "jl",
          "jl-unregularised",
          "multilevel-l1",
          "stratified-moments",
          "functional",
          "histogram",
          "ada-ssp");

  /** What is released. */
  public enum Mechanism {
    /** Second moments with Gaussian noise. */
    NOISY_MOMENTS("noisy-moments"),
    /** A CountSketch with a Gaussian noise row in every bucket. */
    COUNT_SKETCH("count-sketch");

    private final String label;

    Mechanism(String label) {
      this.label = label;
    }

    /** The name in config files and releases. */
    public String label() {
      return label;
    }
  }

  static List<SketchSettings> read(YamlMap top, int dimension) throws ConfigException {
    String allowed =
        "a list of at least one sketch, such as {name: moments, mechanism: noisy-moments}";
    List<SketchSettings> sketches = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlValue value : top.require("sketches", allowed).list(allowed)) {
      YamlMap map = value.map("keys and values such as {name: moments, mechanism: noisy-moments}");
      SketchSettings sketch = read(map, dimension, top.has("expectedRows"));
      if (!names.add(sketch.name())) {
        throw map.require("name", "").mustBe("unique among the sketches");
      }
      sketches.add(sketch);
    }
    return List.copyOf(sketches);
  }

  private static SketchSettings read(YamlMap map, int dimension, boolean rowsKnown)
      throws ConfigException {
    Mechanism mechanism = mechanism(map);
    boolean counts = mechanism == Mechanism.COUNT_SKETCH;
    map.only("name", "mechanism", "weight", "buckets");
    if (!counts && map.has("buckets")) {
      throw map.require("buckets", "")
          .error("means nothing for " + mechanism.label() + "; remove the key");
    }
    String nameAllowed =
        "lower-case letters, digits and hyphens, at most 100, starting with a letter";
    String name = map.require("name", nameAllowed).text(NAME, nameAllowed);
    OptionalInt buckets =
        map.has("buckets") ? OptionalInt.of(buckets(map, dimension)) : OptionalInt.empty();
    if (counts && buckets.isEmpty() && !rowsKnown) {
      throw map.self()
          .error(
              "lacks the key buckets, a power of two in [1, 1048576]; or give expectedRows, from which it is planned");
    }
    return new SketchSettings(name, mechanism, buckets, weight(map));
  }

  private static Mechanism mechanism(YamlMap map) throws ConfigException {
    List<String> labels = Arrays.stream(Mechanism.values()).map(Mechanism::label).toList();
    String allowed = String.join(" or ", labels);
    YamlValue value = map.require("mechanism", allowed);
    String label = value.text(allowed);
    if (labels.contains(label)) {
      return Mechanism.values()[labels.indexOf(label)];
    }
    if (LATER.contains(label)) {
      throw value.notSupported("use " + allowed);
    }
    throw value.mustBe(allowed + "; the nearest is " + NearestName.of(label, labels));
  }

  private static int buckets(YamlMap map, int dimension) throws ConfigException {
    YamlValue value = map.require("buckets", "");
    int buckets = (int) value.whole(1, 1 << 20);
    return value.make(() -> new CountSketchSpec(dimension, buckets, 0)).buckets();
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

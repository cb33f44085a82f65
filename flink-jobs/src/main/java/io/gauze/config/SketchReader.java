package io.gauze.config;

import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.ranges.ColumnRanges;
import io.gauze.message.NearestName;
import io.gauze.regression.Loss;
import io.gauze.regression.advice.Advisor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the sections {@code sketches} and {@code models} of a config. */
final class SketchReader {
  /** The name that selects the recommended mechanism. */
  private static final String AUTO = "auto";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,99}");
  private static final int MOST = 100;
  private static final double LARGEST_WEIGHT = 1e6;

  private static final ConfigKey NAME_KEY =
      ConfigKey.of(
              "name",
              ConfigKey.TEXT,
              "lower-case letters, digits and hyphens, at most 100, a letter first",
              "The name in the ids of its releases. No other sketch or model has it.")
          .required();

  private static final ConfigKey WEIGHT =
      ConfigKey.of(
              "weight",
              ConfigKey.NUMBER,
              "(0, " + (long) LARGEST_WEIGHT + "]",
              "Its share of the budget, against the weights of all sketches and models.")
          .or(1.0);

  static final ConfigSection SKETCH_KEYS = Section.SKETCHES.keys();
  static final ConfigSection MODEL_KEYS = Section.MODELS.keys();

  /**
   * A section, whose elements have mechanisms of one kind.
   *
   * @param one the name of an element in messages
   * @param among what the name of an element must be
   * @param loss the key beside the common ones with the mechanism auto
   */
  private record Section(
      String key,
      String one,
      String example,
      String among,
      List<String> mechanisms,
      ConfigKey loss) {
    private static final Section SKETCHES =
        new Section(
            "sketches",
            "sketch",
            "{name: moments, mechanism: noisy-moments}",
            "unique among the sketches",
            Mechanisms.sketches(),
            ConfigKey.of(
                    "loss",
                    ConfigKey.WORD,
                    "`ridge`, `lad`",
                    "With `auto`: the loss that will be fitted.")
                .or("`ridge`"));
    private static final Section MODELS =
        new Section(
            "models",
            "model",
            "{name: usage, mechanism: huber, response: kwh}",
            "unique among sketches and models",
            Mechanisms.models(),
            ConfigKey.of(
                    "loss",
                    ConfigKey.WORD,
                    "`lad`, `ridge`, `logistic`",
                    "With `auto`: the loss of the model.")
                .requiredWith("with `auto`"));

    /** The keys with the mechanism auto, without options. */
    private ConfigSection keys() {
      ConfigKey mechanism =
          ConfigKey.of(
                  "mechanism",
                  ConfigKey.WORD,
                  "`" + AUTO + "`, `" + String.join("`, `", mechanisms) + "`",
                  "How it is made. `auto` takes the one that `gauze advise` recommends.")
              .required();
      return ConfigSection.of(key, NAME_KEY, mechanism, WEIGHT, loss);
    }

    private List<String> known() {
      return Stream.concat(Stream.of(AUTO), mechanisms.stream()).toList();
    }

    /** What a mechanism of this section must be. */
    private String allowed() {
      return AUTO + " or one of " + String.join(", ", mechanisms);
    }
  }

  private final StreamRequest stream;
  private final boolean expectsRows;
  private final Set<String> names = new HashSet<>();

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

  /**
   * Whether a sketch counts the ranges of columns. It must then be the only one.
   *
   * @param unknown whether there is a column of unknown range
   */
  static boolean countsRanges(YamlMap top, boolean unknown) throws ConfigException {
    if (!top.has(Section.SKETCHES.key)) {
      return false;
    }
    List<YamlValue> sketches =
        top.require(Section.SKETCHES.key, "").list("a list of at least one sketch");
    for (YamlValue sketch : sketches) {
      if (sketch.isMap() && isOfRanges(sketch)) {
        YamlValue mechanism = sketch.map("").require("mechanism", "");
        if (!unknown) {
          throw mechanism.error("ranges needs a column with range: estimate");
        }
        if (sketches.size() > 1 || top.has(Section.MODELS.key)) {
          throw mechanism.error(
              "ranges must be the only sketch of a stream; beside other sketches ranges are counted"
                  + " without it");
        }
        return true;
      }
    }
    return false;
  }

  private static boolean isOfRanges(YamlValue sketch) throws ConfigException {
    Optional<YamlValue> mechanism = sketch.map("").get("mechanism");
    return mechanism.isPresent() && mechanism.get().text("a mechanism").equals(ColumnRanges.NAME);
  }

  /** Returns the sketch that counts ranges. */
  List<SketchRequest> readRanges(YamlMap top) throws ConfigException {
    YamlMap map = top.require(Section.SKETCHES.key, "").list("").get(0).map("");
    only(map, List.of());
    SketchRequest sketch = new SketchRequest(name(map), ColumnRanges.NAME, weight(map), Map.of());
    checkSizes(map, sketch);
    return List.of(sketch);
  }

  /** Returns the sketches, and then the models, of which there must be one. */
  List<SketchRequest> read(YamlMap top) throws ConfigException {
    List<SketchRequest> all = new ArrayList<>();
    if (top.has(Section.SKETCHES.key) || !top.has(Section.MODELS.key)) {
      all.addAll(read(top, Section.SKETCHES));
    }
    if (top.has(Section.MODELS.key)) {
      all.addAll(read(top, Section.MODELS));
    }
    return List.copyOf(all);
  }

  private List<SketchRequest> read(YamlMap top, Section section) throws ConfigException {
    String allowed = "a list of at least one " + section.one + ", such as " + section.example;
    List<SketchRequest> sketches = new ArrayList<>();
    YamlValue list = top.require(section.key, allowed);
    List<YamlValue> elements = list.list(allowed);
    if (elements.size() > MOST) {
      throw list.error(
          "must be at most " + MOST + " " + section.key + ". Provided value: " + elements.size());
    }
    for (YamlValue value : elements) {
      YamlMap map = value.map("keys and values such as " + section.example);
      SketchRequest sketch = sketch(map, section);
      if (!names.add(sketch.name())) {
        throw map.require("name", "").mustBe(section.among);
      }
      checkSizes(map, sketch);
      sketches.add(sketch);
    }
    return sketches;
  }

  private SketchRequest sketch(YamlMap map, Section section) throws ConfigException {
    String mechanism = mechanism(map, section);
    if (mechanism.equals(AUTO)) {
      return section.equals(Section.SKETCHES) ? advised(map) : advisedModel(map);
    }
    List<MechanismOption> options = Mechanisms.options(mechanism);
    only(map, options);
    String name = name(map);
    return new SketchRequest(name, mechanism, weight(map), values(map, options));
  }

  /** Refuses keys that neither each element has nor the options of its mechanism. */
  private static void only(YamlMap map, List<MechanismOption> options) throws ConfigException {
    List<String> common = List.of(NAME_KEY.name(), "mechanism", WEIGHT.name());
    map.only(
        Stream.concat(common.stream(), options.stream().map(MechanismOption::name))
            .toArray(String[]::new));
  }

  private Map<String, String> values(YamlMap map, List<MechanismOption> options)
      throws ConfigException {
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
    return values;
  }

  /** Returns the mechanisms that sketches and models of a config name, right or wrong. */
  static Set<String> named(YamlMap top) {
    return Stream.of(Section.SKETCHES, Section.MODELS)
        .flatMap(section -> top.get(section.key()).stream())
        .flatMap(value -> value.texts("mechanism").stream())
        .collect(Collectors.toSet());
  }

  private static String name(YamlMap map) throws ConfigException {
    String allowed = "lower-case letters, digits and hyphens, at most 100, starting with a letter";
    return map.require("name", allowed).text(NAME, allowed);
  }

  /** Returns the mechanism with the smallest predicted excess for the whole budget. */
  private SketchRequest advised(YamlMap map) throws ConfigException {
    map.only(SKETCH_KEYS);
    Map<String, Loss> losses = Map.of("ridge", Loss.SQUARED, "lad", Loss.ABSOLUTE);
    Loss loss = map.has("loss") ? loss(map, losses, "ridge or lad") : Loss.SQUARED;
    StreamRequest any = any(map);
    try {
      return chosen(map, Map.of(), Advisor.recommended(any, loss));
    } catch (IllegalArgumentException e) {
      throw map.self().complaint(e.getMessage());
    }
  }

  /** Returns the model with the smallest predicted excess for the whole budget. */
  private SketchRequest advisedModel(YamlMap map) throws ConfigException {
    List<MechanismOption> options = ModelColumns.OPTIONS;
    map.only(
        Stream.concat(Stream.of(MODEL_KEYS.names()), options.stream().map(MechanismOption::name))
            .toArray(String[]::new));
    Map<String, Loss> losses =
        Map.of("lad", Loss.ABSOLUTE, "ridge", Loss.SQUARED, "logistic", Loss.LOGISTIC);
    Loss loss = loss(map, losses, "lad, ridge or logistic");
    Map<String, String> values = values(map, options);
    StreamRequest any = any(map);
    SketchRequest columns = new SketchRequest(name(map), DescentModel.HUBER, 1.0, values);
    try {
      ModelColumns.of(any.schema(), columns);
      return chosen(map, values, Advisor.bestModel(any, loss, values));
    } catch (IllegalArgumentException e) {
      throw blame(map, columns, e.getMessage());
    }
  }

  private static Loss loss(YamlMap map, Map<String, Loss> losses, String allowed)
      throws ConfigException {
    YamlValue value = map.require("loss", allowed);
    Loss loss = losses.get(value.text(allowed));
    if (loss == null) {
      throw value.mustBe(allowed);
    }
    return loss;
  }

  /** Returns the request that advice is given on. */
  private StreamRequest any(YamlMap map) throws ConfigException {
    if (!expectsRows) {
      throw map.require("mechanism", "")
          .error("auto needs expectedRows, the rows of an epoch, to choose by");
    }
    return request(new SketchRequest(name(map), NoisyMoments.NAME, 1.0, Map.of()));
  }

  private static SketchRequest chosen(
      YamlMap map, Map<String, String> options, Optional<Advisor.Advice> best)
      throws ConfigException {
    String mechanism =
        best.orElseThrow(
                () ->
                    map.self()
                        .error(
                            "finds no mechanism whose fit would be clearly better than a constant;"
                                + " gauze advise says why for each"))
            .mechanism();
    return new SketchRequest(name(map), mechanism, weight(map), options);
  }

  private static String mechanism(YamlMap map, Section section) throws ConfigException {
    YamlValue value = map.require("mechanism", section.allowed());
    String name = value.text(section.allowed());
    if (section.known().contains(name)) {
      return name;
    }
    for (Section other : List.of(Section.SKETCHES, Section.MODELS)) {
      if (other.mechanisms.contains(name)) {
        throw value.mustBe(
            section.allowed()
                + "; "
                + name
                + " makes "
                + other.key
                + ", which have a section of that name");
      }
    }
    throw value.mustBe(section.allowed() + NearestName.hint(name, section.known()));
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
      case NUMBER -> {
        double number = value.number(option.allowed());
        if (!(number >= option.lower() && number <= option.upper())) {
          throw value.mustBe(option.allowed());
        }
        yield Double.toString(number);
      }
      case COLUMNS -> {
        List<String> columns = new ArrayList<>();
        for (YamlValue each : value.list(option.allowed())) {
          columns.add(plain(column(each, option), each));
        }
        yield String.join(",", columns);
      }
      case COLUMN -> column(value, option);
    };
  }

  /** Returns a name that can stand in a list with commas. */
  private static String plain(String column, YamlValue value) throws ConfigException {
    if (column.contains(",") || !column.strip().equals(column)) {
      throw value.mustBe("a name without commas and without blanks at its ends");
    }
    return column;
  }

  private String column(YamlValue value, MechanismOption option) throws ConfigException {
    String column = value.text(option.allowed());
    value.make(() -> stream.schema().encodedIndex(column));
    return column;
  }

  /**
   * Checks the sizes of a sketch together; an error is at the key that it names, if there is one.
   */
  private void checkSizes(YamlMap map, SketchRequest sketch) throws ConfigException {
    try {
      Mechanisms.checkSizes(request(sketch), sketch);
    } catch (IllegalArgumentException e) {
      throw blame(map, sketch, e.getMessage());
    }
  }

  /** Returns the error at the option with which the message begins, if there is one. */
  private static ConfigException blame(YamlMap map, SketchRequest sketch, String problem)
      throws ConfigException {
    for (String option : sketch.options().keySet()) {
      if (problem.startsWith(option + " ")) {
        return map.require(option, "").complaint(problem);
      }
    }
    return map.self().complaint(problem);
  }

  private StreamRequest request(SketchRequest sketch) {
    return stream.withSketches(List.of(sketch));
  }

  private static double weight(YamlMap map) throws ConfigException {
    String allowed = "a number in " + WEIGHT.allowed();
    if (!map.has("weight")) {
      return 1.0;
    }
    YamlValue value = map.require("weight", allowed);
    double weight = value.number(allowed);
    if (!(weight > 0.0 && weight <= LARGEST_WEIGHT)) {
      throw value.mustBe(allowed);
    }
    return weight;
  }
}

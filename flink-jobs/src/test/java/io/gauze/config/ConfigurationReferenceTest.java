package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gauze.mechanism.Mechanisms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of the keys have every key that the reader knows, and no other, with its range. */
class ConfigurationReferenceTest {
  private static final Pattern KNOWN = Pattern.compile("and it may have (.*)");
  private static final Pattern RANGE = Pattern.compile("[\\[(][-\\w.]+, [-\\w.]+[\\])]");

  private static final String BASE =
      """
      stream: meters
      columns: [{name: a, lower: 0, upper: 1}]
      privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
      epochs: {length: PT1H}
      expectedRows: 1000
      sketches: [{name: s, mechanism: noisy-moments}]
      """;

  /** A part of a config, and configs with an unknown key in that part. */
  private static Map<String, List<String>> sections() {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    sections.put("", List.of(BASE + "zzz: 1\n"));
    sections.put("columns", List.of(with("upper: 1}", "upper: 1, zzz: 1}")));
    sections.put("privacy", List.of(privacy("zzz: 1")));
    sections.put("privacy.unit", List.of(privacy("unit: {user: u, rowsPerEpoch: 1, zzz: 1}")));
    sections.put(
        "privacy.totalBudget", List.of(privacy("totalBudget: {epsilon: 2, delta: 1e-6, zzz: 1}")));
    sections.put("epochs", List.of(with("length: PT1H}", "length: PT1H, zzz: 1}")));
    sections.put(
        "epochs.time", List.of(with("length: PT1H}", "length: PT1H, time: {field: t, zzz: 1}}")));
    sections.put("groups", List.of(BASE + "groups: {field: g, values: [x], zzz: 1}\n"));
    sections.put(
        "sketches",
        Stream.concat(Stream.of("auto"), Mechanisms.sketches().stream())
            .map(name -> with("noisy-moments}", name + ", zzz: 1}"))
            .toList());
    sections.put(
        "models",
        Stream.concat(Stream.of("auto"), Mechanisms.models().stream())
            .map(name -> BASE + "models:\n  - {name: m, mechanism: " + name + ", zzz: 1}\n")
            .toList());
    sections.put("kafka", List.of(kafka("zzz: 1")));
    sections.put(
        "kafka.releases",
        Stream.of("releases", "ledger", "requests", "answers", "deadLetters", "late")
            .map(topic -> kafka(topic + ": {topic: x, zzz: 1}"))
            .toList());
    sections.put("kafka.create", List.of(kafka("create: {partitions: 1, replicas: 1, zzz: 1}")));
    sections.put("kafka.rows", List.of(kafka("rows: {topic: r, zzz: 1}")));
    sections.put("kafka.rows.key", List.of(kafka("rows: {key: {field: a, zzz: 1}}")));
    sections.put("kafka.rows.deletion", List.of(kafka("rows: {deletion: {field: a, zzz: 1}}")));
    sections.put(
        "kafka.rows.registry",
        List.of(kafka("rows: {format: avro-confluent, registry: {url: 'http://r', zzz: 1}}")));
    sections.put("flink", List.of(BASE + "flink: {properties: {}, zzz: 1}\n"));
    return sections;
  }

  private static String with(String old, String now) {
    assertThat(BASE).contains(old);
    return BASE.replace(old, now);
  }

  private static String privacy(String more) {
    return with("replace-one}", "replace-one, " + more + "}");
  }

  private static String kafka(String more) {
    return BASE + "kafka: {" + more + "}\n";
  }

  private static Stream<String> paths() {
    return sections().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("paths")
  void listsTheKeysThatTheReaderKnows(String path) {
    Set<String> known = new TreeSet<>();
    for (String config : sections().get(path)) {
      known.addAll(known(config));
    }
    assertThat(listed(path)).containsExactlyInAnyOrderElementsOf(known);
  }

  private static Set<String> listed(String path) {
    Set<String> listed = new TreeSet<>(List.of(ConfigTables.sections().get(path).names()));
    List<String> mechanisms =
        switch (path) {
          case "sketches" -> Mechanisms.sketches();
          case "models" -> Mechanisms.models();
          default -> List.of();
        };
    for (String mechanism : mechanisms) {
      Mechanisms.options(mechanism).forEach(option -> listed.add(option.name()));
    }
    return listed;
  }

  @Test
  void everyTableBelongsToAPartOfTheConfig() {
    assertThat(ConfigTables.sections().keySet()).isEqualTo(sections().keySet());
  }

  /** Keys with a range that the templates above do not have already. */
  private static Stream<Arguments> ranges() {
    return ConfigTables.sections().values().stream()
        .flatMap(
            section ->
                section.keys().stream()
                    .filter(key -> RANGE.matcher(key.allowed()).find())
                    .map(key -> beyond(section, key)));
  }

  private static Arguments beyond(ConfigSection section, ConfigKey key) {
    Matcher range = RANGE.matcher(key.allowed());
    assertThat(range.find()).isTrue();
    String value = key.type().startsWith(ConfigKey.DURATION) ? "P999999D" : "99999999999999";
    List<String> configs = sections().get(section.path());
    String template = needed(configs.get(configs.size() > 1 ? 1 : 0), key.name()); // no auto
    String other = Pattern.quote(key.name()) + ": [^,}\n]+";
    String config =
        Pattern.compile(other).matcher(template).find()
            ? template.replaceFirst(other, key.name() + ": " + value).replace(", zzz: 1", "")
            : template.replace("zzz: 1", key.name() + ": " + value);
    return arguments(key.name(), config.replace("zzz: 1\n", ""), range.group());
  }

  /** Returns a config in which a key means something. */
  private static String needed(String template, String key) {
    return switch (key) {
      case "snapshots" -> template.replace("replace-one}", "replace-one, unit: key}");
      case "allowedLateness", "maxClockSkew" -> template.replace("zzz: 1", "time: t, zzz: 1");
      case "rangeShare" -> template.replace("lower: 0, upper: 1", "range: estimate");
      default -> template;
    };
  }

  @ParameterizedTest(name = "{0} in {2}")
  @MethodSource("ranges")
  void aValueBeyondItsRangeIsRefusedWithTheRange(String key, String config, String range) {
    ConfigException error =
        catchThrowableOfType(
            ConfigException.class, () -> StreamConfig.parse("meters.yaml", config));
    assertThat(error).as(config).isNotNull();
    assertThat(error.getMessage().replaceAll("\\.0\\b", "")).contains(key, range);
  }

  private static Stream<Arguments> oldKeys() {
    return Stream.of(
        arguments(privacy("intrusions: 1"), "intrusions", "checkpointLeaks"),
        arguments(privacy("lifetime: {epsilon: 2, delta: 1e-6}"), "lifetime", "totalBudget"),
        arguments(with("PT1H}", "PT1H, grace: PT1S}"), "grace", "sealDelay"),
        arguments(with("PT1H}", "PT1H, lateness: PT1S}"), "lateness", "allowedLateness"),
        arguments(with("PT1H}", "PT1H, ahead: PT1S}"), "ahead", "maxClockSkew"),
        arguments(BASE + "groups: {column: g, values: [x]}\n", "column", "field"),
        arguments(with("noisy-moments}", "wishart, degrees: 9}"), "degrees", "degreesOfFreedom"),
        arguments(with("noisy-moments}", "multilevel-l1, copies: 2}"), "copies", "level0Buckets"),
        arguments(with("noisy-moments}", "multilevel-l1, base: 2}"), "base", "samplingBase"),
        arguments(with("noisy-moments}", "stratified-moments, by: a}"), "by", "stratifyBy"),
        arguments(with("noisy-moments}", "jl, from: moments}"), "from", "state"));
  }

  @ParameterizedTest
  @MethodSource("oldKeys")
  void anOldKeyIsAnErrorThatNamesTheNewOne(String config, String old, String now) {
    assertThatThrownBy(() -> StreamConfig.parse("meters.yaml", config))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("has no key " + old + "; it is called " + now + " now, and it may");
  }

  /** What the reader's own complaint of an unknown key says that it knows. */
  private static List<String> known(String config) {
    ConfigException error =
        catchThrowableOfType(
            ConfigException.class, () -> StreamConfig.parse("meters.yaml", config));
    Matcher known = KNOWN.matcher(error.getMessage());
    assertThat(known.find()).as(error.getMessage()).isTrue();
    return List.of(known.group(1).split(", "));
  }
}

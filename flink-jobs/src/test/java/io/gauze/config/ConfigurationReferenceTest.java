package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.gauze.mechanism.Mechanisms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

/** The reference of the config lists every key that the reader knows, and no other. */
class ConfigurationReferenceTest {
  private static final Path REFERENCE = Path.of("..", "docs", "configuration.md");
  private static final Pattern KNOWN = Pattern.compile("and it may have (.*)");
  private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\|.*");

  private static final String BASE =
      """
      stream: meters
      columns: [{name: a, lower: 0, upper: 1}]
      privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
      epochs: {length: PT1H}
      expectedRows: 1000
      sketches: [{name: s, mechanism: noisy-moments}]
      """;

  /** A heading of the reference, and configs with an unknown key in that part. */
  private static Map<String, List<String>> sections() {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    sections.put("The stream", List.of(BASE + "zzz: 1\n"));
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

  private static Stream<String> headings() {
    return sections().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("headings")
  void listsTheKeysThatTheReaderKnows(String heading) throws IOException {
    Set<String> known = new TreeSet<>();
    for (String config : sections().get(heading)) {
      known.addAll(known(config));
    }
    assertThat(listed().get(heading)).containsExactlyInAnyOrderElementsOf(known);
  }

  @Test
  void everyTableBelongsToAPartOfTheConfig() throws IOException {
    assertThat(listed().keySet()).isEqualTo(sections().keySet());
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

  private static Map<String, Set<String>> listed() throws IOException {
    Map<String, Set<String>> keys = new LinkedHashMap<>();
    String heading = "";
    for (String line : Files.readAllLines(REFERENCE)) {
      Matcher row = ROW.matcher(line);
      if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ ", "");
      } else if (row.matches()) {
        assertThat(keys.computeIfAbsent(heading, none -> new LinkedHashSet<>()).add(row.group(1)))
            .as("%s is listed once in %s", row.group(1), heading)
            .isTrue();
      }
    }
    return keys;
  }
}

package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.job.SketchJob;
import io.gauze.testing.MarkdownPage;
import io.gauze.testing.PrintedCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages for operators name is there: topics, keys, settings, files, words of scripts. */
final class OperationsPagesTest {
  private static final Pattern SERVICE_METRIC = Pattern.compile("\"(gauze_\\w+)\"");
  private static final Pattern CONFIG_KEY = Pattern.compile("(epochs|privacy|kafka)\\.([\\w.]+)");
  private static final Pattern FLINK_KEY =
      Pattern.compile(
          "(?:execution|heartbeat|high-availability|metrics|parallelism|rest(?=\\.[ap])|restart-strategy"
              + "|security\\.ssl|state|taskmanager|gauze\\.models)\\.[\\w.-]+");
  private static final Pattern FILE =
      Pattern.compile("(?:docker|cluster|examples)/[\\w./-]*|gauze-cluster.jar");

  /** Made by the program, so not in a clone. */
  private static final Pattern MADE = Pattern.compile("docker/secrets/.*|.*/target/.*");

  private static final Map<String, Map<String, String>> PARTS =
      Map.of(
          "epochs", Map.of("length", "PT1H"),
          "privacy", Map.of("epsilon", "1", "delta", "1e-6", "neighbours", "replace-one"),
          "kafka", Map.of());

  private static Set<String> codes() throws IOException {
    Set<String> codes = new TreeSet<>();
    for (MarkdownPage page : MarkdownPage.ofOperations()) {
      codes.addAll(MarkdownPage.codes(page.text()));
    }
    return codes;
  }

  /** Keys with a value, such as {@code epochs.length: all}, without it. */
  private static List<String> keys(Pattern pattern) throws IOException {
    return codes().stream()
        .map(code -> code.replaceFirst("[:=].*", ""))
        .filter(code -> pattern.matcher(code).matches())
        .distinct()
        .toList();
  }

  @Test
  void thereAreFivePages() throws IOException {
    assertThat(MarkdownPage.ofOperations().stream().map(MarkdownPage::file))
        .map(file -> file.replaceFirst(".*/", ""))
        .containsExactly("deploy.md", "monitor.md", "runbook.md", "security.md", "upgrade.md");
  }

  @Test
  void topicsAreThoseOfTheProgram() throws Exception {
    StreamConfig config = StreamConfig.parse("x.yaml", config("kafka", Map.of()));
    List<String> listed = new ArrayList<>();
    for (List<String> cells : MarkdownPage.ofOperations("deploy").section("Topics").rows()) {
      listed.addAll(MarkdownPage.codes(cells.get(0)));
    }
    var topics = config.kafka().topics();
    assertThat(listed)
        .containsExactlyInAnyOrder(
            topics.rows(),
            topics.releases(),
            topics.ledger(),
            topics.requests(),
            topics.answers(),
            topics.deadLetters(),
            topics.late());
  }

  @Test
  void theServiceHasTheMetricsOfThePage() throws IOException {
    Set<String> measured = new TreeSet<>();
    try (Stream<Path> files =
        Files.walk(PrintedCommands.ROOT.resolve("service/src/main/java/io/gauze/http"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        measured.addAll(found(SERVICE_METRIC, Files.readString(file)));
      }
    }
    Set<String> described = new TreeSet<>();
    for (List<String> cells : MarkdownPage.ofOperations("monitor").section("HTTP service").rows()) {
      described.addAll(MarkdownPage.codes(cells.get(0)));
    }
    assertThat(measured).hasSizeGreaterThan(8);
    assertThat(described).isEqualTo(measured);
  }

  @Test
  void keysOfTheConfigAreThere() throws Exception {
    List<String> keys = keys(CONFIG_KEY);
    assertThat(keys).hasSizeGreaterThan(10);
    for (String key : keys) {
      assertThat(isKnown(key)).as(key).isTrue();
    }
    assertThat(isKnown("epochs.lengths")).isFalse();
    assertThat(isKnown("kafka.rows.formats")).isFalse();
  }

  /** The reader refuses a key that it does not know before it looks at the value. */
  private static boolean isKnown(String key) {
    String[] steps = key.split("\\.", 2);
    String[] inner = steps[1].split("\\.", -1);
    String value = "zzz";
    for (int i = inner.length - 1; i > 0; i--) {
      value = "{" + inner[i] + ": " + value + "}";
    }
    Map<String, String> part = new LinkedHashMap<>(PARTS.get(steps[0]));
    part.put(inner[0], value);
    try {
      StreamConfig.parse("x.yaml", config(steps[0], part));
      return true;
    } catch (ConfigException e) {
      return !e.getMessage().contains("has no key");
    }
  }

  private static String config(String part, Map<String, String> changed) {
    StringBuilder yaml =
        new StringBuilder(
            """
            stream: meters
            columns: [{name: a, lower: 0, upper: 1}]
            expectedRows: 1000
            sketches: [{name: s, mechanism: noisy-moments}]
            """);
    Map<String, Map<String, String>> parts = new LinkedHashMap<>(PARTS);
    parts.put(part, changed);
    parts.forEach(
        (name, entries) ->
            yaml.append(name)
                .append(": ")
                .append(
                    entries.entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}\n"))));
    return yaml.toString();
  }

  @Test
  void keysOfFlinkAreThere() throws IOException {
    List<String> keys = new ArrayList<>(keys(FLINK_KEY));
    assertThat(keys).hasSizeGreaterThan(15).isSubsetOf(UnknownKeys.ofFlink());
  }

  /** Each setting that the job refuses is listed, with the value that it must have. */
  @Test
  void refusedSettingsAreThoseOfThePage() throws IOException {
    String section = MarkdownPage.ofOperations("deploy").section("Flink's settings").text();
    Map<String, String> listed = new LinkedHashMap<>();
    for (String line : section.lines().filter(each -> each.startsWith("- `")).toList()) {
      String[] entry = MarkdownPage.codes(line).get(0).split(": ", 2);
      listed.put(entry[0], entry.length == 1 ? "1 s" : entry[1]);
    }
    assertThat(listed).hasSize(checksOfTheJob());
    SketchJob.configuration(Configuration.fromMap(listed));
    listed.forEach(
        (key, value) -> {
          Map<String, String> other = Map.of(key, wrong(value));
          assertThatThrownBy(() -> SketchJob.configuration(Configuration.fromMap(other)))
              .isInstanceOf(IllegalArgumentException.class)
              .hasMessageStartingWith(key + " must be ");
        });
  }

  private static String wrong(String value) {
    return Map.of(
            "STREAMING", "BATCH",
            "EXACTLY_ONCE", "AT_LEAST_ONCE",
            "hashmap", "rocksdb",
            "1 s", "0 s",
            "true", "false",
            "false", "true")
        .get(value);
  }

  private static int checksOfTheJob() throws IOException {
    String guard = Files.readString(Path.of("src/main/java/io/gauze/pipeline/ProtocolGuard.java"));
    String checks = guard.substring(0, guard.indexOf("private static void require("));
    return checks.split("\\brequire\\(", -1).length - 1;
  }

  @Test
  void filesAreThere() throws IOException {
    for (String file : keys(FILE)) {
      boolean made = MADE.matcher(file).matches() || file.equals("gauze-cluster.jar");
      assertThat(made || Files.exists(PrintedCommands.ROOT.resolve(file))).as(file).isTrue();
    }
    assertThat(keys(FILE)).contains("docker/compose.yaml", "docker/kubernetes/gauze.yaml");
  }

  /** Verbs and options of the scripts, in code and in blocks. */
  @ParameterizedTest
  @CsvSource({"docker/up,docker/up", "cluster/gauze-cluster,(?:cluster/)?gauze-cluster"})
  void wordsOfScriptsAreInTheirHelp(String script, String called) throws IOException {
    String help =
        Files.readString(PrintedCommands.ROOT.resolve(script))
            .replaceFirst("(?s).*?<<'END'\\n", "")
            .replaceFirst("(?s)\\nEND\\n.*", "");
    Pattern words =
        Pattern.compile(
            "(?m)(?<![\\w/-])" + called + " (-{0,2}[a-z][a-z-]*(?: --[a-z-]+)*)(?=[ `,.;:)\n]|$)");
    Set<String> used = new TreeSet<>();
    for (MarkdownPage page : MarkdownPage.ofOperations()) {
      String codes =
          String.join("\n", MarkdownPage.codes(page.text()))
              + page.text()
                  .lines()
                  .filter(line -> line.startsWith("    "))
                  .collect(Collectors.joining("\n"));
      found(words, codes).forEach(each -> used.addAll(List.of(each.split(" "))));
    }
    used.remove("--help");
    assertThat(used).isNotEmpty();
    for (String word : used) {
      assertThat(help).as(script).containsPattern("(?<![\\w-])" + word + "(?![\\w-])");
    }
  }

  private static Set<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult each) -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

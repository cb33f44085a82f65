package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The benchmarks that pages print are there, and run to their end with their least sizes. */
@Execution(ExecutionMode.CONCURRENT) // they are processes, of which each waits for its jobs
final class PrintedBenchmarksTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern PRINTED = Pattern.compile("(?<![\\w/])benchmarks/([a-z]+)(?= |`|$)");
  private static final Pattern MAIN = Pattern.compile("io\\.gauze\\.benchmarks\\.[\\w.]+");
  private static final Pattern RUN = Pattern.compile("(?m)^run (\\w+)");

  /**
   * The least sizes. {@code TablesTest} and {@code FigureTest} run {@code accuracy} and {@code
   * papers}, which need the reference data. {@code tracks}, {@code models}, {@code rereading},
   * {@code soak}, {@code throughput}, {@code profile} and {@code peers} take minutes with any size;
   * of these, {@code serve} and {@code run} only the programs are looked for.
   */
  private static final Map<String, List<String>> LEAST =
      Map.of(
          "publishing", List.of("1"),
          "wide", List.of("1000", "100", "20"),
          "releases", List.of("1000"),
          "ledger", List.of("20", "2"),
          "solver", List.of("1", "0", "lad"),
          "checkpoints", List.of("5", "10"),
          "cells", List.of("3", "1", "2", "2", "5"));

  private static final Set<String> ELSEWHERE =
      Set.of(
          "accuracy",
          "papers",
          "tracks",
          "models",
          "rereading",
          "soak",
          "throughput",
          "profile",
          "peers",
          "serve",
          "run");

  @TempDir private Path folder;

  private static Set<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(""))) {
      return files
          .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Set<String> printed() throws IOException {
    List<Path> pages = new ArrayList<>();
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("CONTRIBUTING.md"));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    Set<String> names = new TreeSet<>();
    for (Path page : pages) {
      Files.readString(page)
          .lines()
          .map(PRINTED::matcher)
          .flatMap(Matcher::results)
          .map((MatchResult found) -> found.group(1))
          .forEach(names::add);
    }
    return names;
  }

  @Test
  void eachIsPrintedAndRunByATest() throws IOException {
    assertThat(printed()).isEqualTo(scripts());
    Set<String> run = new TreeSet<>(LEAST.keySet());
    run.addAll(ELSEWHERE);
    assertThat(run).isEqualTo(scripts());
  }

  private static Stream<String> allScripts() throws IOException {
    return scripts().stream();
  }

  private static List<String> programs(String script) throws IOException {
    String text = Files.readString(Path.of(script));
    return Stream.concat(
            MAIN.matcher(text).results().map(MatchResult::group),
            RUN.matcher(text).results().map(found -> "io.gauze.benchmarks." + found.group(1)))
        .filter(name -> !name.endsWith("."))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("allScripts")
  void aScriptStartsProgramsThatAreThere(String script) throws Exception {
    assertThat(programs(script)).isNotEmpty();
    for (String program : programs(script)) {
      assertThat(Class.forName(program).getMethod("main", String[].class)).isNotNull();
    }
  }

  private static Stream<String> least() {
    return LEAST.keySet().stream().sorted();
  }

  @EnabledIfSystemProperty(
      named = "gauze.thorough",
      matches = "true",
      disabledReason = "long: -Pthorough runs it")
  @ParameterizedTest
  @MethodSource("least")
  void aBenchmarkRunsToItsEnd(String script) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // With the least sizes, starting is most of it.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Xmx1500m", "-Djava.io.tmpdir=" + folder));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), programs(script).get(0)));
    command.addAll(LEAST.get(script));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as(Files.readString(err)).isTrue();
      assertThat(process.exitValue()).as(Files.readString(err)).isZero();
      assertThat(Files.readAllLines(out)).anyMatch(line -> line.startsWith("|"));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}

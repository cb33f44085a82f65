package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.Main;
import io.gauze.mechanism.Mechanisms;
import io.gauze.release.Release;
import io.gauze.testing.ShellWords;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The demo as a user runs it, with fewer rows. */
public final class DemoIT {
  private static final int ROWS = 50_000;

  @TempDir private Path folder;

  @Test
  void theFitsOnTheReleasesAgreeWithTheNonPrivateFit() throws Exception {
    Outcome outcome =
        run(
            "demo",
            "--rows",
            Integer.toString(ROWS),
            "--epsilon",
            "4", // at 1 the excess is above its bound in one of 900 runs
            "--all",
            "--format",
            "json",
            "--out",
            folder.toString());
    assertThat(outcome.err()).contains("sketching 50,000 rows").doesNotContain("replacing");
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(0);
    JsonNode result = JsonMapper.builder().build().readTree(outcome.out());
    assertThat(result.get("rows").asInt()).isEqualTo(ROWS);
    assertThat(result.get("truth").get("occupants").asDouble()).isEqualTo(0.15);
    JsonNode plain = result.get("fits").get(0);
    JsonNode moments = result.get("fits").get(1);
    assertThat(plain.get("source").asText()).isEqualTo("non-private");
    assertThat(moments.get("source").asText()).isEqualTo("moments");
    plain
        .get("coefficients")
        .properties()
        .forEach(
            each ->
                assertThat(moments.get("coefficients").get(each.getKey()).asDouble())
                    .as(each.getKey())
                    .isCloseTo(
                        each.getValue().asDouble(),
                        within(5 * moments.get("standardErrors").get(each.getKey()).asDouble())));
    assertThat(moments.get("excessRmse").asDouble()).isBetween(0.0, 0.05);
    assertThat(result.get("alternatives").findValuesAsText("source"))
        .containsExactlyElementsOf(Mechanisms.names());
    JsonNode alone = result.get("alternatives").get(0);
    assertThat(alone.get("source").asText()).isEqualTo("noisy-moments");
    assertThat(alone.get("loss").asText()).isEqualTo("ridge");
    assertThat(alone.get("excessRmse").asDouble()).isBetween(0.0, 0.05);
    assertThat(alone.get("guarantee").asText()).contains("epsilon 4.0");
    for (JsonNode file : result.get("releases")) {
      Release release = Release.fromBytes(Files.readAllBytes(Path.of(file.asText())));
      assertThat(release.guarantee().isPrivate()).isTrue();
    }
  }

  @Test
  void aCsvFileOfTheUsersOwn() throws Exception {
    Path csv = folder.resolve("own.csv");
    List<String> lines = new ArrayList<>(List.of("x;kind;y"));
    for (int i = 0; i < 2000; i++) {
      lines.add(
          (i % 100) / 100.0 + ";" + (i % 3 == 0 ? "a" : "b") + ";" + (0.5 + (i % 100) / 200.0));
    }
    lines.add("1.5;c;0.5");
    Files.write(csv, lines);
    Path config = folder.resolve("own.yaml");
    Files.writeString(
        config,
        """
        stream: own
        columns:
          - {name: x, lower: 0, upper: 1}
          - {name: kind, categories: [a, b]}
          - {name: y, lower: 0, upper: 1}
        intercept: 0.5
        privacy: {epsilon: 5, delta: 1.0e-6, neighbours: add-remove}
        epochs: {length: PT1H}
        sketches:
          - {name: moments, mechanism: noisy-moments}
        """);
    Path report = folder.resolve("report.html");
    Path earlier = Files.createDirectory(folder.resolve("releases")).resolve("moments.avro");
    Files.writeString(earlier, "of an earlier demo");
    Outcome outcome =
        run(
            "demo",
            "--csv",
            csv.toString(),
            "--config",
            config.toString(),
            "--all",
            "--out",
            folder.resolve("releases").toString(),
            "--report",
            report.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(0);
    assertThat(outcome.out())
        .contains(
            "Every mechanism on these rows, each with the whole budget: alternatives",
            "kind=b",
            "(dead letters): 1",
            "2,001 rows",
            "Differentially private with epsilon 5.0",
            "That costs no privacy (0 epsilon):");
    assertThat(outcome.err())
        .contains("replacing the releases of an earlier demo in " + earlier.getParent());
    assertThat(Files.readString(report))
        .contains("<h1>What explains y</h1>", "kind=b", "<svg ", "demo --csv " + csv)
        .doesNotContain("<script");
    List<String> commands =
        outcome
            .out()
            .lines()
            .map(String::strip)
            .filter(line -> line.startsWith("./gauze"))
            .toList();
    assertThat(commands).hasSize(3);
    for (String command : commands) {
      Outcome fit = run(ShellWords.of(command.replaceFirst("./gauze ", "")));
      assertThat(fit.status()).as(command + "\n" + fit.err()).isEqualTo(0);
      assertThat(fit.err().contains("report written to ")).isEqualTo(command.contains("--report"));
    }
    assertThat(folder.resolve("releases").resolve("report.html")).exists();
  }

  @Test
  void theReleasesOfSeveralSitesAreAddedUp() throws Exception {
    Path out = folder.resolve("sites");
    Outcome outcome =
        run(
            "demo",
            "--sites",
            "3",
            "--rows",
            "30000",
            "--epsilon",
            "4",
            "--format",
            "json",
            "--out",
            out.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(0);
    JsonNode result = JsonMapper.builder().build().readTree(outcome.out());
    assertThat(result.get("fits").findValuesAsText("source"))
        .containsExactly("non-private", "site-1", "site-2", "site-3", "all sites");
    JsonNode all = result.get("fits").get(4);
    assertThat(all.get("guarantee").asText())
        .contains("Stream site-3: ", "the costs add up to epsilon 12.0");
    List<String> files =
        List.of("site-1", "site-2", "site-3").stream()
            .map(site -> out.resolve(site).resolve("moments.avro").toString())
            .toList();
    assertThat(result.get("releases").valueStream().map(JsonNode::asText))
        .containsExactlyElementsOf(files);
    String merged = String.join(",", files);
    Outcome fit = run("fit", "--release", merged, "--response", "kwh", "--format", "json");
    JsonNode answer = JsonMapper.builder().build().readTree(fit.out());
    assertThat(all.get("coefficients")).isEqualTo(answer.get("coefficients"));
    assertThat(result.get("next").get(0).asText()).contains("--release " + merged);
  }

  @Test
  void wrongUsageSaysWhatIsMissing() {
    assertThat(run("demo", "--csv", "rows.csv").err()).contains("--csv and --config go together");
    assertThat(run("demo", "--csv", "rows.csv").status()).isEqualTo(2);
    assertThat(run("demo", "--report", "demo.txt").err()).contains("ends with .html or .svg");
    assertThat(run("demo", "--rows", "0").err()).contains("--rows must be in");
    assertThat(run("demo", "--sites", "6").err()).contains("--sites must be in [1, 5]");
    assertThat(run("demo", "--sites", "2", "--all").err()).contains("leave out --sites");
    assertThat(run("demo", "--epsilon", "-1").err()).contains("epsilon must be", "-1");
    assertThat(run("demo", "--response", "kw").err()).contains("kwh");
  }

  public record Outcome(int status, String out, String err) {}

  public static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int status = command.execute(arguments);
    return new Outcome(status, out.toString(), err.toString());
  }
}

package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.cli.release.ReleaseFiles;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.ReleaseId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** What is refused of a file of rows or of a fit, and advice before there are sketches. */
final class SketchFitErrorsTest extends SketchFitCase {
  @Test
  void whatCannotBeReadTwiceIsRefused() throws IOException {
    writeResidualStrata();
    DemoIT.Outcome outcome = sketch("-");
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--csv must be a file for residual-strata", "Provided value: -");
    assertThat(sketch("/dev/null").err()).contains("pipes are read once. Provided value: /dev/nu");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  /** Columns can be selected in one reading, too, and the message says how. */
  @Test
  void columnsOfAPipeAreSelectedInOneReading() throws IOException {
    writeSelection("");
    assertThat(sketch("/dev/null").err())
        .contains(
            "--csv must be a file for select-fit",
            "pipes are read once (select-fit with readings: 1, too). Provided value: /dev/null");
    writeSelection(", readings: 1");
    assertThat(sketch("/dev/null").err()).doesNotContain("readings: 1");
    writeSelection(", readings: 3");
    assertThat(sketch(csv.toString()).err())
        .contains("readings must be a whole number in [1, 2]", "Provided value: 3");
  }

  @Test
  void whatIsWrongWithASketchIsSaid() throws IOException {
    DemoIT.Outcome missing = sketch("no-such.csv");
    assertThat(missing.status()).isEqualTo(2);
    assertThat(missing.err()).contains("--csv must be a file that can be read", "no-such.csv");
    Path other = Files.writeString(folder.resolve("other.csv"), "a,b\n1,2\n");
    assertThat(sketch(other.toString()).status()).isEqualTo(2);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zipped = new GZIPOutputStream(bytes)) {
      zipped.write("x1,x2,kind,y\n0.1,0.2,a,0.3\n".repeat(10_000).getBytes(UTF_8));
    }
    Files.write(other, Arrays.copyOf(bytes.toByteArray(), bytes.size() / 2));
    DemoIT.Outcome broken = sketch(other.toString());
    assertThat(broken.status()).as(broken.err()).isEqualTo(1);
    assertThat(broken.err()).contains("other.csv cannot be read to its end");
    assertThat(moments).doesNotExist();
    Path file = Files.writeString(folder.resolve("file"), "");
    DemoIT.Outcome folderless =
        DemoIT.run(
            "sketch",
            "--config",
            config.toString(),
            "--csv",
            csv.toString(),
            "--out",
            file.toString());
    assertThat(folderless.status()).isEqualTo(1);
    assertThat(folderless.err()).contains("--out: the folder " + file + " cannot be written to");
  }

  @Test
  void whatIsWrongWithAFitIsSaid() throws IOException {
    sketch(csv.toString());
    DemoIT.Outcome column = solve("--response", "yy");
    assertThat(column.status()).isEqualTo(2);
    assertThat(column.err())
        .contains(
            "--response must be one of x1, x2, kind=b, y; the nearest is y. Provided value: yy");
    assertThat(solve("--response", "y", "--loss", "lda").err()).contains("the nearest is lad");
    DemoIT.Outcome lad = solve("--response", "y", "--loss", "lad", "--strict");
    assertThat(lad.status()).isEqualTo(1);
    assertThat(lad.err()).contains("rows/all/all/moments: ").doesNotContain("GAUZE_DEBUG");
    DemoIT.Outcome both = solve("--response", "y", "--config", config.toString());
    assertThat(both.status()).isEqualTo(2);
    assertThat(both.err()).contains("give either --release");
    assertThat(DemoIT.run("fit", "--response", "y").status()).isEqualTo(2);
    DemoIT.Outcome twice = solve("--release", moments.toString(), "--response", "y");
    assertThat(twice.status()).isEqualTo(1);
    assertThat(twice.err()).contains("different epochs", "rows/all/all/moments again");
  }

  @Test
  void whatIsWrongWithAFileIsSaid() throws IOException {
    sketch(csv.toString());
    Files.write(moments, new byte[] {1}, StandardOpenOption.APPEND);
    DemoIT.Outcome damaged = solve("--response", "y");
    assertThat(damaged.status()).isEqualTo(1);
    assertThat(damaged.err())
        .contains(moments + " is no release that can be read")
        .doesNotContain("GAUZE_DEBUG");
    moments = folder.resolve("none.avro");
    assertThat(solve("--response", "y").status()).isEqualTo(2);
    moments = csv;
    DemoIT.Outcome ending = solve("--response", "y");
    assertThat(ending.status()).isEqualTo(2);
    assertThat(ending.err()).contains("ends with .avro, .json or .npz");
  }

  /** What to take is asked before there are sketches, or where none that was thought of helps. */
  @Test
  void adviceNeedsNoSketches() throws IOException {
    String text = Files.readString(config, UTF_8);
    String none = text.substring(0, text.indexOf("sketches:"));
    String rows = "expectedRows: 2_000";
    for (String config : List.of(none, text.replace(rows, "").replace("noisy-moments", "auto"))) {
      Path file = Files.writeString(folder.resolve("advise.yaml"), config);
      DemoIT.Outcome advice = DemoIT.run("advise", "--config", file.toString(), "--rows", "9");
      assertThat(advice.status()).as(advice.err()).isZero();
      assertThat(advice.out()).contains("noisy-moments", "predicted excess");
    }
  }

  /** Those to take, and those of the config; with --all every one that fits the loss. */
  @Test
  void adviceShowsSixUnlessAllAreAskedFor() throws IOException {
    List<String> all = advised("--all");
    assertThat(all).contains("jl", "wishart", "functional").hasSizeGreaterThan(10);
    List<String> usual = all.stream().filter(Mechanisms.recommended()::contains).toList();
    assertThat(advised()).isEqualTo(usual).contains("noisy-moments").hasSizeLessThanOrEqualTo(6);
    String text = Files.readString(config, UTF_8);
    Files.writeString(config, text.replace("mechanism: noisy-moments", "mechanism: wishart"));
    assertThat(advised())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(usual.stream(), Stream.of("wishart")).toList());
  }

  private List<String> advised(String... more) throws IOException {
    List<String> words = new ArrayList<>(List.of("advise", "--config", config.toString()));
    words.addAll(List.of("--rows", "2000", "--format", "json"));
    words.addAll(List.of(more));
    DemoIT.Outcome advice = DemoIT.run(words.toArray(String[]::new));
    assertThat(advice.status()).as(advice.err()).isZero();
    return JsonMapper.builder()
        .build()
        .readTree(advice.out())
        .path("mechanisms")
        .findValuesAsText("mechanism");
  }

  /** In a text for people a share below one has its 0. */
  @Test
  void adviceHasWholeNumbers() {
    DemoIT.Outcome advice =
        DemoIT.run("advise", "--config", config.toString(), "--rows", "9", "--loss", "lad");
    assertThat(advice.out())
        .contains("it costs 0.4 % (bell-shaped residuals)")
        .doesNotContainPattern("(?<![0-9])\\.[0-9]");
  }

  @Test
  void adviceSaysWhatAnErrorTakes() throws IOException {
    String[] words = {"advise", "--config", config.toString(), "--error", "", "--format", "json"};
    words[4] = "5%";
    DemoIT.Outcome advice = DemoIT.run(words);
    JsonNode json = JsonMapper.builder().build().readTree(advice.out());
    assertThat(json.path("error").asDouble()).isEqualTo(0.05);
    assertThat(json.path("rows").asLong()).isEqualTo(2_000); // the config's
    assertThat(json.path("note").isMissingNode()).isTrue();
    assertThat(json.at("/mechanisms/0/rowsForError").isNumber()).as(advice.out()).isTrue();
    words[4] = "0.05";
    assertThat(DemoIT.run(words).out()).isEqualTo(advice.out());
    words[4] = "1";
    DemoIT.Outcome wrong = DemoIT.run(words);
    assertThat(wrong.status()).isEqualTo(2);
    assertThat(wrong.err()).contains("a share such as 1% or 0.01", "Provided value: 1");
  }

  /** A job plans by the config's rows, whatever is asked. */
  @Test
  void adviceSaysIfTheConfigExpectsOtherRows() {
    DemoIT.Outcome advice = DemoIT.run("advise", "--config", config.toString(), "--rows", "9");
    assertThat(advice.out()).contains("expectedRows: 9. Yours says 2000");
  }

  /** Once, for people alone, and only where a guess may help. */
  @Test
  void missingTypicalValuesAreHintedAt() throws IOException {
    String file = config.toString();
    String hint = "hint: no column has typical or spread, ";
    assertThat(DemoIT.run("check", "--offline", "--config", file).err()).containsOnlyOnce(hint);
    assertThat(DemoIT.run("advise", "--config", file, "--rows", "9").err()).containsOnlyOnce(hint);
    assertThat(sketch(csv.toString()).err()).containsOnlyOnce(hint);
    for (String verb : List.of("check", "advise")) {
      DemoIT.Outcome json = DemoIT.run(verb, "--config", file, "--format", "json");
      assertThat(json.status()).as(json.err()).isZero();
      assertThat(json.err()).doesNotContain("hint:");
    }
    String text = Files.readString(config, UTF_8);
    for (String other :
        List.of(
            text.replace("{name: y,", "{name: y, spread: 0.2,"),
            text.replace("intercept:", "rowBound: 1\nintercept:"),
            text.replace("noisy-moments", "histogram"))) {
      assertThat(other).isNotEqualTo(text);
      Files.writeString(config, other);
      DemoIT.Outcome checked = DemoIT.run("check", "--offline", "--config", file);
      assertThat(checked.status()).as(checked.err()).isZero();
      assertThat(checked.err()).doesNotContain("hint:");
    }
  }

  @Test
  void namesOfFilesAreSafe() {
    assertThat(ReleaseFiles.name(new ReleaseId("s", "a:b é", "2026-01-01T00:00:00Z", "moments")))
        .isEqualTo("s-a%3ab%20%c3%a9-2026-01-01T00%3a00%3a00Z-moments");
  }
}

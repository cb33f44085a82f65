package io.gauze.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.cli.option.ExitStatus;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files as other programs write them, through init, check, sketch and fit: each is read right, or
 * refused with its cause named. The table in docs/reference/records.md has a line for each.
 */
final class ForeignFilesTest {
  private static final int ROWS = 400;
  private static final List<String> LINES = RowsFile.csv(ROWS, 11);
  private static final List<String> RIGHT = lines(",", ".");

  @TempDir private Path folder;

  /**
   * A file.
   *
   * @param name what the table in the docs calls it
   * @param text its text
   * @param encoding the encoding of its text
   * @param options how it is read
   * @param sketched the rows that are sketched; -1 if the file is refused
   * @param says what is said of it
   */
  record Foreign(
      String name, String text, Charset encoding, List<String> options, int sketched, String says) {
    static Foreign right(String name, String text, String... options) {
      return new Foreign(name, text, UTF_8, List.of(options), ROWS, "");
    }

    static Foreign leftOut(String name, String text, int sketched, String says) {
      return new Foreign(name, text, UTF_8, List.of(), sketched, says);
    }

    static Foreign refused(String name, String text, String says) {
      return new Foreign(name, text, UTF_8, List.of(), -1, says);
    }

    Foreign in(Charset other) {
      return new Foreign(name, text, other, options, sketched, says);
    }

    byte[] bytes() {
      return text.getBytes(encoding);
    }

    @Override
    public String toString() {
      return name + " " + String.join(" ", options);
    }
  }

  /** The rows with another delimiter and decimal character, without the header. */
  private static List<String> lines(String delimiter, String decimal) {
    return LINES.stream()
        .skip(1)
        .map(line -> line.replace(",", "\0").replace(".", decimal).replace("\0", delimiter))
        .toList();
  }

  private static String file(String header, List<String> lines) {
    return header + "\n" + String.join("\n", lines) + "\n";
  }

  /** The rows with numbers before them, as row names are written. */
  private static List<String> numbered(List<String> lines, String quote, String delimiter) {
    return IntStream.range(0, lines.size())
        .mapToObj(i -> quote + (i + 1) + quote + delimiter + lines.get(i))
        .toList();
  }

  private static List<String> each(String from, String to) {
    return RIGHT.stream().map(line -> line.replaceFirst(from, to)).toList();
  }

  static List<Foreign> files() {
    String header = "x1,x2,kind,y";
    String semicolons = header.replace(',', ';');
    String quoted = "\"x1\",\"x2\",\"kind\",\"y\"";
    List<String> decimals = lines(";", ",");
    String whole = file(header, RIGHT);
    List<Foreign> all = new ArrayList<>();
    all.add(Foreign.right("R write.csv", file("\"\"," + quoted, numbered(RIGHT, "\"", ","))));
    all.add(
        Foreign.right(
            "R write.csv2",
            file("\"\";" + quoted.replace(',', ';'), numbered(decimals, "\"", ";")),
            "--decimal",
            ","));
    all.add(
        Foreign.leftOut(
            "R write.csv2", file(semicolons, decimals), 0, "got a number with a decimal comma"));
    all.add(
        Foreign.refused(
            "R write.table",
            file(quoted.replace(',', ' '), numbered(lines(" ", "."), "\"", " ")),
            "separate values by comma, semicolon, tab or bar"));
    all.add(
        Foreign.leftOut(
            "R write.table, sep = \",\"",
            file(quoted, numbered(RIGHT, "\"", ",")),
            0,
            "the line has 5 values, and the header 4 names"));
    all.add(Foreign.right("pandas to_csv", file("," + header, numbered(RIGHT, "", ","))));
    all.add(Foreign.right("Excel, English", "\ufeff" + whole.replace("\n", "\r\n")));
    all.add(
        Foreign.right(
            "Excel, German or French",
            "\ufeff" + file(semicolons, decimals).replace("\n", "\r\n"),
            "--decimal",
            ","));
    all.add(
        Foreign.right(
                "Excel, Unicode text", "\ufeff" + whole.replace(',', '\t').replace("\n", "\r\n"))
            .in(UTF_16LE));
    all.add(
        Foreign.refused(
            "Excel, Macintosh", whole.replace('\n', '\r'), "lines must end with a line feed"));
    all.add(Foreign.right("a line sep=;", "sep=;\n" + file(semicolons, lines(";", "."))));
    all.add(Foreign.right("tabs", whole.replace(',', '\t')));
    all.add(
        Foreign.leftOut(
            "decimal commas between commas",
            file(header, lines(",", ",")),
            0,
            "quote values that hold the separator, as decimal commas between commas"));
    all.add(
        Foreign.leftOut(
            "separators of thousands",
            file(header, each("^0.(\\d\\d\\d)\\d*", "\"1,$1.5\"")),
            0,
            "a number with separators of thousands"));
    all.add(
        Foreign.leftOut(
            "percent signs", file(header, each("^([^,]*)", "$1 %")), 0, "a number with a percent"));
    all.add(
        Foreign.leftOut(
            "currencies", file(header, each("^", "\\$")), 0, "a number with a currency sign"));
    all.add(
        Foreign.leftOut(
            "marks of missing values",
            file(header, each("^[^,]*", "n/a")),
            0,
            "A missing value is an empty one, or NA."));
    all.add(
        Foreign.right(
                "Latin-1",
                whole.replace("y\n", "y,\u00e4\n").replaceAll("(\\d)\n", "$1,\u00e9\n"),
                "--encoding",
                "ISO-8859-1")
            .in(ISO_8859_1));
    all.add(
        Foreign.leftOut(
                "Latin-1", file(header, each(",[ab],", ",\u00e4,")), 0, "--encoding windows-1252")
            .in(ISO_8859_1));
    all.add(
        Foreign.refused("UTF-16 without a byte order mark", whole, "give --encoding UTF-16LE")
            .in(UTF_16LE));
    all.add(Foreign.right("comment lines", "# a logger\n" + whole, "--comment", "#"));
    all.add(Foreign.refused("comment lines", "# a logger\n" + whole, "give --comment '#'"));
    all.add(
        Foreign.leftOut(
            "ragged rows",
            file(
                header,
                IntStream.range(0, ROWS)
                    .mapToObj(i -> RIGHT.get(i) + (i % 4 == 0 ? ",1" : ""))
                    .toList()),
            300,
            "the line has 5 values, and the header 4 names"));
    all.add(
        Foreign.leftOut(
            "an open quote",
            file(
                header + ",note",
                IntStream.range(0, ROWS)
                    .mapToObj(i -> RIGHT.get(i) + (i == 3 ? ",\"6 ft" : ",\"a, \"\"b\"\"\""))
                    .toList()),
            399,
            "a quote is not closed in its line"));
    all.add(
        Foreign.right("quotes inside of values", file(header + ",note", each("$", ",6\" pipe"))));
    all.add(
        Foreign.right(
            "line breaks in cells",
            file(header + ",note", each("$", ",\"two\nlines\"")),
            "--multiline"));
    all.add(Foreign.right("a number for a name", file(header + ",2026", each("$", ",7"))));
    all.add(
        Foreign.refused(
            "a name twice", file("x1," + header, each("^", "0,")), "column \"x1\" more than once"));
    all.add(Foreign.refused("JSON", "[{\"x1\": 0.5}]", "is JSON: save its rows as a CSV file"));
    all.add(Foreign.refused("Parquet", "PAR1\u0015abc", "is a Parquet file: save its rows"));
    return all;
  }

  private List<String> command(String verb, Foreign file, String... more) throws IOException {
    Path csv = Files.write(folder.resolve("rows.csv"), file.bytes());
    List<String> words = new ArrayList<>(List.of(verb, "--csv", csv.toString()));
    words.addAll(file.options());
    words.addAll(List.of(more));
    return words;
  }

  private static DemoIT.Outcome run(List<String> words) {
    return DemoIT.run(words.toArray(new String[0]));
  }

  @ParameterizedTest
  @MethodSource("files")
  void isRightOrItsCauseIsNamed(Foreign file) throws IOException {
    String config =
        Files.writeString(
                folder.resolve("c.yaml"),
                RowsFile.config("rows", "- {name: moments, mechanism: noisy-moments}", ""))
            .toString();
    Path out = folder.resolve("out");
    List<String> check = command("check", file, "--config", config, "--format", "json");
    List<String> sketch = command("sketch", file, "--config", config, "--out", out.toString());

    DemoIT.Outcome checked = run(check);
    DemoIT.Outcome sketched = run(sketch);

    if (file.sketched() < 0) {
      for (DemoIT.Outcome refused : List.of(checked, sketched)) {
        assertThat(refused.status()).as(refused.err()).isEqualTo(ExitStatus.USAGE);
        assertThat(refused.err()).contains(file.says());
      }
      assertThat(out)
          .satisfiesAnyOf(
              path -> assertThat(path).doesNotExist(), path -> assertThat(path).isEmptyDirectory());
      return;
    }
    assertThat(checked.status()).as(checked.err()).isZero();
    JsonNode found = JsonMapper.builder().build().readTree(checked.out()).get("file");
    assertThat(found.get("sketched").intValue()).isEqualTo(file.sketched());
    assertThat(found.get("leftOut").intValue()).isEqualTo(ROWS - file.sketched());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    assertThat(sketched.err()).contains(file.says());
    if (file.sketched() == ROWS) {
      assertThat(sketched.err()).doesNotContain("GZ-LEFTOUT");
      assertThat(coefficient(out)).isBetween(0.35, 0.65);
    }
  }

  /** The coefficient of x1, which is .5; the noise has a standard error of about .02. */
  private static double coefficient(Path out) throws IOException {
    DemoIT.Outcome fit =
        DemoIT.run(
            "fit",
            "--release",
            out.resolve("rows-all-all-moments.avro").toString(),
            "--response",
            "y",
            "--format",
            "json");
    assertThat(fit.status()).as(fit.err()).isZero();
    JsonNode answer = JsonMapper.builder().build().readTree(fit.out());
    return answer.at("/coefficients/x1").doubleValue();
  }

  @ParameterizedTest
  @MethodSource("files")
  void initReadsTheHeader(Foreign file) throws IOException {
    DemoIT.Outcome outcome = run(command("init", file));
    if (file.sketched() >= 0 && !file.name().equals("a number for a name")) {
      assertThat(outcome.status()).as(outcome.err()).isZero();
      assertThat(outcome.out()).contains("{name: x1, ", "{name: kind, ");
      assertThat(file.sketched() == 0 || outcome.out().contains("{name: kind, categories"))
          .isTrue();
    } else {
      assertThat(outcome.status()).isEqualTo(ExitStatus.USAGE);
      assertThat(outcome.out()).isEmpty();
    }
  }

  /** The config says Female, and the file has F and M. */
  @Test
  void anIndicatorThatIsTheSameInAllRowsIsNamed() throws IOException {
    String indicator =
        RowsFile.config("rows", "- {name: moments, mechanism: noisy-moments}", "")
            .replace("{name: kind, categories: [a, b]}", "{name: kind, equals: B}");
    String config = Files.writeString(folder.resolve("c.yaml"), indicator).toString();
    Foreign rows = Foreign.right("rows", file("x1,x2,kind,y", RIGHT));
    assertThat(run(command("check", rows, "--config", config)).out())
        .contains("- Column kind: no row is \"B\". See how the file writes it.");
    Files.writeString(folder.resolve("c.yaml"), indicator.replace("equals: B", "equals: b"));
    assertThat(run(command("check", rows, "--config", config)).out())
        .contains("would be sketched")
        .doesNotContain("Column kind:");
  }

  /** What a stranger reads is what is tested. */
  @Test
  void theDocumentHasALineForEach() throws IOException {
    String docs = Files.readString(Path.of("../docs/reference/records.md"));
    String table =
        docs.lines().filter(line -> line.startsWith("| ")).collect(Collectors.joining("\n"));
    for (Foreign file : files()) {
      String line =
          table
              .lines()
              .filter(each -> each.startsWith("| " + file.name() + " |"))
              .collect(Collectors.joining("\n"));
      assertThat(line).as(file.name()).isNotEmpty();
      file.options().stream()
          .filter(option -> option.startsWith("--"))
          .forEach(option -> assertThat(line).as(file.name()).contains(option));
    }
  }
}

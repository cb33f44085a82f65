package io.gauze.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.row.RowRejectedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The example of README.md beside it compiles against the library alone, and runs. */
class LibraryExampleTest {
  private static final Path SOURCE =
      Path.of("src", "main", "java", "io", "gauze", "examples", "LibraryExample.java");
  private static final Path README = Path.of("README.md");

  @Test
  void buildsMergesDeletesAndFits() throws RowRejectedException {
    List<Double> estimates =
        Stream.of(printed().split("[^-0-9.E]+"))
            .filter(Pattern.compile("[0-9]").asPredicate())
            .map(Double::parseDouble)
            .toList();
    // by hand: the line through (38, 1400), (20, 800), (45, 1700)
    assertThat(estimates).hasSize(2);
    assertThat(estimates.get(1)).isCloseTo(35.471, within(0.05));
    assertThat(estimates.get(0)).isCloseTo(82.16, within(2.0));
  }

  private static String printed() throws RowRejectedException {
    PrintStream before = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      LibraryExample.main();
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void standsInTheReadme() throws IOException {
    List<String> source = Files.readAllLines(SOURCE).stream().map(String::strip).toList();
    List<String> example =
        source.subList(source.indexOf("// example: begin") + 1, source.indexOf("// example: end"));
    List<String> readme = Files.readAllLines(README).stream().map(String::strip).toList();
    assertThat(example).hasSizeGreaterThan(10);
    assertThat(readme).containsSubsequence(example);
  }
}

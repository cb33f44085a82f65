package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.message.FitMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each entry of the catalogue is expected of a fit by some test of this module or of papers. */
final class EveryMessageIsSaidTest {
  private static final List<Path> TESTS =
      List.of(Path.of("src/test/java"), Path.of("..", "papers", "src/test/java"));
  private static final Pattern EXPECTED =
      Pattern.compile(
          "Said\\.by\\([^;]*?\\.contains\\w*\\(([^)]*)\\)|said\\(([^;]*?),"
              + "|Said\\.of\\(([^;,]*),");
  private static final Pattern ENTRY = Pattern.compile("FitMessage\\.(\\w+)");

  @Test
  void byAFit() throws IOException {
    TreeSet<String> expected = new TreeSet<>();
    for (Path tests : TESTS) {
      try (Stream<Path> files = Files.walk(tests)) {
        for (Path file : files.filter(each -> each.toString().endsWith("Test.java")).toList()) {
          EXPECTED
              .matcher(Files.readString(file))
              .results()
              .flatMap(found -> ENTRY.matcher(found.group()).results())
              .forEach(entry -> expected.add(entry.group(1)));
        }
      }
    }
    List<String> all = Arrays.stream(FitMessage.values()).map(Enum::name).toList();
    assertThat(all.stream().filter(name -> !expected.contains(name)).collect(Collectors.toList()))
        .as("entries that no test expects: ask for them with Said.by, or in RareMessagesTest")
        .isEmpty();
  }
}

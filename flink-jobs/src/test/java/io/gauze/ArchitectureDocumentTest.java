package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The calls and packages that docs/design.md names are there. */
final class ArchitectureDocumentTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern CALL = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w+)`");

  @Test
  void namesCallsThatThereAre() throws IOException {
    Map<String, String> sources = sources();
    Matcher calls = CALL.matcher(Files.readString(ROOT.resolve("docs/design.md")));
    int found = 0;
    while (calls.find()) {
      assertThat(sources.getOrDefault(calls.group(1), ""))
          .as(calls.group())
          .containsPattern("[\\w>\\]] " + calls.group(2) + "\\(");
      found++;
    }
    assertThat(found).isGreaterThan(80);
  }

  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    for (String module :
        new String[] {"sketch-core", "regression", "audit", "papers", "service", "flink-jobs"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          sources.put(name, Files.readString(file));
        }
      }
    }
    return sources;
  }
}

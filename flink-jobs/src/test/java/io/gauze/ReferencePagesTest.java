package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.cli.VerbTables;
import io.gauze.config.ConfigTables;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.Mechanisms;
import io.gauze.testing.ReferencePages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The tables of the reference are those of the code. With the system property {@code gauze.pages}
 * set to {@code write} this test writes them into the pages.
 */
final class ReferencePagesTest {
  private static final Path FOLDER = Path.of("..", "docs", "reference");
  private static final String COMMAND =
      "mvn -B test -pl flink-jobs -am -Dtest=ReferencePagesTest"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dgauze.pages=write";

  @Test
  void theKeysAreThoseOfTheConfig() throws IOException {
    check("configuration.md", ConfigTables.all());
  }

  @Test
  void theOptionsAreThoseOfTheCommandLine() throws IOException {
    check("cli.md", Map.of("commands", VerbTables.all(Main.commandLine())));
  }

  @Test
  void contributorsAreToldTheCommand() throws IOException {
    assertThat(Files.readString(Path.of("..", "CONTRIBUTING.md"))).contains(COMMAND);
  }

  @Test
  void eachOptionOfAMechanismHasAMeaning() {
    for (String mechanism : Mechanisms.names()) {
      assertThat(Mechanisms.options(mechanism))
          .as(mechanism)
          .allMatch(option -> option.text().endsWith("."))
          .extracting(MechanismOption::byDefault)
          .doesNotContain("");
    }
  }

  @Test
  void aPartThatDiffersIsWrittenAnew() {
    String page = "by hand\n<!-- generated: a -->\nold\n<!-- end of generated -->\nmore\n";
    Map<String, String> parts = Map.of("a", "new $1\n");

    String written = ReferencePages.written(page, parts);

    assertThat(written)
        .isEqualTo("by hand\n<!-- generated: a -->\n\nnew $1\n\n<!-- end of generated -->\nmore\n");
    assertThat(ReferencePages.written(written, parts)).isEqualTo(written);
    assertThatThrownBy(() -> ReferencePages.written(page, Map.of("a", "x\n", "b", "y\n")))
        .hasMessage("the page has no place for [b]");
    assertThatThrownBy(() -> ReferencePages.written(page, Map.of()))
        .hasMessage("nothing makes the part a");
  }

  private static void check(String name, Map<String, String> parts) throws IOException {
    Path file = FOLDER.resolve(name);
    String page = Files.readString(file);
    String written = ReferencePages.written(page, parts);
    if ("write".equals(System.getProperty("gauze.pages"))) {
      Files.writeString(file, written);
    } else {
      assertThat(page)
          .as("docs/reference/%s differs from the code; write it with: %s", name, COMMAND)
          .isEqualTo(written);
    }
  }
}

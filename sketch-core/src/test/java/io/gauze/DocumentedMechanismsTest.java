package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.Mechanisms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The documents that list the mechanisms list all of them. */
class DocumentedMechanismsTest {
  private static final Path ROOT = Path.of("..");
  private static final List<String> WORDS =
      List.of(
          "Seven",
          "Eight",
          "Nine",
          "Ten",
          "Eleven",
          "Twelve",
          "Thirteen",
          "Fourteen",
          "Fifteen",
          "Sixteen",
          "Seventeen",
          "Eighteen",
          "Nineteen",
          "Twenty",
          "Twenty-one",
          "Twenty-two",
          "Twenty-three",
          "Twenty-four");

  @Test
  void eachMechanismHasItsRows() throws IOException {
    String mechanisms = read("docs/mechanisms.md");
    String releases = read("docs/releases.md");
    String proofs = read("docs/privacy-proofs.md");
    String audits = proofs.substring(proofs.indexOf("\n## Audits\n"));
    for (String name : Mechanisms.names()) {
      assertThat(rows(mechanisms, name)).as("rows of %s in mechanisms.md", name).isEqualTo(1);
      assertThat(rows(releases, name)).as("rows of %s in releases.md", name).isEqualTo(1);
      assertThat(rows(audits, name)).as("rows of %s among the audits", name).isGreaterThan(1);
    }
  }

  @Test
  void theyAreCounted() throws IOException {
    int all = Mechanisms.names().size();
    assertThat(read("README.md")).contains(word(all - 3) + " more exist"); // it names three
    assertThat(read("CHANGELOG.md")).contains("- " + word(all) + " mechanisms: ");
  }

  private static long rows(String text, String name) {
    return text.lines().filter(line -> line.startsWith("| `" + name + "` | ")).count();
  }

  private static String word(int number) {
    return WORDS.get(number - 7);
  }

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }
}

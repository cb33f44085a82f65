package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.Mechanisms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The documents that list the mechanisms list all of them. */
class DocumentedMechanismsTest {
  private static final Path ROOT = Path.of("..");
  private static final List<String> UNITS =
      List.of("", "-one", "-two", "-three", "-four", "-five", "-six", "-seven", "-eight", "-nine");

  @Test
  void eachMechanismHasItsRows() throws IOException {
    String mechanisms = read("docs/reference/mechanisms.md");
    String proofs = read("docs/proofs.md");
    for (String name : Mechanisms.names()) {
      assertThat(rows(mechanisms, name)).as("rows of %s in mechanisms.md", name).isEqualTo(1);
      assertThat(rows(proofs, name)).as("rows of %s in proofs.md", name).isEqualTo(1);
      String proof = read("docs/" + proofOf(proofs, name));
      String audit = proof.substring(proof.indexOf("\n## Audit\n"));
      assertThat(rows(audit, name)).as("rows of %s in its audit", name).isGreaterThan(1);
    }
  }

  @Test
  void theyAreCounted() throws IOException {
    int all = Mechanisms.names().size();
    assertThat(read("CHANGELOG.md")).contains("- " + word(all) + " mechanisms: ");
  }

  @Test
  void theAdditiveOnesAreNamed() throws IOException {
    String page = read("docs/reference/mechanisms.md");
    String section = page.substring(page.indexOf("\n## Additive mechanisms\n"));
    String sentence = section.substring(0, section.indexOf(" are additive: "));
    assertThat(Pattern.compile("`([a-z0-9-]+)`").matcher(sentence).results().map(m -> m.group(1)))
        .containsExactlyInAnyOrderElementsOf(Mechanisms.additive());
  }

  /**
   * The tree ends at those of the table below it, which are those that advice shows, and there are
   * as many as the README says.
   */
  @Test
  void sevenAreToBeChosenFrom() throws IOException {
    String page = read("docs/choose.md");
    List<String> ends =
        Pattern.compile("─► ([a-z-]+)").matcher(page).results().map(end -> end.group(1)).toList();
    assertThat(ends).hasSize(7).containsExactlyInAnyOrderElementsOf(Mechanisms.recommended());
    assertThat(ends).allSatisfy(name -> assertThat(rows(page, name)).as(name).isEqualTo(1));
    assertThat(read("README.md")).contains("[seven to choose from](docs/choose.md)");
  }

  /** A form that the table of mechanisms names is one of those whose numbers are explained. */
  @Test
  void eachFormIsExplained() throws IOException {
    String format = read("docs/reference/release-format.md");
    List<String> forms =
        Pattern.compile("(?m)^[|] `[a-z0-9-]+` [|] `([a-z ]+)`")
            .matcher(read("docs/reference/mechanisms.md"))
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(forms).hasSizeGreaterThanOrEqualTo(Mechanisms.names().size());
    assertThat(forms)
        .allSatisfy(form -> assertThat(format).containsPattern("(?m)^(- |[|] )`" + form + "`"));
  }

  private static long rows(String text, String name) {
    return text.lines().filter(line -> line.startsWith("| `" + name + "` | ")).count();
  }

  /** The first page that the row of a mechanism links, seen from docs. */
  private static String proofOf(String index, String name) {
    Matcher link =
        Pattern.compile("(?m)^[|] `" + name + "` [|].*?\\]\\(([^()]*/PROOF-[a-z0-9-]+\\.md)\\)")
            .matcher(index);
    assertThat(link.find()).as("page of %s in proofs.md", name).isTrue();
    return link.group(1);
  }

  private static String word(int number) {
    return List.of("Twenty", "Thirty").get(number / 10 - 2) + UNITS.get(number % 10);
  }

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }
}

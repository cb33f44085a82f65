package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.PrintedCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between documents, and from them to files of the clone, lead somewhere. */
final class DocumentLinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+)$");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$");

  private static List<Path> documents() throws IOException {
    Stream<Path> others =
        Stream.of("CONTRIBUTING.md", "CHANGELOG.md", "examples/library/README.md")
            .map(PrintedCommands.ROOT::resolve);
    Stream<Path> proofs = PrintedCommands.proofs().stream();
    return Stream.concat(PrintedCommands.documents().stream(), Stream.concat(proofs, others))
        .toList();
  }

  @Test
  void eachLinkHasItsTarget() throws IOException {
    List<Path> documents = documents();
    assertThat(documents).hasSizeGreaterThan(50);
    List<String> broken = new ArrayList<>();
    for (Path document : documents) {
      broken.addAll(broken(document, Files.readString(document)));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void aLinkWithoutTargetIsFound() throws IOException {
    Path readme = PrintedCommands.ROOT.resolve("README.md");
    String text =
        "[a](LICENSE) [b](missing.md) [c](#the-1st-one) [d](#missing)\n\n## The 1st *one*\n";

    assertThat(broken(readme, text))
        .containsExactly("README.md: missing.md", "README.md: #missing");
  }

  private static List<String> broken(Path document, String text) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : links(text)) {
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
      boolean there =
          Files.exists(target)
              && (parts.length == 1
                  || anchors(parts[0].isEmpty() ? text : Files.readString(target))
                      .contains(parts[1]));
      if (!there) {
        broken.add(document.getFileName() + ": " + link);
      }
    }
    return broken;
  }

  private static List<String> links(String text) {
    return LINK.matcher(CODE.matcher(text).replaceAll(""))
        .results()
        .map(found -> found.group(1))
        .filter(link -> !link.matches("(https?|mailto):.*"))
        .toList();
  }

  /** The anchors that GitHub gives to headings of different texts. */
  private static Set<String> anchors(String text) {
    return HEADING
        .matcher(CODE.matcher(text).replaceAll(""))
        .results()
        .map((MatchResult heading) -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

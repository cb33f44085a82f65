package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.PrintedCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links of documents lead to files and headings that are there; so do pages that code names. */
final class DocumentedLinksTest {
  private static final Pattern LINK = Pattern.compile("]\\((?!https?:|mailto:)([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern PAGE = Pattern.compile("\\bdocs/[\\w/-]+\\.md\\b");
  private static final Pattern PROOF = Pattern.compile("\\bPROOF-[\\w-]+\\.md\\b");
  private static final Set<String> BUILT = Set.of("target", ".git");

  private static List<Path> documents() throws IOException {
    List<Path> all = new ArrayList<>(PrintedCommands.documents());
    all.addAll(PrintedCommands.proofs());
    for (String other :
        List.of(
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "licenses/README.md",
            "examples/library/README.md")) {
      all.add(PrintedCommands.ROOT.resolve(other));
    }
    return all;
  }

  @Test
  void linksOfDocumentsAreThere() throws IOException {
    assertThat(documents()).hasSizeGreaterThan(50);
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      broken.addAll(broken(document, Files.readString(document)));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void aLinkWithoutTargetIsFound() throws IOException {
    Path readme = PrintedCommands.ROOT.resolve("README.md");
    String text =
        """
        [a](LICENSE) [b](missing.md) [c](#the-1st-one-1) [d](#missing) [e](docs/privacy.md#missing)
        ```
        [f](missing.md)
        ```
        ## The 1st *one*
        ## The [1st](LICENSE) one
        """;

    assertThat(broken(readme, text))
        .containsExactly(
            "README.md: missing.md", "README.md: #missing", "README.md: docs/privacy.md#missing");
  }

  private static List<String> broken(Path document, String text) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : found(LINK, withoutFences(text))) {
      if (!isThere(document, text, link)) {
        broken.add(document.getFileName() + ": " + link);
      }
    }
    return broken;
  }

  /** In messages, comments, scripts and files of a deployment. */
  @Test
  void pagesThatCodeNamesAreThere() throws IOException {
    Set<String> named = new HashSet<>();
    try (Stream<Path> files = Files.walk(PrintedCommands.ROOT)) {
      for (Path file : files.filter(DocumentedLinksTest::isCode).toList()) {
        PAGE.matcher(Files.readString(file)).results().map(MatchResult::group).forEach(named::add);
      }
    }
    assertThat(named).contains("docs/operations/runbook.md");
    assertThat(named)
        .allSatisfy(page -> assertThat(PrintedCommands.ROOT.resolve(page)).isRegularFile());
  }

  /** Code names a proof without its folder. */
  @Test
  void proofsThatCodeNamesAreThere() throws IOException {
    Set<String> named = new HashSet<>();
    try (Stream<Path> files = Files.walk(PrintedCommands.ROOT)) {
      for (Path file : files.filter(DocumentedLinksTest::isCode).toList()) {
        PROOF.matcher(Files.readString(file)).results().map(MatchResult::group).forEach(named::add);
      }
    }
    assertThat(named).contains("PROOF-irls-track.md");
    assertThat(PrintedCommands.proofs())
        .extracting(proof -> proof.getFileName().toString())
        .doesNotHaveDuplicates()
        .containsAll(named);
  }

  @Test
  void eachProofIsInTheIndex() throws IOException {
    String index = Files.readString(PrintedCommands.ROOT.resolve("docs/proofs.md"));
    assertThat(PrintedCommands.proofs())
        .hasSizeGreaterThan(30)
        .allSatisfy(proof -> assertThat(index).contains("/" + proof.getFileName() + ")"));
  }

  private static boolean isCode(Path file) {
    for (Path step : file) {
      if (BUILT.contains(step.toString())) {
        return false;
      }
    }
    String name = file.getFileName().toString();
    boolean script = !name.contains(".") && Files.isExecutable(file);
    return Files.isRegularFile(file)
        && (script || name.matches(".*\\.(java|ya?ml|xml|py)|CONTRIBUTING.md|Dockerfile.*"));
  }

  private static boolean isThere(Path document, String text, String link) throws IOException {
    String[] parts = link.split("#", 2);
    if (parts[0].isEmpty()) {
      return anchors(text).contains(parts[1]);
    }
    Path target = document.resolveSibling(parts[0]).normalize();
    return Files.exists(target)
        && (parts.length == 1 || anchors(Files.readString(target)).contains(parts[1]));
  }

  /** As GitHub makes them: of equal ones, the second ends with -1. */
  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    for (String heading : found(HEADING, withoutFences(text))) {
      String anchor =
          heading
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .strip()
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N} _-]", "")
              .replace(' ', '-');
      String unique = anchor;
      for (int i = 1; !anchors.add(unique); i++) {
        unique = anchor + "-" + i;
      }
    }
    return anchors;
  }

  private static String withoutFences(String text) {
    return FENCE.matcher(text).replaceAll("");
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult each) -> each.group(1)).toList();
  }
}

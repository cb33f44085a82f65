package io.gauze.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rules by which the runbook's shell commands tell entries of the ledger from other records.
 */
final class RunbookRules {
  private static final Path RUNBOOK = Path.of("..", "docs", "operations", "runbook.md");
  private static final Pattern RULE =
      Pattern.compile("(?m)^ *rule=\"(?:\\$rule\\|)?([^\"]+)\"'([^']+)'$");

  private RunbookRules() {}

  /**
   * Returns the patterns of whole lines, with key, tab and value: of entries, begins, cells,
   * epochs.
   */
  static List<Pattern> read() throws IOException {
    List<Pattern> rules =
        RULE.matcher(Files.readString(RUNBOOK))
            .results()
            .map(rule -> Pattern.compile(rule.group(1).replace("$tab", "\t") + rule.group(2)))
            .toList();
    if (rules.size() != 4) {
      throw new AssertionError("the runbook must have four rules. Provided value: " + rules);
    }
    return rules;
  }
}

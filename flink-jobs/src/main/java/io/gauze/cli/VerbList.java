package io.gauze.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** The list of verbs in the help of the program, in the order in which a user needs them. */
public final class VerbList {
  private static final int INDENT = 2;
  private static final int GAP = 3;

  private VerbList() {}

  /** The verbs of each group, in their order. */
  static Map<String, List<String>> journey() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    groups.put("Try", List.of("demo", "up"));
    groups.put("Describe", List.of("init", "check", "advise", "calibrate"));
    groups.put("Run", List.of("run", "stop", "send", "dead-letters", "ledger"));
    groups.put("Use", List.of("sketch", "releases", "fit", "predict", "serve", "ask", "solver"));
    groups.put("Verify", List.of("fit-raw", "audit"));
    groups.put("Help", List.of("help"));
    return groups;
  }

  /** Returns the verbs of a command with the first sentence of each; empty if it has none. */
  public static String text(Help help) {
    Map<String, CommandLine> verbs = help.commandSpec().subcommands();
    if (verbs.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    int width = verbs.keySet().stream().mapToInt(String::length).max().orElse(0) + INDENT + GAP;
    journey()
        .forEach(
            (group, names) -> {
              text.append(String.format(Locale.ROOT, "%n%s:%n", group));
              text.append(table(help, verbs, names, width));
            });
    return text.toString();
  }

  private static TextTable table(
      Help help, Map<String, CommandLine> verbs, List<String> names, int width) {
    int all = help.commandSpec().usageMessage().width();
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(width, INDENT, Overflow.SPAN),
            new Column(all - width, 0, Overflow.WRAP));
    for (String name : names) {
      String description = verbs.get(name).getCommandSpec().usageMessage().description()[0];
      int end = description.indexOf(". ");
      table.addRowValues(
          help.colorScheme().commandText(name),
          help.colorScheme().text(end < 0 ? description : description.substring(0, end + 1)));
    }
    return table;
  }
}

package io.gauze.cli;

import static io.gauze.testing.ReferencePages.cell;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What each verb does and takes, made from what its help prints. */
public final class VerbTables {
  private VerbTables() {}

  /** Returns the verbs by their groups. */
  public static String all(CommandLine program) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, List<String>> group : VerbList.journey().entrySet()) {
      text.append(text.isEmpty() ? "" : "\n").append("## ").append(group.getKey()).append('\n');
      for (String verb : group.getValue()) {
        text.append(verb(program.getSubcommands().get(verb).getCommandSpec()));
      }
    }
    return text.toString();
  }

  private static String verb(CommandSpec verb) {
    StringBuilder text = new StringBuilder("\n### " + verb.name() + "\n\n");
    for (String line : verb.usageMessage().description()) {
      text.append(cell(plain(line)).replace("\\|", "|")).append('\n');
    }
    List<? extends ArgSpec> arguments =
        verb.args().stream().filter(each -> !each.hidden() && !isCommon(each)).toList();
    if (!arguments.isEmpty()) {
      text.append("\n| option | value | needed | meaning |\n|---|---|---|---|\n");
      arguments.forEach(each -> text.append(row(each)));
    }
    return text.append('\n').append(examples(verb)).toString();
  }

  /** Whether an argument is one that every verb has. */
  private static boolean isCommon(ArgSpec argument) {
    return argument instanceof OptionSpec option && (option.usageHelp() || option.versionHelp());
  }

  private static String row(ArgSpec argument) {
    boolean named = argument instanceof OptionSpec;
    String name =
        named
            ? String.join(", ", ((OptionSpec) argument).names())
            : ((PositionalParamSpec) argument).paramLabel();
    boolean valued = named && argument.arity().max() > 0;
    return String.format(
        Locale.ROOT,
        "| `%s` |%s | %s | %s |%n",
        name,
        valued ? " " + cell("`" + argument.paramLabel() + "`") : "",
        needed(argument),
        cell(plain(String.join(" ", argument.description()))));
  }

  private static String needed(ArgSpec argument) {
    ArgGroupSpec group = argument.group();
    if (group == null || !group.exclusive() || group.multiplicity().min() == 0) {
      return argument.required() ? "yes" : "no";
    }
    return group.args().stream()
        .map(each -> "`" + ((OptionSpec) each).longestName() + "`")
        .collect(Collectors.joining(", ", "one of ", ""));
  }

  /** The examples of a help, as code. */
  private static String examples(CommandSpec verb) {
    String footer = String.join("\n", verb.usageMessage().footer());
    StringBuilder text = new StringBuilder();
    for (String line : plain(footer).replaceAll("\\\\\n\\s*", "").split("\n", -1)) {
      if (line.startsWith("  ")) {
        text.append("    ").append(line.strip()).append('\n');
      }
    }
    return text.toString();
  }

  private static String plain(String text) {
    return text.replace("%n", "\n").replace("%%", "%");
  }
}

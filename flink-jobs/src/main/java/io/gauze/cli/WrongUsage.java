package io.gauze.cli;

import io.gauze.cli.option.ExitStatus;
import io.gauze.message.NearestName;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with the arguments, and what was probably meant. */
public final class WrongUsage implements IParameterExceptionHandler {
  /** The former name of the verb {@code fit}. */
  private static final String OLD_FIT = "solve";

  private static final String ROWS = "--csv";

  /** The endings of file names, by the option that takes such files. */
  private static final Map<String, List<String>> ENDINGS =
      Map.of(
          "--release",
          List.of(".avro", ".json", ".npz"),
          ROWS,
          List.of(".csv", ".csv.gz"),
          "--config",
          List.of(".yaml", ".yml"));

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("gauze: " + complaint(e, List.of(arguments)));
    err.println("Try: ./" + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return ExitStatus.USAGE;
  }

  /**
   * Returns the message. An argument that is not known comes before an option that is missing: it
   * may be that option, mistyped.
   */
  private static String complaint(ParameterException e, List<String> arguments) {
    CommandLine command = e.getCommandLine();
    List<String> unknown =
        e instanceof UnmatchedArgumentException unmatched
            ? unmatched.getUnmatched()
            : e instanceof MissingParameterException ? command.getUnmatchedArguments() : List.of();
    if (unknown.isEmpty()) {
      return e.getMessage();
    }
    boolean program = !command.getSubcommands().isEmpty();
    if (program && !isOption(unknown.get(0))) {
      return unknownVerb(unknown.get(0), command); // the others are the verb's
    }
    return unknown.stream()
        .filter(WrongUsage::isOption)
        .findFirst()
        .map(option -> unknownOption(option, command))
        .orElseGet(() -> withoutOption(unknown, command, arguments));
  }

  private static boolean isOption(String word) {
    return word.matches("--?[^-0-9.].*");
  }

  private static String unknownVerb(String word, CommandLine program) {
    return "there is no verb '"
        + word
        + "'; "
        + (word.equals(OLD_FIT)
            ? "it is called fit now"
            : "the nearest is " + NearestName.of(word, program.getSubcommands().keySet()));
  }

  private static String unknownOption(String word, CommandLine command) {
    String name = word.split("=", 2)[0];
    String what = "Unknown option: '" + name + "'";
    if (name.equals(ROWS) && isFit(command)) {
      return what + rawRows();
    }
    List<String> known = new ArrayList<>();
    for (OptionSpec option : command.getCommandSpec().options()) {
      known.addAll(List.of(option.names()));
    }
    return what + NearestName.hint(name, known);
  }

  private static boolean isFit(CommandLine command) {
    return command.getCommandName().equals("fit");
  }

  /**
   * Returns a hint if the user passes raw rows to {@code fit}, which must not fit without privacy.
   */
  private static String rawRows() {
    return "; fit takes releases, and the fit of raw rows, which is NOT private, is fit-raw";
  }

  private static String withoutOption(
      List<String> unknown, CommandLine command, List<String> arguments) {
    String word = unknown.get(0);
    String what = "no option takes '" + word + "'";
    List<OptionSpec> files = files(command);
    Optional<String> file =
        files.stream()
            .map(OptionSpec::longestName)
            .filter(name -> files.size() == 1 || hasEnding(word, name))
            .findFirst();
    if (file.isPresent() && (hasEnding(word, file.get()) || spaced(unknown, arguments).isEmpty())) {
      return what + "; say " + file.get() + " " + word;
    }
    if (isFit(command) && hasEnding(word, ROWS)) {
      return what + rawRows();
    }
    return spaced(unknown, arguments)
        .map(quoted -> what + "; a name with spaces needs quotes: " + quoted)
        .orElseGet(
            () -> what + "; " + command.getCommandName() + " takes " + taken(command, files));
  }

  private static List<OptionSpec> files(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> option.paramLabel().matches("FILE(\\[.*)?"))
        .sorted(Comparator.comparing(OptionSpec::required).reversed())
        .toList();
  }

  private static boolean hasEnding(String word, String option) {
    return ENDINGS.getOrDefault(option, List.of()).stream()
        .anyMatch(word.toLowerCase(Locale.ROOT)::endsWith);
  }

  /** Returns the options that a user needs most: those that must be given, and those of files. */
  private static String taken(CommandLine command, List<OptionSpec> files) {
    String shown =
        Stream.concat(
                command.getCommandSpec().options().stream().filter(OptionSpec::required),
                files.stream())
            .distinct()
            .map(option -> option.longestName() + " " + option.paramLabel())
            .collect(Collectors.joining(", "));
    return shown.isEmpty() ? "options only" : "options: " + shown + " and more";
  }

  /**
   * Returns an option and its value in quotes, if the words that no option takes come right after a
   * value: then they may be its end.
   */
  private static Optional<String> spaced(List<String> unknown, List<String> arguments) {
    int at = arguments.indexOf(unknown.get(0));
    int end = at;
    while (end < arguments.size() && unknown.contains(arguments.get(end))) {
      end++;
    }
    String rest = String.join(" ", arguments.subList(at, end));
    String before = at > 0 ? arguments.get(at - 1) : "";
    if (isOption(before)) { // --option=value
      String[] parts = before.split("=", 2);
      return Optional.of(parts)
          .filter(each -> each.length == 2)
          .map(each -> each[0] + " '" + each[1] + " " + rest + "'");
    }
    return at > 1 && isOption(arguments.get(at - 2))
        ? Optional.of(arguments.get(at - 2) + " '" + before + " " + rest + "'")
        : Optional.empty();
  }
}

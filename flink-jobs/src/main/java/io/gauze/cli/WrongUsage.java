package io.gauze.cli;

import io.gauze.row.NearestName;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with the arguments, and what was probably meant. */
public final class WrongUsage implements IParameterExceptionHandler {
  /** The former name of the verb {@code fit}. */
  private static final String OLD_FIT = "solve";

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    boolean verb =
        !command.getSubcommands().isEmpty()
            && e instanceof UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption();
    if (verb) {
      String word = ((UnmatchedArgumentException) e).getUnmatched().get(0);
      err.println("gauze: " + unknownVerb(word, command));
    } else {
      err.println("gauze: " + e.getMessage() + rawRows(e));
      UnmatchedArgumentException.printSuggestions(e, err);
    }
    err.println("Try: ./" + command.getCommandSpec().qualifiedName() + " --help");
    err.flush();
    return ExitStatus.USAGE;
  }

  private static String unknownVerb(String word, CommandLine program) {
    return "there is no verb '"
        + word
        + "'; "
        + (word.equals(OLD_FIT)
            ? "it is called fit now"
            : "the nearest is " + NearestName.of(word, program.getSubcommands().keySet()));
  }

  /**
   * Returns a hint if the user passes raw rows to {@code fit}, which must not fit without privacy.
   */
  private static String rawRows(ParameterException e) {
    return e.getCommandLine().getCommandName().equals("fit")
            && e instanceof UnmatchedArgumentException unmatched
            && unmatched.getUnmatched().stream().anyMatch(word -> word.startsWith("--csv"))
        ? "; fit takes releases, and the fit of raw rows, which is NOT private, is fit-raw"
        : "";
  }
}

package io.gauze;

import io.gauze.cli.AdviseCommand;
import io.gauze.cli.AskCommand;
import io.gauze.cli.AuditCommand;
import io.gauze.cli.CalibrateCommand;
import io.gauze.cli.CheckCommand;
import io.gauze.cli.DeadLettersCommand;
import io.gauze.cli.ExitStatus;
import io.gauze.cli.FitCommand;
import io.gauze.cli.FitRawCommand;
import io.gauze.cli.FlinkClientContext;
import io.gauze.cli.LedgerCommand;
import io.gauze.cli.ReleasesCommand;
import io.gauze.cli.RunCommand;
import io.gauze.cli.SendCommand;
import io.gauze.cli.SketchCommand;
import io.gauze.cli.SolverCommand;
import io.gauze.cli.StopCommand;
import io.gauze.cli.UpCommand;
import io.gauze.cli.Version;
import io.gauze.demo.DemoCommand;
import io.gauze.local.CloseAtExit;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code gauze}: one verb a subcommand, which are listed here. */
@Command(
    name = "gauze",
    description =
        "Differentially private sketches of a row stream, and regressions fitted on them.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Exit status: 0 done; 1 the run failed; 2 wrong usage or config; 3 refused for privacy.",
      "",
      "Example:",
      "  gauze check --config wine.yaml"
    },
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      RunCommand.class,
      SendCommand.class,
      SolverCommand.class,
      StopCommand.class,
      SketchCommand.class,
      ReleasesCommand.class,
      FitCommand.class,
      AskCommand.class,
      AdviseCommand.class,
      CheckCommand.class,
      FitRawCommand.class,
      CalibrateCommand.class,
      AuditCommand.class,
      LedgerCommand.class,
      DeadLettersCommand.class
    })
public final class Main implements Runnable {
  /** If set, a failure is shown with its stack trace. */
  private static final String DEBUG = "GAUZE_DEBUG";

  /** Of a file that is shown, a terminal would take them for commands. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\n\r\t]]");

  /** What fits of releases were called before. */
  private static final String OLD_FIT = "solve";

  @Spec private CommandSpec spec;

  /**
   * Runs the verb and ends the JVM with its status. A JVM of Flink's is left alone: Flink goes on
   * when this returns, and is told of a failure by an exception where it is not {@code flink run}.
   */
  public static void main(String[] arguments) {
    try {
      int status = toConsole(commandLine()).execute(arguments);
      boolean guest = FlinkClientContext.isGuest();
      if (guest && status == ExitStatus.DONE) {
        return;
      }
      if (guest && !FlinkClientContext.isCommandLine()) {
        throw new IllegalStateException(
            "gauze ended with status " + status + "; standard error says why");
      }
      CloseAtExit.exit(status);
    } catch (Error e) {
      // Classes that load after Ctrl-C cannot register their hooks.
      if (!CloseAtExit.ending()) {
        throw e;
      }
    }
  }

  public static CommandLine commandLine() {
    return withHandlers(new CommandLine(new Main()));
  }

  /** Names are UTF-8 everywhere, whatever the console's language is. */
  private static CommandLine toConsole(CommandLine command) {
    return command
        .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
  }

  /** Errors and statuses as they are everywhere, for a command and the verbs that it has by now. */
  public static CommandLine withHandlers(CommandLine command) {
    return command
        .setExecutionStrategy(Main::executeAndCheckOutput)
        .setExitCodeExceptionMapper(ExitStatus::of)
        .setParameterExceptionHandler(wrongUsage())
        .setExecutionExceptionHandler(failure());
  }

  /** A full disk and a closed pipe are failures; else a script would take a part for the whole. */
  private static int executeAndCheckOutput(CommandLine.ParseResult parsed) {
    CommandLine command = parsed.commandSpec().commandLine();
    int status;
    try {
      status = new CommandLine.RunLast().execute(parsed);
    } catch (Error e) {
      if (CloseAtExit.ending()) {
        throw e;
      }
      return failed(e, broken(e), command);
    }
    if (status != ExitStatus.DONE || !lastOf(parsed).getOut().checkError()) {
      return status;
    }
    command.getErr().println("gauze: the output could not be written to its end");
    command.getErr().flush();
    return ExitStatus.FAILED;
  }

  private static CommandLine lastOf(CommandLine.ParseResult parsed) {
    List<CommandLine> all = parsed.asCommandLineList();
    return all.get(all.size() - 1);
  }

  /** Without a verb. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a verb is missing");
  }

  private static IParameterExceptionHandler wrongUsage() {
    return (e, arguments) -> {
      CommandLine command = e.getCommandLine();
      PrintWriter err = command.getErr();
      err.println("gauze: " + complaint(e));
      UnmatchedArgumentException.printSuggestions(e, err);
      err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
      err.flush();
      return ExitStatus.USAGE;
    };
  }

  private static String complaint(ParameterException e) {
    boolean wantsVerb = !e.getCommandLine().getSubcommands().isEmpty();
    return wantsVerb
            && e instanceof UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption()
        ? "there is no verb '" + unmatched.getUnmatched().get(0) + "'" + renamed(unmatched)
        : e.getMessage() + rawRows(e);
  }

  private static String renamed(UnmatchedArgumentException e) {
    return e.getUnmatched().get(0).equals(OLD_FIT) ? "; it is called fit now" : "";
  }

  /** Nobody may get a fit without privacy by the obvious verb. */
  private static String rawRows(ParameterException e) {
    return e.getCommandLine().getCommandName().equals("fit")
            && e instanceof UnmatchedArgumentException unmatched
            && unmatched.getUnmatched().stream().anyMatch(word -> word.startsWith("--csv"))
        ? "; fit takes releases, and the fit of raw rows, which is NOT private, is fit-raw"
        : "";
  }

  private static IExecutionExceptionHandler failure() {
    return (e, command, parsed) -> failed(e, reason(e), command);
  }

  private static int failed(Throwable e, String reason, CommandLine command) {
    PrintWriter err = command.getErr();
    err.println("gauze: " + CONTROL.matcher(reason).replaceAll("?"));
    if (System.getenv(DEBUG) != null) {
      e.printStackTrace(err);
    }
    err.flush();
    return ExitStatus.of(e);
  }

  /** What no verb expects: the last resort, so that nobody is shown a stack trace unasked. */
  private static String broken(Error e) {
    String where = " (" + e.getClass().getSimpleName() + "; " + DEBUG + "=1 shows where)";
    return e instanceof OutOfMemoryError
        ? "the memory does not suffice; give Java more, such as GAUZE_JAVA_OPTS=-Xmx4g" + where
        : "this is a bug of Gauze, please report it" + where;
  }

  private static String reason(Exception thrown) {
    Exception e = thrown instanceof UncheckedIOException wrapped ? wrapped.getCause() : thrown;
    String message = e.getMessage();
    boolean told = !(e instanceof RuntimeException);
    String text = message == null || message.isBlank() ? e.getClass().getSimpleName() : message;
    return told
        ? text
        : text + " (" + e.getClass().getSimpleName() + "; " + DEBUG + "=1 shows where)";
  }
}

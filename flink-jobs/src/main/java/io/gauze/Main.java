package io.gauze;

import io.gauze.cli.AdviseCommand;
import io.gauze.cli.AskCommand;
import io.gauze.cli.AuditCommand;
import io.gauze.cli.CalibrateCommand;
import io.gauze.cli.CheckCommand;
import io.gauze.cli.DeadLettersCommand;
import io.gauze.cli.FitCommand;
import io.gauze.cli.FitRawCommand;
import io.gauze.cli.HelpCommand;
import io.gauze.cli.InitCommand;
import io.gauze.cli.LedgerCommand;
import io.gauze.cli.PredictCommand;
import io.gauze.cli.ReleasesCommand;
import io.gauze.cli.RunCommand;
import io.gauze.cli.SendCommand;
import io.gauze.cli.ServeCommand;
import io.gauze.cli.SketchCommand;
import io.gauze.cli.SolverCommand;
import io.gauze.cli.StopCommand;
import io.gauze.cli.UpCommand;
import io.gauze.cli.VerbList;
import io.gauze.cli.WrongUsage;
import io.gauze.cli.flink.FlinkClientContext;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.Version;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code gauze}, with a subcommand for each verb. */
@Command(
    name = "gauze",
    description =
        "Differentially private sketches of a row stream, and regressions fitted on them.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Exit status: 0 done; 1 the run failed; 2 wrong usage or config; 3 refused for privacy.",
      "",
      "Example:",
      "  ./gauze check --offline --config examples/wine.yaml"
    },
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      InitCommand.class,
      RunCommand.class,
      SendCommand.class,
      SolverCommand.class,
      ServeCommand.class,
      StopCommand.class,
      SketchCommand.class,
      ReleasesCommand.class,
      FitCommand.class,
      PredictCommand.class,
      AskCommand.class,
      AdviseCommand.class,
      CheckCommand.class,
      FitRawCommand.class,
      CalibrateCommand.class,
      AuditCommand.class,
      LedgerCommand.class,
      DeadLettersCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  /** The environment variable that adds the stack trace to a failure. */
  private static final String DEBUG = "GAUZE_DEBUG";

  /** Control characters, which a terminal would obey if a file's text were shown as it is. */
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\n\r\t]]");

  @Spec private CommandSpec spec;

  /**
   * Runs the verb and ends the JVM with its status. If Flink called, the JVM goes on when this
   * returns, and an exception reports a failure; only the JVM of {@code flink run} is ended with a
   * status other than 0.
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
      // After Ctrl-C, classes that register a shutdown hook fail to load.
      if (!CloseAtExit.ending()) {
        throw e;
      }
    }
  }

  /** Returns the command line with all verbs. */
  public static CommandLine commandLine() {
    CommandLine command = new CommandLine(new Main());
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, VerbList::text);
    return withHandlers(command);
  }

  /** Sets the output to UTF-8, whatever the console's language is. */
  private static CommandLine toConsole(CommandLine command) {
    return command
        .setOut(new PrintWriter(System.out, true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
  }

  /** Sets the handlers of errors and statuses of a command and its current subcommands. */
  public static CommandLine withHandlers(CommandLine command) {
    return command
        .setExecutionStrategy(Main::executeAndCheckOutput)
        .setExitCodeExceptionMapper(ExitStatus::of)
        .setParameterExceptionHandler(new WrongUsage())
        .setExecutionExceptionHandler(failure());
  }

  /**
   * Returns a failure if the output could not be written, as with a full disk or a closed pipe.
   * Otherwise a script would take a part of the output for all of it.
   */
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

  /** Reports that the verb is missing. */
  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a verb is missing");
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

  /**
   * Returns the message of an error that no verb expects, so that no stack trace is shown by
   * default.
   */
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

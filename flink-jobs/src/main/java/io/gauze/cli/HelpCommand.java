package io.gauze.cli;

import io.gauze.cli.option.ExitStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The verb {@code help}: prints what {@code --help} prints. */
@Command(
    name = "help",
    description =
        "Prints the help of a verb, as VERB --help does; without a verb, the list of all.",
    helpCommand = true,
    footer = {"", "Examples:", "  ./gauze help", "  ./gauze help fit"})
public final class HelpCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "VERB", description = "The verb (default: all).")
  private Optional<String> verb = Optional.empty();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine program = spec.parent().commandLine();
    CommandLine shown =
        verb.map(name -> program.getSubcommands().get(name.strip())).orElse(program);
    if (verb.isPresent() && shown == program) {
      throw new UnmatchedArgumentException(program, List.of(verb.get()));
    }
    shown.usage(spec.commandLine().getOut());
    return ExitStatus.DONE;
  }
}

package io.gauze.cli;

import io.gauze.config.ConfigTemplate;
import io.gauze.source.CsvHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code init}: prints a config for the columns of a file. */
@Command(
    name = "init",
    description = {
      "Prints a config with comments for the columns of a CSV file. Ranges, typical values and"
          + " categories are left open as \"?\", since they must be public knowledge; check names"
          + " those that are still open.",
      "Reads the header, and of at most 1000 rows whether a column holds numbers or texts; no value"
          + " of a row is printed."
    },
    footer = {
      "",
      "Example:",
      "  ./gauze init --csv winequality-white.csv > wine.yaml",
      "  ./gauze check --offline --config wine.yaml"
    })
public final class InitCommand implements Callable<Integer> {
  @Option(
      names = "--csv",
      paramLabel = "FILE",
      required = true,
      description = "Rows with a header line, gzip too, - for standard input.")
  private String csv;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (!csv.equals("-") && (!Files.isReadable(Path.of(csv)) || Files.isDirectory(Path.of(csv)))) {
      throw new ParameterException(
          spec.commandLine(), "--csv must be a file that can be read. Provided value: " + csv);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(ConfigTemplate.of(csv.equals("-") ? "rows" : csv, CsvHeader.read(csv)));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    err.println(
        "Next: save this as a FILE, replace each \"?\", and see what it means by"
            + " ./gauze check --offline --config FILE");
    err.flush();
    return ExitStatus.DONE;
  }
}

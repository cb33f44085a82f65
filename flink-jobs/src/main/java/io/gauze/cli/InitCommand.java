package io.gauze.cli;

import io.gauze.cli.option.CommandMessage;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.ReportOption;
import io.gauze.config.ConfigTemplate;
import io.gauze.message.Message;
import io.gauze.report.Messages;
import io.gauze.source.file.CsvHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Option(
      names = "--numeric-names",
      description = "Names in the header may be numbers, such as years.")
  private boolean numericNames;

  @Option(
      names = "--expected-rows",
      paramLabel = "N",
      description =
          "A public guess of the number of rows in an epoch, at least 1: delta is chosen for it."
              + " Not a count of the rows.")
  private Optional<Long> expectedRows = Optional.empty();

  @Mixin private CsvFileOptions csvOptions;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (expectedRows.isPresent() && expectedRows.get() < 1) {
      throw new ParameterException(
          spec.commandLine(),
          "--expected-rows must be at least 1. Provided value: " + expectedRows.get());
    }
    CsvFileOptions.requireReadable(spec, csv);
    CsvHeader header = CsvHeader.read(csv, csvOptions.read(spec), numericNames);
    OptionalLong rows = expectedRows.map(OptionalLong::of).orElse(OptionalLong.empty());
    PrintWriter out = spec.commandLine().getOut();
    out.print(ConfigTemplate.of(csv.equals("-") ? "rows" : csv, header, rows));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    Messages.all("warning: ", warnings(header)).forEach(err::println);
    next().forEach(err::println);
    err.flush();
    return ExitStatus.DONE;
  }

  private List<String> next() {
    String save = "Next, save this as a FILE, and replace each \"?\".";
    if (csv.equals("-")) {
      return List.of(save, "See what it means:  ./gauze check --offline --config FILE");
    }
    String rows = " --config FILE --csv " + ReportOption.quoted(csv);
    return List.of(
        save,
        "See what becomes of the rows:  ./gauze check" + rows,
        "Make a release:  ./gauze sketch" + rows + " --out releases");
  }

  /** Says what the columns show of how the file is written. */
  private static List<Message> warnings(CsvHeader header) {
    List<Message> warnings = new ArrayList<>();
    List<String> others =
        header.columns().stream()
            .filter(CsvHeader.Field::otherDecimal)
            .map(CsvHeader.Field::name)
            .toList();
    if (!others.isEmpty()) {
      warnings.add(CommandMessage.DECIMAL.of(String.join(", ", others)));
    }
    if (header.columns().size() == 1) {
      warnings.add(CommandMessage.ONECOLUMN.of());
    }
    header
        .fault()
        .ifPresent(
            fault ->
                warnings.add(
                    CommandMessage.FAULTYROWS.of().with("The first is in " + fault + ".")));
    return warnings;
  }
}

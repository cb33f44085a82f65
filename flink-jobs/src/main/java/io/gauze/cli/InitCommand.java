package io.gauze.cli;

import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.ReportOption;
import io.gauze.config.ConfigTemplate;
import io.gauze.source.file.CsvHeader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Mixin private CsvFileOptions csvOptions;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    CsvFileOptions.requireReadable(spec, csv);
    CsvHeader header = CsvHeader.read(csv, csvOptions.read(spec), numericNames);
    PrintWriter out = spec.commandLine().getOut();
    out.print(ConfigTemplate.of(csv.equals("-") ? "rows" : csv, header));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    warnings(header).forEach(warning -> err.println("warning: " + warning));
    err.println(
        csv.equals("-")
            ? "Next: save this as a FILE, replace each \"?\", and see what it means by"
                + " ./gauze check --offline --config FILE"
            : "Next: save this as a FILE, replace each \"?\", and see what becomes of the rows by"
                + " ./gauze check --config FILE --csv "
                + ReportOption.quoted(csv)
                + ", then release by ./gauze sketch --config FILE --csv "
                + ReportOption.quoted(csv)
                + " --out releases");
    err.flush();
    return ExitStatus.DONE;
  }

  /** Says what the columns show of how the file is written. */
  private static List<String> warnings(CsvHeader header) {
    List<String> warnings = new ArrayList<>();
    List<String> others =
        header.columns().stream()
            .filter(CsvHeader.Field::otherDecimal)
            .map(CsvHeader.Field::name)
            .toList();
    if (!others.isEmpty()) {
      warnings.add(
          "columns "
              + String.join(", ", others)
              + " hold numbers with another decimal character: give --decimal , for commas, and"
              + " leave it out for points");
    }
    if (header.columns().size() == 1) {
      warnings.add(
          "the header has one column; values are separated by comma, semicolon, tab or bar, and a"
              + " fit needs two columns");
    }
    header
        .fault()
        .ifPresent(fault -> warnings.add("some of the first rows cannot be read, " + fault));
    return warnings;
  }
}

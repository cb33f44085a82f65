package io.gauze.cli;

import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.NoFitException;
import io.gauze.cli.option.ReportOption;
import io.gauze.cli.option.ScaledFitOptions;
import io.gauze.cli.rows.RawRows;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.fit.FitReport;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.report.RangeLines;
import io.gauze.row.RowSchema;
import io.gauze.source.file.CsvRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code fit-raw}: fits raw rows without privacy. */
@Command(
    name = "fit-raw",
    description = {
      "NOT PRIVATE: fits the raw rows of a file, for comparison with fits on releases only.",
      "Rows are clamped and scaled as the stream's are, but neither clipped nor rounded. No broker"
          + " is needed."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze fit-raw --config examples/wine.yaml --csv winequality-white.csv \\",
      "      --response quality",
      "  ./gauze fit-raw --config examples/wine.yaml --csv - --response pH"
    })
public final class FitRawCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      required = true,
      description = "Rows with a header line, gzip too, - for standard input.")
  private String csv;

  @Mixin private CsvFileOptions csvOptions;

  @Mixin private ScaledFitOptions options;

  @Mixin private ReportOption page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException, NoFitException {
    PrintWriter err = spec.commandLine().getErr();
    err.println("NOT PRIVATE: this fit comes from the rows themselves, for comparison only");
    err.flush(); // before anything can fail
    StreamConfig stream = config.read();
    stream.requireKnownRanges("gauze fit-raw");
    RowSchema schema = stream.schema();
    RegressionProblem problem = options.problem(schema);
    FitReport.Scale scale = new FitReport.Scale(schema, options.userUnits(), options.level());
    page.check();
    RawRows raw = read(stream);
    FitOutcome outcome = Regression.fit(raw.rows(), problem);
    if (outcome instanceof FitOutcome.Refused refused) {
      throw new NoFitException(refused.reason());
    }
    FitReport report = FitReport.ofRows(((FitOutcome.Fitted) outcome).fit(), raw.rows(), scale);
    options.print(report);
    options.write(page, report);
    return ExitStatus.DONE;
  }

  private RawRows read(StreamConfig stream) throws IOException, NoFitException {
    RowSchema schema = stream.schema();
    CsvFileOptions.requireReadable(spec, csv);
    PrintWriter err = spec.commandLine().getErr();
    try (CsvRows records = CsvRows.open(csv, csvOptions.read(spec), CsvRows.Reader.of(schema))) {
      RawRows raw = RawRows.read(records, schema);
      raw.leftOut().warning(raw.rows().rows()).forEach(err::println);
      RangeLines.of(raw.counts(), stream.choosesBounds()).forEach(err::println);
      err.flush();
      if (raw.rows().rows() == 0) {
        throw new NoFitException(csv + " has no row that can be used");
      }
      return raw;
    }
  }
}

package io.gauze.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FitOptions;
import io.gauze.cli.option.NoFitException;
import io.gauze.cli.release.ReleaseOptions;
import io.gauze.cli.rows.LeftOutRows;
import io.gauze.config.ConfigException;
import io.gauze.fit.BestFit;
import io.gauze.fit.FeatureRows;
import io.gauze.fit.PredictionReport;
import io.gauze.fit.PredictionReport.Interval;
import io.gauze.report.PredictionTable;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.file.CsvRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code predict}: predictions of a fit of releases, which cost no more privacy. */
@Command(
    name = "predict",
    description = {
      "Predicts the response of rows from a release, with intervals. Costs no more privacy.",
      "Rows need the features alone, with the values that rows of the stream have. A number beyond"
          + " its range is moved to the end of it, as in a row of the stream, which is said."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze demo",
      "  ./gauze predict --release gauze-demo/smart-meters/moments.avro \\",
      "      --response kwh --features occupants --row '{\"occupants\": 3}'",
      "  ./gauze predict --config examples/meters.yaml --response kwh --csv FILE"
    })
public final class PredictCommand implements Callable<Integer> {
  @Mixin private ReleaseOptions releases;

  @Mixin private FitOptions options;

  @Option(
      names = "--row",
      paramLabel = "JSON",
      description = "A row: a JSON object with the fields of the features. May be given often.")
  private List<String> rows = List.of();

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Rows with a header line, gzip too, - for standard input.")
  private Optional<String> csv;

  @Mixin private CsvFileOptions csvOptions;

  @Option(
      names = "--interval",
      paramLabel = "KIND",
      defaultValue = "confidence",
      description =
          "confidence, of the mean response of such rows (default), or prediction, of one further"
              + " row, if residuals are normal and of one variance.")
  private String interval;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException, NoFitException {
    releases.check();
    if (rows.isEmpty() == csv.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "give either --row, a JSON object, or --csv, a file of rows");
    }
    double level = options.level();
    Interval kind = options.checked(() -> Interval.of("--interval", interval));
    List<JsonNode> given = given();
    PrintWriter err = spec.commandLine().getErr();
    BestFit fit = new FitRun(options, err).fit(releases.read());
    releases.sayIfEmpty(fit, err);
    List<JsonNode> all = csv.isPresent() ? ofFile(fit) : given;
    try {
      PredictionReport report = PredictionReport.of(fit, all, level, kind);
      options.print(
          PredictionTable.of(report, options.wholeGuarantee()), () -> PredictionTable.csv(report));
    } catch (RowRejectedException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    return ExitStatus.DONE;
  }

  private List<JsonNode> given() {
    List<JsonNode> all = new ArrayList<>();
    for (String row : rows) {
      try {
        all.add(RequestReader.object(row.getBytes(StandardCharsets.UTF_8)));
      } catch (RequestException e) {
        throw new ParameterException(spec.commandLine(), "--row: " + e.getMessage(), e);
      }
    }
    return all;
  }

  /** Returns the rows of the file; a missing node for each that cannot be predicted. */
  private List<JsonNode> ofFile(BestFit fit) throws IOException {
    BestFit.Attempt best = fit.best().orElseThrow();
    RowSchema schema = best.source().schema();
    FeatureRows features = new FeatureRows(schema, best.fit().orElseThrow().problem());
    RowSchema needed = RowSchema.of(features.columns(), schema.intercept());
    List<JsonNode> all = new ArrayList<>();
    LeftOutRows leftOut = new LeftOutRows();
    try (CsvRows file =
        CsvRows.open(csv.orElseThrow(), csvOptions.read(spec), CsvRows.Reader.ofFeatures(needed))) {
      while (file.hasNext()) {
        try {
          JsonNode row = RequestReader.object(file.next());
          features.encode(row);
          all.add(row);
        } catch (RowRejectedException | RequestException e) {
          leftOut.add(e.getMessage(), file.line());
          all.add(MissingNode.getInstance());
        }
      }
    }
    if (all.isEmpty()) {
      throw new IOException(csv.orElseThrow() + " has no rows after its header");
    }
    PrintWriter err = spec.commandLine().getErr();
    leftOut.warning(all.size() - leftOut.rows()).forEach(err::println);
    err.flush();
    return all;
  }
}

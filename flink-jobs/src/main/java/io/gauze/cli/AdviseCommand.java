package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.Advisor;
import io.gauze.regression.Advisor.Advice;
import io.gauze.regression.ErrorSearch;
import io.gauze.regression.Loss;
import io.gauze.regression.NominalModel;
import io.gauze.report.AdviceTable;
import io.gauze.row.Grid;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code advise}: recommends a mechanism before any row is read. */
@Command(
    name = "advise",
    description = {
      "How accurate a fit of each mechanism's releases can be expected to be, for a config's"
          + " columns and budget and a number of rows, each mechanism with the whole budget; and"
          + " which to take. Reads no row.",
      "Columns are expected to depend on each other as those of reference data do. For half of"
          + " these the real excess was between a fourth and four times of the predicted one."
    },
    footer = {
      "",
      "Examples:",
      "  gauze advise --config wine.yaml --rows 4898",
      "  gauze advise --config wine.yaml --rows 4898 --error 1%%"
    })
public final class AdviseCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Option(
      names = "--rows",
      paramLabel = "N",
      converter = WholeNumber.class,
      description = {
        "The rows expected in an epoch and group: a public guess.",
        "With cumulative, those of the last release.",
        "Default: expectedRows of the config."
      })
  private Optional<Long> rows = Optional.empty();

  @Option(
      names = "--loss",
      paramLabel = "LOSS",
      defaultValue = "ridge",
      description = {
        "What is to be fitted: ridge (any squared loss), lad (any quantile) or logistic (log odds"
            + " of a label).",
        "Default: ${DEFAULT-VALUE}."
      })
  private String loss;

  @Option(
      names = "--error",
      paramLabel = "SHARE",
      converter = Share.Reader.class,
      description = {
        "A predicted excess that is wanted, such as 1%% or 0.01: also prints the epsilon that it"
            + " takes with these rows, and the rows that it takes with this epsilon."
      })
  private Optional<Share> error = Optional.empty();

  @Option(
      names = "--explained",
      paramLabel = "SHARE",
      converter = Share.Reader.class,
      description = {
        "How much of the response's variance the features are expected to explain, R squared: a"
            + " public guess. Default: 50%%."
      })
  private Share explained = new Share(NominalModel.EXPLAINED);

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException {
    Loss asked = loss();
    OptionalLong expected = StreamConfig.expectedRows(config.file());
    long number = rows(expected);
    StreamRequest request = StreamConfig.requestWithoutSketches(config.file(), number);
    List<Advice> advice = Advisor.of(request, asked, explained.value());
    AdviceTable table =
        new AdviceTable(loss, number, request.schema().rowBound(), explained.value(), advice);
    Optional<AdviceTable.Wanted> wanted = Optional.empty();
    if (error.isPresent()) {
      wanted = Optional.of(wanted(request, asked, advice, error.get()));
    }
    format.print(table.report(wanted, note(number, expected)));
    return ExitStatus.DONE;
  }

  private long rows(OptionalLong expected) {
    if (rows.isEmpty() && expected.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--rows is missing, and the config has no expectedRows: give the rows expected in an"
              + " epoch and group, a public guess, such as --rows 100000");
    }
    long number = rows.orElseGet(expected::getAsLong);
    if (number < 1 || number > Grid.MAX_ROWS) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT, "--rows must be in [1, %d]. Provided value: %d", Grid.MAX_ROWS, number));
    }
    return number;
  }

  private Loss loss() {
    return switch (loss) {
      case "ridge" -> Loss.SQUARED;
      case "lad" -> Loss.ABSOLUTE;
      case "logistic" -> Loss.LOGISTIC;
      default ->
          throw new ParameterException(
              spec.commandLine(), "--loss must be ridge, lad or logistic. Provided value: " + loss);
    };
  }

  private AdviceTable.Wanted wanted(
      StreamRequest request, Loss asked, List<Advice> advice, Share share) {
    ErrorSearch search = new ErrorSearch(this::request, asked, explained.value(), share.value());
    double epsilon = request.budget().epsilon();
    Map<String, AdviceTable.Needs> needs = new LinkedHashMap<>();
    for (Advice one : advice) {
      needs.put(
          one.mechanism(),
          new AdviceTable.Needs(
              search.epsilon(one.mechanism(), epsilon, request.expectedRows()),
              search.rows(one.mechanism(), epsilon, request.expectedRows())));
    }
    return new AdviceTable.Wanted(share.value(), share.percent(), epsilon, needs);
  }

  private StreamRequest request(double epsilon, long number) {
    try {
      return StreamConfig.requestWithoutSketches(config.file(), number, epsilon);
    } catch (ConfigException e) { // the config was read before
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** Says that a job plans by the rows that the config expects. */
  private String note(long number, OptionalLong expected) throws ConfigException {
    if (expected.isPresent() && expected.getAsLong() == number) {
      return "";
    }
    long planned = expected.orElse(StreamConfig.DEFAULT_EXPECTED_ROWS);
    return String.format(
        Locale.ROOT,
        "This is for a config that says expectedRows: %d. Yours %s %d, by which a job plans its row"
            + " bound (%.3g) and sizes: change it to get what is predicted here.",
        number,
        expected.isPresent() ? "says" : "says nothing, which means",
        planned,
        StreamConfig.requestWithoutSketches(config.file(), planned).schema().rowBound());
  }
}

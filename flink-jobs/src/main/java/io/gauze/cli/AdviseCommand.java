package io.gauze.cli;

import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.ReportOption;
import io.gauze.cli.option.Share;
import io.gauze.cli.option.WholeNumber;
import io.gauze.config.ConfigException;
import io.gauze.config.ConfiguredStream;
import io.gauze.report.AdvicePage;
import io.gauze.report.AdviceQuestion;
import io.gauze.report.AdviceReport;
import io.gauze.summary.Progress;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
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
      "Shows the mechanisms that people should take, and --all every one.",
      "Columns are expected to depend on each other as those of reference data do. For half of"
          + " these the real excess was between a fourth and four times of the predicted one."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze advise --config examples/wine.yaml --rows 4898",
      "  ./gauze advise --config examples/wine.yaml --rows 4898 --error 1%%",
      "  ./gauze advise --config examples/wine.yaml --rows 4898 --all"
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
      names = "--epsilon",
      paramLabel = "E",
      description = "Another epsilon of the whole budget. Default: that of the config.")
  private Optional<Double> epsilon = Optional.empty();

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
  private Share explained = new Share(AdviceQuestion.USUAL_EXPLAINED);

  @Option(
      names = "--all",
      description = {
        "Also show special mechanisms and those of papers. Without it: those of docs/choose.md,"
            + " and those that the config names."
      })
  private boolean all;

  @Mixin private ReportOption report;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException {
    report.check();
    ConfiguredStream stream = ConfiguredStream.read(config.file());
    error.ifPresent(
        share ->
            new Progress(spec.commandLine().getErr())
                .stage("looking for what an excess of " + share.percent() + " takes"));
    AdviceReport.Answer answer = answer(stream);
    format.print(answer.report());
    stream.hint().ifPresent(format::hint);
    AdvicePage page = new AdvicePage(answer);
    report.write(page::html, page::plot);
    return ExitStatus.DONE;
  }

  private AdviceReport.Answer answer(ConfiguredStream stream) {
    try {
      AdviceQuestion question =
          new AdviceQuestion(
              loss,
              rows.map(OptionalLong::of).orElse(OptionalLong.empty()),
              epsilon.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
              error.map(share -> new AdviceQuestion.Wanted(share.value(), share.percent())),
              explained.value(),
              all);
      return AdviceReport.answer(stream, question);
    } catch (IllegalArgumentException e) { // its message begins with the name of the option
      throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
    }
  }
}

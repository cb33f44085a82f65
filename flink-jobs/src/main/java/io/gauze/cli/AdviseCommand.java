package io.gauze.cli;

import com.fasterxml.jackson.databind.node.NullNode;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.StreamRequest;
import io.gauze.regression.Advisor;
import io.gauze.regression.Advisor.Advice;
import io.gauze.regression.Loss;
import io.gauze.report.Columns;
import io.gauze.report.Report;
import io.gauze.row.Grid;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
      "What a fit of each mechanism's releases can be expected to cost, for a config's columns and"
          + " budget and a number of rows, each mechanism with the whole budget; and which to"
          + " take.",
      "Predicted for rows of independent columns, three deviations to each end of their ranges,"
          + " nine tenths explained."
    },
    footer = {"", "Example:", "  gauze advise --config wine.yaml --rows 4898"})
public final class AdviseCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Option(
      names = "--rows",
      required = true,
      paramLabel = "N",
      description = {
        "The rows expected in an epoch and group: a public guess.",
        "With cumulative, those of the last release."
      })
  private long rows;

  @Option(
      names = "--loss",
      paramLabel = "LOSS",
      defaultValue = "ridge",
      description = {
        "What is to be fitted: ridge (any squared loss) or lad (any quantile).",
        "Default: ${DEFAULT-VALUE}."
      })
  private String loss;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException {
    if (rows < 1 || rows > Grid.MAX_ROWS) {
      throw new ParameterException(
          spec.commandLine(),
          String.format(
              Locale.ROOT, "--rows must be in [1, %d]. Provided value: %d", Grid.MAX_ROWS, rows));
    }
    StreamRequest request = StreamConfig.requestWithoutSketches(config.file(), rows);
    List<Advice> advice = Advisor.of(request, loss());
    format.print(report(advice));
    return ExitStatus.DONE;
  }

  private Loss loss() {
    return switch (loss) {
      case "ridge" -> Loss.SQUARED;
      case "lad" -> Loss.ABSOLUTE;
      default ->
          throw new ParameterException(
              spec.commandLine(), "--loss must be ridge or lad. Provided value: " + loss);
    };
  }

  private Report report(List<Advice> advice) {
    Columns<Advice> columns =
        Columns.<Advice>create()
            .add("mechanism", "mechanism", Advice::mechanism)
            .field("parameters", one -> new TreeMap<>(one.parameters()))
            .add(
                "predictedExcess",
                "predicted excess",
                one ->
                    one.predictedExcess().isPresent()
                        ? one.predictedExcess().getAsDouble()
                        : NullNode.instance,
                one ->
                    one.predictedExcess().isPresent()
                        ? String.format(
                            Locale.ROOT, "%.3g %%", 100.0 * one.predictedExcess().getAsDouble())
                        : "-")
            .add("usable", "usable", Advice::usable, one -> one.usable() ? "yes" : "no")
            .cell("at", one -> sizes(one.parameters()))
            .add("why", "why", Advice::why);
    Optional<Advice> best = advice.stream().filter(Advice::usable).findFirst();
    return new Report()
        .field("rows", rows)
        .field("loss", loss)
        .list("mechanisms", columns, advice)
        .field("recommended", best.<Object>map(Advice::mechanism).orElse(NullNode.instance))
        .field("reason", recommendation(best))
        .gap()
        .text(recommendation(best));
  }

  /**
   * Lists the sizes of a sketch that a config can choose, without the noise that follows from them.
   */
  private static String sizes(Map<String, Double> parameters) {
    StringBuilder sizes = new StringBuilder();
    for (String name :
        List.of(
            "rows", "buckets", "strata", "levels", "samplingBase", "bins", "degreesOfFreedom")) {
      if (parameters.containsKey(name)) {
        sizes.append(sizes.isEmpty() ? "" : ", ");
        sizes.append(String.format(Locale.ROOT, "%s %d", name, Math.round(parameters.get(name))));
      }
    }
    return sizes.isEmpty() ? "-" : sizes.toString();
  }

  private String recommendation(Optional<Advice> best) {
    if (best.isEmpty()) {
      return String.format(
          Locale.ROOT,
          "Nothing here is of use for %s with %,d rows and this budget: expect more rows an epoch,"
              + " take fewer columns or tighter ranges, or spend a larger epsilon.",
          loss,
          rows);
    }
    return String.format(
        Locale.ROOT,
        "Take %s: the least predicted excess for %s, %.3g %%, of those that are usable.",
        best.get().mechanism(),
        loss,
        100.0 * best.get().predictedExcess().orElseThrow());
  }
}

package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How much worse models of one question are on reference data, beside sketches of all of them. */
final class ModelTables {
  static final String MODELS = "models";
  static final String SQUARES = "squares";

  /** The word for all tables of models. */
  static final String ALL = "all-models";

  static final List<String> TABLES =
      List.of(MODELS, SQUARES, SelectFitTable.TABLE, Tracks.TABLE, EstimatedRangesTable.TABLE);

  private final int releases;
  private final PrintStream out;

  ModelTables(int releases, PrintStream out) {
    this.releases = releases;
    this.out = out;
  }

  void printModels(List<AccuracyData> sets, List<String> epsilons)
      throws IOException, ConfigException {
    out.println(
        "\n| data | epsilon | LAD by huber: excess, % | predicted, % | by strata: excess, % | predicted, % |"
            + " 0.9 by quantile: excess, % | predicted, % | by strata: excess, % | predicted, % |");
    out.println("|---|---|---|---|---|---|---|---|---|---|");
    print(AccuracyQuestion.MODELS, sets, epsilons);
  }

  void printSquares(List<AccuracyData> sets, List<String> epsilons)
      throws IOException, ConfigException {
    out.println(
        "\n| data | epsilon | ridge by objective-perturbation: excess, % | predicted, % | by moments:"
            + " excess, % | predicted, % |");
    out.println("|---|---|---|---|---|---|");
    print(AccuracyQuestion.SQUARES, sets, epsilons);
  }

  private void print(
      List<AccuracyQuestion> questions, List<AccuracyData> sets, List<String> epsilons)
      throws IOException, ConfigException {
    for (AccuracyData data : sets) {
      for (String epsilon : epsilons) {
        List<String> cells = new ArrayList<>();
        for (AccuracyQuestion question : questions) {
          cells.add(question.measured(data, epsilon, releases).cells());
        }
        out.printf(
            Locale.ROOT, "| %s | %s | %s |%n", data.name(), epsilon, String.join(" | ", cells));
      }
    }
  }
}

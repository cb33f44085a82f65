package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import io.gauze.regression.Loss;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How often intervals of 95 % contain the coefficient of the fit without privacy: ridge with a
 * lambda that the bootstrap chooses from noisy moments, and least absolute deviations from strata.
 */
final class CoverageTable {
  static final String TABLE = "coverage";

  static final List<String> EPSILONS = List.of("0.1", "1.0");

  private static final List<String> REFERENCE = List.of("wine", "california", "diamonds");
  private static final List<AccuracyQuestion> QUESTIONS =
      List.of(
          AccuracyQuestion.RIDGE,
          new AccuracyQuestion("lad", Loss.ABSOLUTE, 1.0, "stratified-moments"));
  private static final double PERCENT = 100.0;

  private final int releases;
  private final PrintStream out;

  CoverageTable(int releases, PrintStream out) {
    this.releases = releases;
    this.out = out;
  }

  /** Returns the data sets of the table: some of the reference, and the meters. */
  static List<AccuracyData> data(List<AccuracyData> reference) throws IOException {
    return Stream.concat(
            reference.stream().filter(data -> REFERENCE.contains(data.name())),
            Stream.of(AccuracyData.meters()))
        .toList();
  }

  void print(List<AccuracyData> sets, List<String> epsilons) throws IOException, ConfigException {
    out.println(
        "\n| data, rows | epsilon | fit | covered, % | least of a coefficient, % | releases with an"
            + " interval, % | intervals given, % | median width | standard error / real error |");
    out.println("|---|---|---|---|---|---|---|---|---|");
    for (AccuracyData data : sets) {
      for (String epsilon : epsilons) {
        for (AccuracyQuestion question : QUESTIONS) {
          print(data, epsilon, question);
        }
      }
    }
  }

  private void print(AccuracyData data, String epsilon, AccuracyQuestion question)
      throws IOException, ConfigException {
    AccuracySample sample =
        AccuracySample.of(data.withMechanism(question.mechanism()).withEpsilon(epsilon));
    MeasuredFits fits = new MeasuredFits(sample, question, releases);
    out.printf(
        Locale.ROOT,
        "| %s, %,d | %s | %s | %s | %s | %s | %s | %s | %s |%n",
        data.name(),
        sample.rows().rows(),
        epsilon,
        question.name(),
        cell("%.1f", PERCENT * fits.coverage()),
        cell("%.1f", PERCENT * fits.leastCoverage()),
        cell("%.1f", PERCENT * fits.withIntervals()),
        cell("%.1f", PERCENT * fits.given()),
        cell("%.2g", fits.intervalWidth()),
        cell("%.2f", fits.width()));
  }

  private static String cell(String format, double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
  }
}

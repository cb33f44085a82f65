package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * Fits where little or nothing can be learnt: how much worse they are than the best constant. Zero
 * is as good as no fit.
 */
final class NothingToLearn {
  static final String TABLE = "nothing";
  static final String MECHANISMS = "mechanisms";

  private static final List<String> EPSILONS = List.of("0.01", "0.1", "1.0", "10.0");
  private static final List<String> OTHERS =
      List.of(
          "functional",
          "wishart",
          "inverse-wishart",
          "jl",
          "count-sketch",
          "ada-ssp, response: y",
          "stratified-moments",
          "residual-strata");

  private final int releases;
  private final PrintStream out;

  NothingToLearn(int releases, PrintStream out) {
    this.releases = releases;
    this.out = out;
  }

  void print(List<AccuracyData> reference) throws IOException, ConfigException {
    header();
    for (int[] shape :
        new int[][] {
          {100, 3}, {100, 10}, {1_000, 10}, {1_000, 40}, {10_000, 10}, {100_000, 40}, {1_000_000, 3}
        }) {
      line(AccuracyData.noise(shape[0], shape[1]), shape[1], "noisy-moments");
    }
    for (int[] shape : new int[][] {{1_000, 5}, {1_000, 20}, {10_000, 20}, {100_000, 20}}) {
      line(AccuracyData.collinear(shape[0], shape[1]), shape[1], "noisy-moments");
    }
    for (AccuracyData data : reference.subList(0, 5)) {
      for (int rows : new int[] {100, 1_000, 4_000}) {
        line(data.cut(rows), 0, "noisy-moments");
      }
    }
  }

  void printMechanisms() throws IOException, ConfigException {
    header();
    for (String mechanism : OTHERS) {
      line(AccuracyData.noise(300, 6), 6, mechanism);
      line(AccuracyData.noise(10_000, 20), 20, mechanism);
      line(AccuracyData.collinear(3_000, 6), 6, mechanism);
    }
  }

  private void header() {
    out.println("\n| rows of | n | D | mechanism | " + String.join(" | ", EPSILONS) + " |");
    out.println("|---|---|---|---|" + "---|".repeat(EPSILONS.size()));
  }

  private void line(AccuracyData data, int dimension, String mechanism)
      throws IOException, ConfigException {
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %s | %s |",
        data.name(),
        data.rows(),
        dimension == 0 ? "" : dimension,
        mechanism.replaceAll(",.*", ""));
    AccuracyQuestion question =
        mechanism.endsWith("strata") || mechanism.startsWith("strat")
            ? AccuracyQuestion.LAD
            : AccuracyQuestion.RIDGE;
    for (String epsilon : EPSILONS) {
      AccuracySample sample = AccuracySample.of(data.withMechanism(mechanism).withEpsilon(epsilon));
      MeasuredFits fits = new MeasuredFits(sample, question, releases);
      out.print(cell(fits));
    }
    out.println();
  }

  private static String cell(MeasuredFits fits) {
    double over = fits.overConstant();
    return Double.isInfinite(over)
        ? String.format(Locale.ROOT, " refused %.0f %% |", 100.0 * fits.refused())
        : String.format(Locale.ROOT, " %.1f |", 100.0 * over);
  }
}

package io.gauze.benchmarks.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.benchmarks.papers.PublishedIrls.Accounting;
import io.gauze.model.IrlsNoise;
import io.gauze.model.IrlsSpec;
import io.gauze.model.ModelRows;
import io.gauze.model.PrivateIrls;
import io.gauze.noise.Randomness;
import io.gauze.plot.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Figure 1 of M. Park and M. Welling, A note on privacy preserving iteratively reweighted least
 * squares (2016): the log-likelihood of test rows against the number of rows, 10 features, epsilon
 * 0.9. The paper gives neither the number of rounds nor the cap of weights: five rounds and a
 * threshold of 0.05 here.
 *
 * <p>Curves "as published" follow the paper and are NOT PRIVATE. Those "as corrected" are {@link
 * PrivateIrls}, replace-one, delta 1e-6. All noise is from fixed seeds, so that results repeat.
 */
public final class IrlsFigure {
  /** The numbers of rows. */
  public static final List<Integer> SIZES =
      List.of(1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000);

  /** The number of data sets of each size. */
  public static final int DATA_SETS = 20;

  private static final double EPSILON = 0.9;
  private static final Budget BUDGET = new Budget(EPSILON, 1e-6, Neighbours.REPLACE_ONE);
  private static final Setting PAPER = new Setting(EPSILON, 0.05, 5);

  /** What all curves share, unless their name says otherwise. */
  record Setting(double epsilon, double threshold, int rounds) {}

  /** Fits a model; the seed is that of the noise. */
  @FunctionalInterface
  private interface Variant {
    double[] fit(Fitted data, long seed);
  }

  /** A data set, with its rows as the mechanism takes them. */
  private record Fitted(IrlsData data, ModelRows rows) {}

  private final Map<String, Variant> variants = new LinkedHashMap<>();

  private IrlsFigure() {
    variants.put(
        "non-private IRLS",
        (data, seed) -> PublishedIrls.withoutNoise(data.data(), PAPER.threshold(), PAPER.rounds()));
    published("DP", Accounting.PLAIN);
    published("advanced", Accounting.ADVANCED);
    published("CDP", Accounting.CONCENTRATED);
    corrected("pure, Laplace", new IrlsNoise.Pure(BUDGET));
    corrected("composed, Laplace", new IrlsNoise.Composed(BUDGET));
    corrected("Gaussian", new IrlsNoise.Gaussian(BUDGET));
    IrlsSpec gaussian = spec(new IrlsNoise.Gaussian(BUDGET));
    corrected("Gaussian, 3 rounds, threshold 0.1", gaussian.withRounds(3).withThreshold(0.1));
    corrected("Gaussian, 1 round", gaussian.withRounds(1));
    corrected("Wishart", IrlsNoise.Wishart.of(BUDGET, IrlsData.FEATURES));
    corrected("Gaussian, rho 0.9", concentrated(IrlsNoise.Concentrated.Law.GAUSSIAN));
    corrected("Laplace, rho 0.9", concentrated(IrlsNoise.Concentrated.Law.LAPLACE));
    variants.put("theta = 0", (data, seed) -> new double[IrlsData.FEATURES]);
  }

  private static IrlsNoise concentrated(IrlsNoise.Concentrated.Law law) {
    return new IrlsNoise.Concentrated(EPSILON, Neighbours.REPLACE_ONE, law);
  }

  private void published(String name, Accounting accounting) {
    for (boolean gaussian : new boolean[] {false, true}) {
      variants.put(
          name + (gaussian ? ", Gaussian" : ", Laplace") + Figure.NOT_PRIVATE,
          (data, seed) -> PublishedIrls.fit(data.data(), accounting, gaussian, PAPER, seed));
    }
  }

  private static IrlsSpec spec(IrlsNoise noise) {
    return new IrlsSpec(IrlsData.FEATURES, 1.0, 1.0, PAPER.threshold(), PAPER.rounds(), noise);
  }

  private void corrected(String name, IrlsNoise noise) {
    corrected(name, spec(noise));
  }

  private void corrected(String name, IrlsSpec spec) {
    PrivateIrls mechanism = PrivateIrls.of(spec);
    variants.put(
        name + Figure.CORRECTED,
        (data, seed) ->
            mechanism
                .fit(data.rows(), Randomness.insecureForTests(seed), name)
                .coefficients()
                .toArray());
  }

  /** The figure, for all sizes. Takes a few minutes. */
  static Figure figure() {
    return new Figure(
        "000-figure-1",
        "000, figure 1: private IRLS, epsilon 0.9",
        Axis.log("rows"),
        Axis.linear("log-likelihood of a test row").between(-20.0, 2.5),
        rows(SIZES, DATA_SETS));
  }

  /**
   * Measures the figure, on all cores. Takes a few minutes for all sizes and data sets.
   *
   * @param sizes numbers of rows, at least 100 each
   * @param dataSets of each size, at least 1
   * @return the log-likelihood of a test row: one point for each curve and size, size by size
   */
  public static List<FigureRow> rows(List<Integer> sizes, int dataSets) {
    Map<String, Variant> variants = new IrlsFigure().variants;
    List<FigureRow> points = new ArrayList<>();
    for (int size : sizes) {
      double[][] results =
          IntStream.range(0, dataSets)
              .parallel()
              .mapToObj(number -> likelihoods(variants, size, number))
              .toArray(double[][]::new);
      int column = 0;
      for (String name : variants.keySet()) {
        int at = column++;
        points.add(
            Repeated.row(name, size, Arrays.stream(results).mapToDouble(r -> r[at]).toArray()));
      }
    }
    return points;
  }

  private static double[] likelihoods(Map<String, Variant> variants, int size, int number) {
    IrlsData data = IrlsData.of(size, number);
    ModelRows rows = ModelRows.create(IrlsData.FEATURES, 1.0);
    double[] row = new double[IrlsData.FEATURES];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < row.length; j++) {
        row[j] = data.feature(i, j);
      }
      rows.add(row, data.response(i));
    }
    Fitted fitted = new Fitted(data, rows);
    return variants.values().stream()
        .mapToDouble(variant -> data.logLikelihood(variant.fit(fitted, number)))
        .toArray();
  }
}

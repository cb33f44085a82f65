package io.gauze.benchmarks.papers;

import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.Neighbours;
import io.gauze.benchmarks.papers.PublishedFunctional.Penalty;
import io.gauze.payload.MomentNoise;
import io.gauze.plot.Axis;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Figures 1 to 5 of A. Dandekar, D. Basu and S. Bressan, Differential privacy for regularised
 * linear regression (2018): the root mean squared error of tests, a fifth of the rows, in the units
 * of the response.
 */
final class FunctionalFigures {
  private static final int SEEDS = 20;
  private static final double DELTA = 1e-6;
  private static final double[] EPSILONS = {0.1, 0.5, 1, 2, 5, 10};
  private static final List<Penalty> PENALTIES =
      List.of(
          new Penalty("OLS", Double.NaN),
          new Penalty("ridge", 1),
          new Penalty("LASSO", 0),
          new Penalty("elastic net", 0.5));
  private static final int TESTS = 5; // one row of so many

  private final ScaledRows rows;
  private final ScaledRows byData;
  private final double[][] training;
  private final double[][] tests;
  private final double[][] dataTraining;
  private final double[][] dataTests;

  private FunctionalFigures(ScaledRows rows) {
    this.rows = rows;
    byData = rows.rangedByRows();
    tests = rows.moments(0, TESTS);
    training = Matrix.plus(rows.moments(0, 1), Matrix.times(tests, -1));
    dataTests = byData.moments(0, TESTS);
    dataTraining = Matrix.plus(byData.moments(0, 1), Matrix.times(dataTests, -1));
  }

  /** Returns figures 2 or 3, and 4. */
  static List<Figure> comparison(String number, ScaledRows rows) {
    FunctionalFigures data = new FunctionalFigures(rows);
    List<FigureRow> medians = new ArrayList<>();
    List<FigureRow> variances = new ArrayList<>();
    for (double epsilon : EPSILONS) {
      medians.add(data.exact(epsilon));
      for (Penalty penalty : PENALTIES) {
        data.add(
            medians,
            variances,
            penalty.name() + Figure.NOT_PRIVATE,
            epsilon,
            data.published(penalty, epsilon));
        data.add(
            medians,
            variances,
            penalty.name() + Figure.CORRECTED,
            epsilon,
            data.corrected(penalty, epsilon));
      }
      data.add(medians, variances, "noisy moments, ridge", epsilon, data.noisyMoments(epsilon));
    }
    String error = "RMSE of tests, " + rows.unit();
    return List.of(
        new Figure(
            "001-figure-" + number,
            "Functional mechanism on " + rows.name() + ": medians, 20 to 80 % of " + SEEDS,
            Axis.log("epsilon"),
            Axis.log(error),
            medians),
        new Figure(
            "001-figure-4-" + rows.name().replace(' ', '-'),
            "Variance of the RMSE over releases, " + rows.name(),
            Axis.log("epsilon"),
            Axis.log("variance of the RMSE"),
            variances));
  }

  /** Returns figure 1: one regression, the whole spread. */
  static Figure spread(ScaledRows rows) {
    FunctionalFigures data = new FunctionalFigures(rows);
    Penalty net = PENALTIES.get(3);
    List<FigureRow> points = new ArrayList<>();
    for (double epsilon : EPSILONS) {
      points.add(wide(net.name() + Figure.NOT_PRIVATE, epsilon, data.published(net, epsilon)));
      points.add(wide(net.name() + Figure.CORRECTED, epsilon, data.corrected(net, epsilon)));
    }
    return new Figure(
        "001-figure-1",
        "Elastic net by the functional mechanism, "
            + rows.name()
            + ": median, least and largest of "
            + SEEDS,
        Axis.log("epsilon"),
        Axis.log("RMSE of tests, " + rows.unit()),
        points);
  }

  /** Returns figure 5: four features, and the histogram mechanism. */
  static Figure histogram(ScaledRows all) {
    ScaledRows few = all.first(4);
    FunctionalFigures data = new FunctionalFigures(few);
    List<FigureRow> points = new ArrayList<>();
    HistogramEstimator dpme = new HistogramEstimator(few, TESTS);
    for (double epsilon : EPSILONS) {
      points.add(data.exact(epsilon));
      for (Penalty penalty : PENALTIES.subList(0, 2)) {
        points.add(
            Repeated.row(
                penalty.name() + Figure.NOT_PRIVATE, epsilon, data.published(penalty, epsilon)));
        points.add(
            Repeated.row(
                penalty.name() + Figure.CORRECTED, epsilon, data.corrected(penalty, epsilon)));
      }
      points.add(
          Repeated.row(
              "DPME",
              epsilon,
              Repeated.values(
                  SEEDS, random -> data.error(data.tests, dpme.fit(epsilon, random), few.half()))));
    }
    return new Figure(
        "001-figure-5",
        "Functional mechanism and histogram (DPME), " + few.name() + ", four features",
        Axis.log("epsilon"),
        Axis.log("RMSE of tests, " + few.unit()),
        points);
  }

  private static FigureRow wide(String name, double epsilon, double... values) {
    FigureRow row = Repeated.row(name, epsilon, values);
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new FigureRow(name, epsilon, row.median(), sorted[0], sorted[sorted.length - 1]);
  }

  private void add(
      List<FigureRow> medians,
      List<FigureRow> variances,
      String name,
      double epsilon,
      double... values) {
    medians.add(Repeated.row(name, epsilon, values));
    double[] fits = Arrays.stream(values).filter(Double::isFinite).toArray();
    if (fits.length < SEEDS / 2) {
      return; // most releases were refused
    }
    double mean = Arrays.stream(fits).average().orElseThrow();
    double variance =
        Arrays.stream(fits).map(v -> (v - mean) * (v - mean)).sum() / (fits.length - 1);
    variances.add(new FigureRow(name, epsilon, variance, variance, variance));
  }

  private FigureRow exact(double epsilon) {
    double error = error(tests, Matrix.regression(training), rows.half());
    return new FigureRow("without noise", epsilon, error, error, error);
  }

  /** The root mean squared error over rows with these moments, times half the response's range. */
  private double error(double[][] moments, double[] theta, double half) {
    double[] full = Arrays.copyOf(theta, theta.length + 1);
    full[theta.length] = -1;
    double sum = 0;
    for (int i = 0; i < full.length; i++) {
      for (int j = 0; j < full.length; j++) {
        sum += full[i] * moments[i][j] * full[j];
      }
    }
    return half * Math.sqrt(Math.max(0, sum) / moments[0][0]);
  }

  private double[] published(Penalty penalty, double epsilon) {
    double lambda = penalty.isNone() ? 0 : bestLambda(penalty);
    return Repeated.values(
        SEEDS,
        random -> {
          double[][] noisy = PublishedFunctional.noisy(dataTraining, epsilon, random);
          return error(dataTests, PublishedFunctional.fit(noisy, penalty, lambda), byData.half());
        });
  }

  /** The penalty with the least error without noise, which the paper takes: not private. */
  private double bestLambda(Penalty penalty) {
    double best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (double lambda = 0.01; lambda < 1e4; lambda *= Math.sqrt(10)) {
      double error =
          error(dataTests, PublishedFunctional.fit(dataTraining, penalty, lambda), byData.half());
      if (error < least) {
        least = error;
        best = lambda;
      }
    }
    return best;
  }

  private double[] corrected(Penalty penalty, double epsilon) {
    int size = training.length;
    double scale =
        LaplaceDp.scale(
            epsilon, LaplaceDp.sensitivity(size, Math.sqrt(size), Neighbours.REPLACE_ONE));
    return Repeated.values(
        SEEDS,
        random -> {
          double[][] noisy = Matrix.copy(training);
          for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
              noisy[i][j] += PublishedFunctional.laplace(scale, random);
              noisy[j][i] = noisy[i][j];
            }
          }
          return fitted(noisy, new MomentNoise.Laplace(scale, scale), penalty);
        });
  }

  private double[] noisyMoments(double epsilon) {
    int size = training.length;
    double sensitivity =
        new SecondMomentsSpec(size).sensitivity(Math.sqrt(size), Neighbours.REPLACE_ONE);
    double sigma = GaussianDp.sigma(epsilon, DELTA, sensitivity);
    return Repeated.values(
        SEEDS,
        random -> {
          double[][] noise = Matrix.gaussian(size, sigma, sigma / Math.sqrt(2), random);
          return fitted(
              Matrix.plus(training, noise), new MomentNoise.Gaussian(sigma), PENALTIES.get(1));
        });
  }

  /** The test error of Gauze's fit of noisy moments. */
  private double fitted(double[][] noisy, MomentNoise noise, Penalty penalty) {
    io.gauze.regression.Penalty chosen =
        penalty.isNone()
            ? GauzeFit.NONE
            : new io.gauze.regression.Penalty(OptionalDouble.empty(), penalty.alpha(), false);
    return GauzeFit.of(noisy, noise, chosen)
        .map(theta -> error(tests, theta, rows.half()))
        .orElse(Double.POSITIVE_INFINITY);
  }
}

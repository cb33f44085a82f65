package io.gauze.benchmarks.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.accounting.WishartNoise;
import io.gauze.accounting.WishartPrivacy;
import io.gauze.payload.MomentNoise;
import io.gauze.plot.Axis;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Figure 1 of O. Sheffet, Private approximations of the 2nd-moment matrix using existing techniques
 * in linear regression (2015): p = 20 normal features, a response that depends on them, and m
 * further columns of the same kind that should get coefficients 0. The moments of n rows are drawn
 * as a Wishart matrix, so that no row is ever made.
 */
final class GramFigure {
  private static final int SEEDS = 11;
  private static final int FEATURES = 20;
  private static final double RESIDUAL = 0.5;
  private static final double EPSILON = 0.1;
  private static final double DELTA = 1e-6;
  private static final Budget BUDGET = new Budget(EPSILON, DELTA, Neighbours.REPLACE_ONE);
  private static final double LOG = Math.log(4 / DELTA);
  private static final int DEGREES = 1 << 16; // of the inverse Wishart law as corrected
  private static final int SAMPLE = 20_000;

  /** What is released of moments; the response is the last column. */
  private interface Release {
    double[][] of(double[][] moments, double rows, SplittableRandom random);
  }

  /** The coefficients that a release leads to. */
  private interface Estimate {
    double[] of(double[][] moments, double rows, SplittableRandom random);
  }

  private final int extra;
  private final int size;
  private final double[][] root; // of the covariance of a row
  private final double[] truth;
  private final double square; // B^2
  private final Map<String, Estimate> estimates = new LinkedHashMap<>();

  GramFigure(int extra) {
    this.extra = extra;
    size = FEATURES + extra + 1;
    root = new double[size][size];
    truth = new double[size - 1];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < FEATURES; j++) {
        root[i][j] = i < FEATURES ? (i == j ? 1 : 0) : 0.7 * random.nextGaussian();
      }
      root[i][i] = i < FEATURES ? 1 : RESIDUAL;
    }
    System.arraycopy(root[size - 1], 0, truth, 0, FEATURES); // of norm about 3.1
    square = square(random);
    gaussian();
    projections();
    wishart();
  }

  /** The squared norm that one row in 1,000 exceeds. */
  private double square(SplittableRandom random) {
    double[] squares = new double[SAMPLE];
    for (int k = 0; k < SAMPLE; k++) {
      double[] z = new double[size];
      Arrays.setAll(z, i -> random.nextGaussian());
      for (double[] row : root) {
        double value = 0;
        for (int j = 0; j < size; j++) {
          value += row[j] * z[j];
        }
        squares[k] += value * value;
      }
    }
    Arrays.sort(squares);
    return squares[SAMPLE - SAMPLE / 1_000];
  }

  private void release(String name, Release release) {
    estimates.put(name, (m, n, random) -> Matrix.regression(release.of(m, n, random)));
  }

  private void gaussian() {
    double published = square * Math.sqrt(2 * Math.log(2 / DELTA) / EPSILON); // no square on eps
    double sensitivity =
        new SecondMomentsSpec(size).sensitivity(Math.sqrt(square), Neighbours.REPLACE_ONE);
    double sigma = GaussianDp.sigma(EPSILON, DELTA, sensitivity);
    double off = sigma / Math.sqrt(2);
    release(
        "Analyze Gauss" + Figure.NOT_PRIVATE,
        (m, n, random) -> Matrix.plus(m, Matrix.gaussian(size, published, published, random)));
    release(
        "Analyze Gauss" + Figure.CORRECTED,
        (m, n, random) -> Matrix.plus(m, Matrix.gaussian(size, sigma, off, random)));
    double unit = sigma / square; // rows are scaled to the unit ball
    estimates.put(
        "Analyze Gauss, ridge by Gauze" + Figure.CORRECTED,
        (m, n, random) -> {
          double[][] noisy = Matrix.plus(m, Matrix.gaussian(size, sigma, off, random));
          return GauzeFit.of(
                  Matrix.times(noisy, 1 / square), new MomentNoise.Gaussian(unit), GauzeFit.RIDGE)
              .orElse(new double[size - 1]);
        });
    release(
        "Analyze Gauss, shifted" + Figure.NOT_PRIVATE,
        (m, n, random) ->
            shifted(
                Matrix.plus(m, Matrix.gaussian(size, published, published, random)),
                2 * published * Math.sqrt(size)));
    release(
        "Analyze Gauss, shifted" + Figure.CORRECTED,
        (m, n, random) ->
            shifted(
                Matrix.plus(m, Matrix.gaussian(size, sigma, off, random)),
                2 * off * Math.sqrt(size)));
  }

  private static double[][] shifted(double[][] noisy, double by) {
    return Matrix.root(noisy).length > 0 ? noisy : Matrix.plusDiagonal(noisy, by);
  }

  private void projections() {
    int rows = 2 * size;
    double ridge = 4 * square * (Math.sqrt(2 * rows * LOG) + LOG) / EPSILON;
    double exact = square * ProjectionPrivacy.ridge(BUDGET, rows);
    release(
        "projection (JL)" + Figure.PUBLISHED,
        (m, n, random) -> Matrix.wishart(Matrix.root(Matrix.plusDiagonal(m, ridge)), rows, random));
    release(
        "projection (JL)" + Figure.CORRECTED,
        (m, n, random) -> Matrix.wishart(Matrix.root(Matrix.plusDiagonal(m, exact)), rows, random));
    double psi = square * ProjectionPrivacy.ridge(BUDGET, DEGREES);
    release(
        "inverse Wishart" + Figure.PUBLISHED,
        (m, n, random) -> {
          double degrees = n + size;
          double prior = 2 * square * (2 * Math.sqrt(2 * degrees * LOG) + 2 * LOG) / EPSILON;
          return inverse(Matrix.plusDiagonal(m, prior), degrees, random);
        });
    release(
        "inverse Wishart" + Figure.CORRECTED,
        (m, n, random) -> inverse(Matrix.plusDiagonal(m, psi), DEGREES, random));
  }

  /** Returns L W^-1 L' for W of the law W(I, degrees) and m = L L'. */
  private static double[][] inverse(double[][] m, double degrees, SplittableRandom random) {
    int n = m.length;
    double[][] l = Matrix.root(m);
    double[][] w = Matrix.wishart(Matrix.identity(n), degrees, random);
    double[][] product = new double[n][n];
    for (int j = 0; j < n; j++) {
      double[] solved = Matrix.solve(w, l[j]);
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
          product[i][j] += l[i][k] * solved[k];
        }
      }
    }
    return product;
  }

  private void wishart() {
    int degrees = (int) (size + 14 / (EPSILON * EPSILON) * 2 * LOG);
    double edge = Math.sqrt(size) + Math.sqrt(2 * LOG);
    WishartNoise exact = WishartPrivacy.leastSpread(BUDGET, size, 4096 + size);
    wishart(Figure.PUBLISHED, degrees, square, edge);
    wishart(Figure.CORRECTED, exact.degrees(), square * exact.scale(), edge);
  }

  private void wishart(String version, int degrees, double scale, double edge) {
    double least = scale * Math.pow(Math.max(0, Math.sqrt(degrees) - edge), 2);
    release("additive Wishart" + version, (m, n, random) -> noisy(m, degrees, scale, random));
    release(
        "additive Wishart, less its mean" + version,
        (m, n, random) -> {
          double[][] noisy = noisy(m, degrees, scale, random);
          double[][] centred = Matrix.plusDiagonal(noisy, -degrees * scale);
          return Matrix.root(centred).length > 0 ? centred : Matrix.plusDiagonal(noisy, -least);
        });
  }

  private double[][] noisy(double[][] m, int degrees, double scale, SplittableRandom random) {
    double[][] noise = Matrix.wishart(Matrix.identity(size), degrees, random);
    return Matrix.plus(m, Matrix.times(noise, scale));
  }

  Figure measure() {
    List<FigureRow> points = new ArrayList<>();
    for (int log = 12; log <= 27; log++) {
      double rows = Math.pow(2, log);
      int place = log;
      points.add(point("without noise", place, rows, (m, n, random) -> Matrix.regression(m)));
      estimates.forEach((name, estimate) -> points.add(point(name, place, rows, estimate)));
    }
    return new Figure(
        "003-figure-1-" + extra,
        "Error of the coefficients at epsilon 0.1 with " + extra + " further columns",
        Axis.linear("log2 of the number of rows"),
        Axis.log("|b - beta| / |beta|"),
        points);
  }

  private FigureRow point(String name, int place, double rows, Estimate estimate) {
    return Repeated.row(
        name,
        place,
        Repeated.values(
            SEEDS,
            random -> {
              double[][] moments = Matrix.wishart(root, rows, random);
              return error(estimate.of(moments, rows, random));
            }));
  }

  private double error(double... estimate) {
    double difference = 0;
    double norm = 0;
    for (int j = 0; j < truth.length; j++) {
      difference += (estimate[j] - truth[j]) * (estimate[j] - truth[j]);
      norm += truth[j] * truth[j];
    }
    return Math.sqrt(difference / norm);
  }
}

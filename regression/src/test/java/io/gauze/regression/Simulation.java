package io.gauze.regression;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.regression.rows.MomentsInput;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Rows of a linear model and releases of them: features N(0, 1) / 3, the response scaled to
 * variance 1/9 too, R^2 of its variance explained, an intercept column of 1/2.
 */
public final class Simulation {
  public static final double INTERCEPT = 0.5;

  /** Noise for sensitivity 1 at delta 1e-6 and epsilon 1, 0.1. */
  public static final double SIGMA_AT_1 = 4.2247;

  public static final double SIGMA_AT_TENTH = 36.305;

  final int features;
  final double[] slopes;
  public final double residualDeviation;
  private final SplittableRandom random;

  public Simulation(int features, double explained, long seed) {
    this.features = features;
    this.random = new SplittableRandom(seed);
    double[] direction = IntStream.range(0, features).mapToDouble(i -> normal()).toArray();
    double norm =
        Math.sqrt(IntStream.range(0, features).mapToDouble(i -> square(direction[i])).sum());
    this.slopes = new double[features];
    for (int i = 0; i < features; i++) {
      slopes[i] = direction[i] / norm * Math.sqrt(explained);
    }
    this.residualDeviation = Math.sqrt(1.0 - explained) / 3.0;
  }

  private static double square(double x) {
    return x * x;
  }

  double normal() {
    return random.nextGaussian();
  }

  public SplittableRandom random() {
    return random;
  }

  public int dimension() {
    return features + 2;
  }

  /** Intercept, features, response. */
  public double[] row() {
    double[] row = new double[dimension()];
    row[0] = INTERCEPT;
    double response = residualDeviation * normal();
    for (int i = 0; i < features; i++) {
      row[i + 1] = normal() / 3.0;
      response += slopes[i] * row[i + 1];
    }
    row[features + 1] = response;
    return row;
  }

  public ExactMoments moments(int rows) {
    ExactMoments moments = ExactMoments.create(dimension(), INTERCEPT);
    for (int i = 0; i < rows; i++) {
      moments.add(row());
    }
    return moments;
  }

  /** The 99 % quantile of the norm of rows. */
  public double rowBound() {
    double[] norms =
        IntStream.range(0, 10_000).mapToDouble(i -> Math.sqrt(norm2(row()))).sorted().toArray();
    return norms[9_900];
  }

  public static double norm2(double... row) {
    double sum = 0;
    for (double value : row) {
      sum += value * value;
    }
    return sum;
  }

  public RegressionProblem problem() {
    return problem(dimension());
  }

  /** The last of {@code dimension} columns on the others. */
  public static RegressionProblem problem(int dimension) {
    return new RegressionProblem(
        IntStream.range(0, dimension).mapToObj(i -> "c" + i).toList(),
        dimension - 1,
        IntStream.range(0, dimension - 1).boxed().toList(),
        Loss.SQUARED,
        Penalty.AUTO);
  }

  /** The moments with noise. */
  public static ReleasedMoments release(MomentsInput exact, double sigma, SplittableRandom random) {
    int dimension = exact.dimension();
    SymmetricMatrix moments = exact.moments();
    double[] upper = new double[SymmetricMatrix.length(dimension)];
    int next = 0;
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        double deviation = i == j ? sigma : Math.sqrt(0.5) * sigma;
        upper[next++] = moments.get(i, j) + deviation * random.nextGaussian();
      }
    }
    return new ReleasedMoments(
        SymmetricMatrix.ofUpperTriangle(dimension, upper), sigma, exact.intercept());
  }

  public static Fit fit(MomentsInput input, RegressionProblem problem) {
    return ((FitOutcome.Fitted) input.solve(problem)).fit();
  }

  /** The relative excess of the fit's RMSE over the best on these rows. */
  public static double excess(ExactMoments rows, Fit fit) {
    Fit best = fit(rows, problem(rows.dimension()));
    return rows.rmse(fit) / rows.rmse(best) - 1.0;
  }
}

package io.gauze.benchmarks;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.regression.rows.ExactMoments;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.PointValuePair;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time of a fit, with all that it says about itself, and of the bare linear program. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SolveBenchmark {
  private static final int COLUMNS = 52;
  private static final int MANY = 16_384;
  private static final int FEW = 200;

  /** Of an entry: epsilon 1, delta 1e-6, rows of norm 7.2 at most, replace-one. */
  private static final double SIGMA = 310.0;

  private final SplittableRandom random = new SplittableRandom(11);
  private ExactMoments moments;
  private ReleasedMoments release;
  private RegressionProblem problem;
  private WeightedRows many;
  private WeightedRows few;
  private double[][] fewRows;

  /** Makes rows of correlated columns in [-1, 1], and a release. */
  @Setup
  public void make() {
    moments = ExactMoments.create(COLUMNS, 1.0);
    for (int i = 0; i < 100_000; i++) {
      moments.add(row(COLUMNS));
    }
    problem =
        new RegressionProblem(
            IntStream.range(0, COLUMNS).mapToObj(k -> "c" + k).toList(),
            COLUMNS - 1,
            IntStream.range(0, COLUMNS - 1).boxed().toList(),
            Loss.SQUARED,
            Penalty.AUTO);
    release = new ReleasedMoments(noisy(), SIGMA, 1.0);
    many = weighted(rows(MANY, 13));
    fewRows = rows(FEW, 5);
    few = weighted(fewRows);
  }

  /** 1, features, the response: a few of them matter. */
  private double[] row(int columns) {
    double[] row = new double[columns];
    double shared = random.nextDouble() - 0.5;
    row[0] = 1.0;
    double response = 0.1 * random.nextGaussian();
    for (int k = 1; k < columns - 1; k++) {
      row[k] = shared + random.nextDouble() - 0.5;
      response += k % 3 == 0 ? 0.3 * row[k] / columns : 0.0;
    }
    row[columns - 1] = Math.max(-1.0, Math.min(1.0, response));
    return row;
  }

  private double[][] rows(int count, int columns) {
    return IntStream.range(0, count).mapToObj(i -> row(columns)).toArray(double[][]::new);
  }

  private static WeightedRows weighted(double[][] rows) {
    int p = rows[0].length - 1;
    double[] x = new double[rows.length * p];
    double[] y = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, x, i * p, p);
      y[i] = rows[i][p];
    }
    return WeightedRows.unweighted(p, x, y);
  }

  private SymmetricMatrix noisy() {
    double[] upper = new double[COLUMNS * (COLUMNS + 1) / 2];
    SymmetricMatrix exact = moments.moments();
    int next = 0;
    for (int i = 0; i < COLUMNS; i++) {
      for (int j = i; j < COLUMNS; j++) {
        double deviation = i == j ? SIGMA : Math.sqrt(0.5) * SIGMA;
        upper[next++] = exact.get(i, j) + deviation * random.nextGaussian();
      }
    }
    return SymmetricMatrix.ofUpperTriangle(COLUMNS, upper);
  }

  /** Ridge on exact moments, D = 52, with condition, standard errors and objective. */
  @Benchmark
  public FitOutcome ridge() {
    return Regression.fit(moments, problem.withLambda(10.0));
  }

  /** LASSO on exact moments, D = 52; about half of the coefficients are not 0. */
  @Benchmark
  public FitOutcome lasso() {
    return Regression.fit(
        moments, problem.withPenalty(new Penalty(OptionalDouble.of(100.0), 0.0, true)));
  }

  /** A given ridge on noisy moments, D = 52, with privacy standard errors. */
  @Benchmark
  public FitOutcome releaseRidge() {
    return Regression.fit(release, problem.withLambda(1_000.0));
  }

  /** On noisy moments, D = 52, the ridge chosen by bootstrap. */
  @Benchmark
  public FitOutcome releaseBootstrap() {
    return Regression.fit(release, problem);
  }

  /** Least absolute deviations of 16,384 rows of 12 features. */
  @Benchmark
  public QuantileOutcome lad() {
    return QuantileRegression.lad(many);
  }

  /** Least absolute deviations of 200 rows of 4 features. */
  @Benchmark
  public QuantileOutcome smallLad() {
    return QuantileRegression.lad(few);
  }

  /**
   * Least absolute deviations as a linear program: y = X b + u - v, u and v at least 0, for Commons
   * Math.
   */
  @Benchmark
  public PointValuePair smallSimplex() {
    int p = few.columns();
    double[] cost = new double[2 * (p + FEW)];
    List<LinearConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < FEW; i++) {
      double[] row = new double[cost.length];
      for (int j = 0; j < p; j++) {
        row[2 * j] = fewRows[i][j];
        row[2 * j + 1] = -fewRows[i][j];
      }
      row[2 * (p + i)] = 1.0;
      row[2 * (p + i) + 1] = -1.0;
      cost[2 * (p + i)] = 1.0;
      cost[2 * (p + i) + 1] = 1.0;
      constraints.add(new LinearConstraint(row, Relationship.EQ, fewRows[i][p]));
    }
    return new SimplexSolver()
        .optimize(
            new MaxIter(100_000),
            new LinearObjectiveFunction(cost, 0.0),
            new LinearConstraintSet(constraints),
            GoalType.MINIMIZE,
            new NonNegativeConstraint(true));
  }
}

package io.gauze.regression;

import io.gauze.accounting.GaussianDp;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.quantile.QuantileFit;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.regression.strata.ReleasedStrata;
import io.gauze.row.Grid;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Rows for least absolute deviations, the last column on the others, with an intercept column of
 * 1/2: their strata with noise, and how much a fit's mean absolute error is over the least one.
 */
public final class LadRows {
  static final double INTERCEPT = 0.5;

  private final double[][] rows;
  private final double least;
  private final double[][] clipped;
  final double bound;

  /** Rows whose least mean absolute error is known. */
  private LadRows(double[][] rows, double least) {
    this.rows = rows;
    this.least = least;
    double[] norms = Arrays.stream(rows).mapToDouble(LadRows::norm).sorted().toArray();
    this.bound = norms[(int) (0.99 * norms.length)];
    this.clipped = Arrays.stream(rows).map(row -> clip(bound, row)).toArray(double[][]::new);
  }

  /** The rows of a reference task. */
  public static LadRows of(ReferenceDesign design) {
    double[][] rows =
        design.rows.stream()
            .map(
                row -> {
                  double[] copy = row.clone();
                  copy[0] = INTERCEPT;
                  return copy;
                })
            .toArray(double[][]::new);
    double objective = design.answers.at("/solutions/lad/objective").doubleValue();
    return new LadRows(rows, objective / rows.length);
  }

  /**
   * Features N(0, 1) / 3, a signal of deviation .15, residuals of .05, and 5 % of outliers: y
   * uniform in [.5, 1] where the first feature is positive.
   */
  public static LadRows simulated(int n, int features, long seed) {
    return simulated(n, features, 0.1, seed);
  }

  /** The same with this share of outliers where the first feature is positive. */
  public static LadRows simulated(int n, int features, double outliers, long seed) {
    return simulated(0.45, 0.05, n, features, outliers, seed);
  }

  /** Features that explain nothing of a response of deviation .3. */
  public static LadRows independent(int n, int features, long seed) {
    return simulated(0.0, 0.3, n, features, 0.0, seed);
  }

  private static LadRows simulated(
      double size, double deviation, int n, int features, double outliers, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] slopes =
        IntStream.range(0, features).mapToDouble(k -> random.nextGaussian()).toArray();
    double scale = size / norm(slopes);
    double[][] rows = new double[n][features + 2];
    for (double[] row : rows) {
      row[0] = INTERCEPT;
      double y = deviation * random.nextGaussian();
      for (int k = 0; k < features; k++) {
        row[k + 1] = random.nextGaussian() / 3.0;
        y += scale * slopes[k] * row[k + 1];
      }
      boolean outlier = row[1] > 0.0 && random.nextDouble() < outliers;
      row[features + 1] =
          outlier ? 0.5 + 0.5 * random.nextDouble() : Math.max(-1.0, Math.min(1.0, y));
    }
    QuantileFit exact = ((QuantileOutcome.Solved) QuantileRegression.lad(weighted(rows))).fit();
    return new LadRows(rows, exact.objective() / n);
  }

  static WeightedRows weighted(double[][] rows) {
    int p = rows[0].length - 1;
    double[] x = new double[rows.length * p];
    double[] y = new double[rows.length];
    for (int i = 0; i < y.length; i++) {
      System.arraycopy(rows[i], 0, x, i * p, p);
      y[i] = rows[i][p];
    }
    return WeightedRows.unweighted(p, x, y);
  }

  public int size() {
    return rows.length;
  }

  public double[][] rows() {
    return rows;
  }

  public int dimension() {
    return rows[0].length;
  }

  private static double norm(double... row) {
    return Math.sqrt(Simulation.norm2(row));
  }

  private static double[] clip(double bound, double... row) {
    double factor = Math.min(1.0, bound / norm(row));
    return Arrays.stream(row).map(value -> factor * value).toArray();
  }

  /** For replace-one at delta 1e-6. */
  public double sigma(double epsilon) {
    return Math.sqrt(2.0) * bound * bound / GaussianDp.mu(epsilon, 1e-6);
  }

  /** Strata of the response. */
  public StratifiedMomentsSpec spec(int strata) {
    return new StratifiedMomentsSpec(dimension(), dimension() - 1, strata, Grid.forRowBound(bound));
  }

  /** The sums of all strata, of clipped rows if there is to be noise. */
  public double[] sums(StratifiedMomentsSpec spec, boolean clip) {
    int d = dimension();
    int length = SymmetricMatrix.length(d);
    double[] sums = new double[spec.stateLength()];
    for (double[] row : clip ? clipped : rows) {
      double cell = Math.floor((row[spec.column()] + 1.0) * spec.strata() / 2.0);
      int stratum = (int) Math.max(0, Math.min(spec.strata() - 1, cell));
      int next = stratum * length;
      for (int i = 0; i < d; i++) {
        for (int j = i; j < d; j++) {
          sums[next++] += row[i] * row[j];
        }
      }
    }
    return sums;
  }

  public static ReleasedStrata release(
      StratifiedMomentsSpec spec, double[] sums, double sigma, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] noisy = sums.clone();
    int next = 0;
    for (int k = 0; k < spec.strata(); k++) {
      for (int i = 0; i < spec.dimension(); i++) {
        for (int j = i; j < spec.dimension(); j++) {
          double deviation = i == j ? sigma : Math.sqrt(0.5) * sigma;
          noisy[next++] += sigma == 0.0 ? 0.0 : deviation * random.nextGaussian();
        }
      }
    }
    return ReleasedStrata.of(spec, noisy, sigma, INTERCEPT);
  }

  /** The last column on the others, by least absolute deviations. */
  public RegressionProblem problem() {
    return Simulation.problem(dimension()).withLoss(Loss.ABSOLUTE);
  }

  public static Fit fit(FitInput input, RegressionProblem problem) {
    FitOutcome outcome = Regression.fit(input, problem);
    if (outcome instanceof FitOutcome.Fitted fitted) {
      return fitted.fit();
    }
    throw new AssertionError(outcome);
  }

  /** Fits of releases with seeds 0, 1, ... */
  public List<Fit> fits(int strata, double epsilon, int releases) {
    StratifiedMomentsSpec spec = spec(strata);
    double[] sums = sums(spec, true);
    return IntStream.range(0, releases)
        .mapToObj(seed -> fit(release(spec, sums, sigma(epsilon), seed), problem()))
        .toList();
  }

  public double medianExcess(List<Fit> fits) {
    double[] sorted = fits.stream().mapToDouble(this::excess).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /** The relative excess of the mean absolute error over the least one, on all rows. */
  public double excess(Fit fit) {
    return excess(fit.coefficients().toArray());
  }

  public double excess(double... b) {
    double sum = 0.0;
    for (double[] row : rows) {
      double residual = row[b.length];
      for (int k = 0; k < b.length; k++) {
        residual -= b[k] * row[k];
      }
      sum += Math.abs(residual);
    }
    return sum / rows.length / least - 1.0;
  }
}

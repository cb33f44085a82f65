package io.gauze.regression.histogram;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Convergence;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitRandom;
import io.gauze.regression.InterceptOnlyFit;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.regression.rows.ElasticNet;
import io.gauze.regression.rows.LeastSquares;
import io.gauze.regression.rows.NormalEquations;
import io.gauze.regression.rows.RowsFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Fits noisy counts: each cell is a row whose weight is its count, or 0 if the noise made the count
 * negative.
 *
 * <p>After J. Lei, <a
 * href="https://papers.nips.cc/paper/2011/hash/f8c1f23d6a8d8d7904fc0ea8e066b3bb-Abstract.html">Differentially
 * private M-estimators</a>, NIPS 2011, the baseline DPME of the literature on private regression.
 * Standard errors are from fresh noise on the released counts, and from Poisson numbers of rows in
 * their place. Neither includes the width of the bins; the predicted excess does.
 */
final class HistogramFit {
  private static final int DRAWS = 24;

  /**
   * The largest number of cells of positive weight for which fits of losses without moments are
   * fast enough.
   */
  private static final int MOST_ROWS = 1 << 17;

  private final ReleasedCounts input;
  private final RegressionProblem problem;
  private final int features;
  private final double lambda;
  private final double[] x; // features of every possible cell
  private final double[] y;
  private final double[] weights;
  private final List<Message> warnings = new ArrayList<>();

  HistogramFit(ReleasedCounts input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    int[] columns = problem.columns(input.dimension());
    this.features = columns.length - 1;
    this.lambda = problem.lambda().orElse(0.0);
    double[] row = new double[input.dimension()];
    double[] allX = new double[Math.multiplyExact(input.cells(), features)];
    double[] allY = new double[input.cells()];
    double[] allWeights = new double[input.cells()];
    int next = 0;
    for (int cell = 0; cell < input.cells(); cell++) {
      if (input.row(cell, row)) {
        for (int k = 0; k < features; k++) {
          allX[next * features + k] = row[columns[k]];
        }
        allY[next] = row[columns[features]];
        allWeights[next] = input.count(cell);
        next++;
      }
    }
    this.x = Arrays.copyOf(allX, next * features);
    this.y = Arrays.copyOf(allY, next);
    this.weights = Arrays.copyOf(allWeights, next);
  }

  FitOutcome fit() {
    boolean squared = problem.loss().isSquared();
    Optional<FitOutcome> refusal = problem.loss().accept(new Refusal());
    if (refusal.isPresent()) {
      return refusal.get();
    }
    double rows = Arrays.stream(weights).sum();
    double noise = Math.sqrt(input.variance() * weights.length);
    if (!(rows > 3.0 * noise)) {
      String reason =
          String.format(
              Locale.ROOT,
              "the release holds no signal above its noise: %.4g rows, give or take %.4g; take fewer"
                  + " columns or bins, make epochs longer, or spend a larger epsilon",
              rows,
              noise);
      return InterceptOnlyFit.outcome(
          problem,
          input.intercept(),
          rows,
          new InterceptOnlyFit.Silence(rows, 3.0 * noise, reason));
    }
    double[] b = solve(weights);
    if (b.length == 0) {
      return refused(
          "the cells leave directions open: features depend on each other linearly in them; fit"
              + " fewer features, or release more bins");
    }
    LeastSquares.warnAboutStandardErrors(warnings, problem, b);
    warnings.add(FitMessage.BINS.of());
    if (!squared) {
      warnings.add(FitMessage.CELLS.of());
    }
    return new FitOutcome.Fitted(fit(b, rows));
  }

  private Fit fit(double[] b, double rows) {
    FitRandom random = FitRandom.seededBy(DMatrixRMaj.wrap(weights.length, 1, weights.clone()));
    double[] loss = new double[1];
    DMatrixRMaj privacy = spread(b, random, true, loss);
    DMatrixRMaj sampling = spread(b, random, false, new double[1]);
    double bins = binLoss(b) * rows;
    double least = leastLoss(b);
    double base = least + bins;
    double excess = base > 0.0 ? (loss[0] - least + bins) / base : 0.0;
    boolean squared = problem.loss().isSquared();
    return new Fit(
        problem,
        input.intercept(),
        DoubleVector.of(b),
        SymmetricMatrix.of(sampling),
        SymmetricMatrix.of(privacy),
        lambda,
        condition(),
        rows,
        Math.max(0.0, squared ? Math.sqrt(Math.max(0.0, 1.0 + excess)) - 1.0 : excess),
        Convergence.DIRECT,
        warnings);
  }

  // Rows are spread over their cells. This adds as much to the residuals of any fit as uniform
  // numbers of the bins' widths w, of variance (w_y^2 + sum b_k^2 w_k^2) / 12. If all rows are on
  // one side of the middles, the fit has another error of this size.
  private double binLoss(double... b) {
    int[] columns = problem.columns(input.dimension());
    double squares = square(input.width(columns[features]));
    for (int k = 0; k < features; k++) {
      squares += square(b[k] * input.width(columns[k]));
    }
    double size = Math.sqrt(squares / 12.0);
    return 0.5 * (problem.loss().of(size) + problem.loss().of(-size));
  }

  private static double square(double x) {
    return x * x;
  }

  /**
   * Returns the mean squares of the changes of b under fresh noise, or under fresh rows. Stores the
   * resulting mean loss in {@code meanLoss}.
   */
  private DMatrixRMaj spread(double[] b, FitRandom random, boolean noise, double[] meanLoss) {
    DMatrixRMaj spread = new DMatrixRMaj(features, features);
    double scale = Math.sqrt(0.5 * input.variance());
    int solved = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      double[] fresh = new double[weights.length];
      for (int i = 0; i < fresh.length; i++) {
        double weight = Math.max(0.0, weights[i]);
        fresh[i] =
            weight + (noise ? scale * laplace(random) : Math.sqrt(weight) * random.nextGaussian());
      }
      double[] other = solve(fresh);
      if (other.length > 0) {
        solved++;
        meanLoss[0] += loss(other);
        DMatrixRMaj distance = new DMatrixRMaj(features, 1);
        for (int k = 0; k < features; k++) {
          distance.set(k, other[k] - b[k]);
        }
        CommonOps_DDRM.multAddTransB(distance, distance, spread);
      }
    }
    meanLoss[0] /= Math.max(1, solved);
    CommonOps_DDRM.scale(1.0 / Math.max(1, solved), spread);
    return spread;
  }

  private static double laplace(FitRandom random) {
    double positive = random.nextGamma(1.0);
    return positive - random.nextGamma(1.0);
  }

  /** Returns the loss of b on the released counts. */
  private double loss(double... b) {
    double sum = 0.0;
    for (int i = 0; i < y.length; i++) {
      double residual = y[i];
      for (int k = 0; k < features; k++) {
        residual -= b[k] * x[i * features + k];
      }
      sum += Math.max(0.0, weights[i]) * problem.loss().of(residual);
    }
    return sum;
  }

  /**
   * Returns the coefficients for other weights, of which negative ones count as 0; empty if the
   * coefficients are not determined.
   */
  private double[] solve(double... raw) {
    double[] positive = Arrays.stream(raw).map(weight -> Math.max(0.0, weight)).toArray();
    return problem.loss().accept(new Solver(positive));
  }

  /** Says why a loss is not fitted; empty if it is. */
  private final class Refusal implements Loss.Reader<Optional<FitOutcome>> {
    @Override
    public Optional<FitOutcome> squared() {
      return Optional.empty();
    }

    @Override
    public Optional<FitOutcome> quantile(Loss.Quantile quantile) {
      return lambda > 0.0 || weights.length > MOST_ROWS
          ? Optional.of(
              refused(
                  "counts are fitted by %s without a penalty, and in at most %d cells; this has %d",
                  problem.lossName(), MOST_ROWS, weights.length))
          : Optional.empty();
    }

    @Override
    public Optional<FitOutcome> huber(Loss.Huber huber) {
      return Optional.of(
          refused("counts are not fitted by huber; use ridge, lasso, elastic-net or quantile"));
    }

    @Override
    public Optional<FitOutcome> logistic() {
      throw RowsFit.notFitted();
    }
  }

  /** Returns the coefficients for weights that are not negative; of losses that are not refused. */
  private final class Solver implements Loss.Reader<double[]> {
    private final double[] positive;

    Solver(double... positive) {
      this.positive = positive;
    }

    @Override
    public double[] squared() {
      ElasticNet.Solution net = net(lambda, positive);
      return net.solution().missed() > 0 ? new double[0] : net.solution().b().getData();
    }

    @Override
    public double[] quantile(Loss.Quantile quantile) {
      QuantileOutcome outcome =
          QuantileRegression.solve(WeightedRows.of(features, x, y, positive), quantile.tau());
      if (outcome instanceof QuantileOutcome.Solved solved) {
        return solved.fit().coefficients().toArray();
      }
      return outcome instanceof QuantileOutcome.Stalled stalled
          ? stalled.fit().coefficients().toArray()
          : new double[0];
    }

    @Override
    public double[] huber(Loss.Huber huber) {
      throw new IllegalStateException("counts are not fitted by huber");
    }

    @Override
    public double[] logistic() {
      throw RowsFit.notFitted();
    }
  }

  private ElasticNet.Solution net(double penalty, double... positive) {
    return ElasticNet.solve(
        equations(positive),
        penalty,
        problem.penalty().alpha(),
        0.0,
        problem.l1Weights(input.intercept()));
  }

  /** Returns the loss of b, or without its penalty if that is given. */
  private double leastLoss(double... b) {
    return lambda > 0.0 ? loss(net(0.0, positive()).solution().b().getData()) : loss(b);
  }

  private double[] positive() {
    return Arrays.stream(weights).map(weight -> Math.max(0.0, weight)).toArray();
  }

  private double condition() {
    return equations(positive()).solve(0.0, 0.0).condition();
  }

  private NormalEquations equations(double... positive) {
    int size = features + 1;
    DMatrixRMaj joint = new DMatrixRMaj(size, size);
    double[] row = new double[size];
    for (int i = 0; i < y.length; i++) {
      if (positive[i] > 0.0) {
        System.arraycopy(x, i * features, row, 0, features);
        row[features] = y[i];
        for (int j = 0; j < size; j++) {
          for (int k = 0; k < size; k++) {
            joint.add(j, k, positive[i] * row[j] * row[k]);
          }
        }
      }
    }
    return new NormalEquations(joint, problem.ridgeWeights(input.intercept()));
  }

  private static FitOutcome refused(String format, Object... values) {
    return new FitOutcome.Refused(String.format(Locale.ROOT, format, values));
  }
}

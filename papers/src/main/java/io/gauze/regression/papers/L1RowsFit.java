package io.gauze.regression.papers;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Convergence;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.InterceptOnlyFit;
import io.gauze.regression.Loss;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.quantile.QuantileFit;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.regression.rows.RowsFit;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Fits least absolute deviations on the noisy buckets of a multilevel sketch: on weighted rows, as
 * if there were no noise, then corrects the shrinkage that noise in the features causes.
 *
 * <p>A level above 0 is left out if its noise exceeds the residuals of its rows: its weight would
 * make noise the larger part of the objective. Level 0 contains sums of many rows, whose residuals
 * are nearly normal. It is no more robust than least squares, and if residuals are skewed, its
 * intercept is nearer to their mean than to their median, which {@link Fit#predictedExcess} does
 * not include. So the sketch needs little noise, an epsilon in the hundreds: with 2,000 buckets an
 * excess of 1.8 % without noise became 9 % at epsilon 50, and 60 % at 10.
 */
final class L1RowsFit {

  /** The largest sum that is accepted. Sums of encoded rows are far smaller. */
  private static final double LARGEST_SUM = 1e60;

  private final ReleasedL1Rows input;
  private final RegressionProblem problem;
  private final int[] columns; // features, then the response
  private final L1Moments level0;
  private final List<Message> warnings = new ArrayList<>();

  private L1RowsFit(ReleasedL1Rows input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    this.columns = problem.columns(input.dimension());
    this.level0 = new L1Moments(input, columns);
  }

  /**
   * Fits a problem. Costs a fit of {@link QuantileRegression} on r rows.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static FitOutcome fit(ReleasedL1Rows input, RegressionProblem problem) {
    L1RowsFit fit = new L1RowsFit(input, problem);
    String reason = fit.refusal();
    if (!reason.isEmpty()) {
      return new FitOutcome.Refused(reason);
    }
    return fit.silence()
        .map(
            silence ->
                InterceptOnlyFit.outcome(problem, input.intercept(), fit.level0.rows(), silence))
        .orElseGet(fit::solve);
  }

  private String refusal() {
    if (!problem.loss().equals(Loss.ABSOLUTE)) {
      return "multilevel-l1 answers lad only: its buckets are sums of rows, and sums have other"
          + " quantiles than their rows; use stratified-moments for quantiles and Huber's loss,"
          + " moments for the squared loss";
    }
    if (problem.lambda().orElse(0.0) > 0.0) {
      return "multilevel-l1 is fitted without a penalty; leave lambda out";
    }
    int part = input.spec().buckets() / input.spec().copies();
    if (part <= columns.length) {
      return String.format(
          Locale.ROOT,
          "%d buckets cannot hold %d features and a response; fit fewer features, or plan at least"
              + " %d buckets",
          part,
          features(),
          4 * columns.length);
    }
    if (!(input.largest() < LARGEST_SUM)) {
      return "the sums are too large for encoded rows; check the release's grid";
    }
    return "";
  }

  private Optional<InterceptOnlyFit.Silence> silence() {
    double reached = 3.0 * level0.rowsDeviation();
    return level0.rows() > reached
        ? Optional.empty()
        : Optional.of(
            new InterceptOnlyFit.Silence(
                level0.rows(),
                reached,
                String.format(
                    Locale.ROOT,
                    "the release holds no rows above its noise: %.4g, give or take %.4g; merge"
                        + " epochs, make them longer, or spend a larger epsilon",
                    level0.rows(),
                    level0.rowsDeviation())));
  }

  private int features() {
    return columns.length - 1;
  }

  private FitOutcome solve() {
    L1Noise noise = new L1Noise(level0, features(), input.sigma());
    List<Integer> levels = levels(noise);
    WeightedRows rows = rows(levels);
    QuantileOutcome outcome = QuantileRegression.lad(rows);
    if (outcome instanceof QuantileOutcome.Refused refused) {
      return new FitOutcome.Refused(refused.reason());
    }
    if (outcome instanceof QuantileOutcome.Stalled stalled) {
      warnings.add(RowsFit.stalled(stalled));
      return new FitOutcome.Fitted(result(noise, rows, stalled.fit()));
    }
    return new FitOutcome.Fitted(result(noise, rows, ((QuantileOutcome.Solved) outcome).fit()));
  }

  private List<Integer> levels(L1Noise noise) {
    List<Integer> kept = new ArrayList<>();
    for (int level = 0; level <= input.spec().levels(); level++) {
      double rows = level0.rowsPerBucket(level, level0.rows());
      if (level == 0 || rows * noise.residual() >= noise.bucket()) {
        kept.add(level);
      }
    }
    int dropped = input.spec().levels() + 1 - kept.size();
    if (dropped > 0) {
      warnings.add(FitMessage.LEVELS.of(dropped, input.spec().levels() + 1));
    }
    return kept;
  }

  private WeightedRows rows(List<Integer> levels) {
    MultilevelSketchSpec spec = input.spec();
    int[] buckets =
        levels.stream()
            .flatMapToInt(l -> IntStream.range(l * spec.buckets(), (l + 1) * spec.buckets()))
            .toArray();
    int p = features();
    double[] x = new double[buckets.length * p];
    double[] y = new double[buckets.length];
    double[] w = new double[buckets.length];
    for (int k = 0; k < buckets.length; k++) {
      for (int c = 0; c < p; c++) {
        x[k * p + c] = input.value(buckets[k], columns[c]);
      }
      y[k] = input.value(buckets[k], columns[p]);
      w[k] = spec.weight(buckets[k]);
    }
    return WeightedRows.of(p, x, y, w);
  }

  private Fit result(L1Noise noise, WeightedRows rows, QuantileFit fit) {
    L1Correction correction =
        new L1Correction(rows, fit.coefficients(), input.spec().buckets(), input.sigma());
    DMatrixRMaj distance = correction.covariance();
    double excess = noise.excess(distance, level0.rows());
    warn(noise, correction, excess);
    CommonOps_DDRM.addEquals(distance, noise.unseen());
    return new Fit(
        problem,
        input.intercept(),
        correction.coefficients(),
        noise.sampling(0.5 * Math.PI),
        SymmetricMatrix.of(distance),
        0.0,
        correction.condition(),
        Math.max(0.0, level0.rows()),
        excess,
        new Convergence(fit.iterations() + fit.pivots(), fit.relativeGap()),
        warnings);
  }

  private void warn(L1Noise noise, L1Correction correction, double excess) {
    int weak = Math.max(noise.weak(), correction.weak());
    if (weak > 0) {
      warnings.add(FitMessage.SHRUNK.of(weak, features()));
    }
    double residual = level0.rowsPerBucket(0, level0.rows()) * noise.residual();
    if (noise.bucket() > residual || excess > 0.5) {
      warnings.add(
          FitMessage.SUMS.of(Math.sqrt(noise.bucket()), Math.sqrt(residual), 100.0 * excess));
    }
  }
}

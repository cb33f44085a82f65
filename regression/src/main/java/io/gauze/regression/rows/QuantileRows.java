package io.gauze.regression.rows;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Convergence;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.quantile.QuantileFit;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.ejml.data.DMatrixRMaj;

/**
 * Fits a quantile, or least absolute deviations, on raw rows, with an l1 penalty or none.
 *
 * <p>Standard errors are those of R. Koenker, Quantile Regression (Cambridge University Press,
 * 2005), section 3.4.2: the sandwich for errors that are not identically distributed, with J. L.
 * Powell's kernel estimate of the densities and the bandwidth of P. Hall and S. J. Sheather, On the
 * distribution of a studentized quantile, J. R. Stat. Soc. B 50 (1988). The bandwidth is widened if
 * too few rows are within it.
 */
final class QuantileRows {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);

  /** The level of the interval for which the bandwidth is best. */
  private static final double LEVEL = 0.05;

  /** Coefficients that are 0 at a vertex are computed as less than this share of the largest. */
  private static final double ZERO = 1e-12;

  private final RowsFit fit;
  private final double tau;
  private final WeightedRows rows;

  QuantileRows(RowsFit fit, double tau) {
    this.fit = fit;
    this.tau = tau;
    this.rows = fit.input.select(fit.problem);
  }

  FitOutcome fit() {
    if (fit.lambda * fit.problem.penalty().alpha() > 0.0) {
      return RowsFit.refused(
          "%s has no ridge: give alpha 0 for an l1 penalty, or lambda 0", fit.problem.lossName());
    }
    WeightedRows penalized = fit.lambda > 0.0 ? penalized() : rows;
    QuantileOutcome outcome =
        tau == 0.5 ? QuantileRegression.lad(penalized) : QuantileRegression.solve(penalized, tau);
    if (outcome instanceof QuantileOutcome.Refused refused) {
      return new FitOutcome.Refused(
          refused.reason() + "; columns are counted from 0 in " + fit.problem.featureNames());
    }
    if (outcome instanceof QuantileOutcome.Stalled stalled) {
      fit.warnings.add(RowsFit.stalled(stalled));
      return fitted(stalled.fit());
    }
    return fitted(((QuantileOutcome.Solved) outcome).fit());
  }

  // rho(u) + rho(-u) = |u| for every tau, so t |b| is the loss of the rows x = 1 and x = -1 with
  // response 0 and weight t; t / 2 for the median, whose loss is doubled.
  private WeightedRows penalized() {
    int p = fit.features;
    int n = rows.rows();
    double[] l1 = fit.l1();
    double[] x = Arrays.copyOf(rows.features(), (n + 2 * p) * p);
    double[] y = Arrays.copyOf(rows.responses(), n + 2 * p);
    double[] w = new double[n + 2 * p];
    Arrays.fill(w, 0, n, 1.0);
    for (int j = 0; j < p; j++) {
      x[(n + 2 * j) * p + j] = 1.0;
      x[(n + 2 * j + 1) * p + j] = -1.0;
      Arrays.fill(w, n + 2 * j, n + 2 * j + 2, tau == 0.5 ? 0.5 * l1[j] : l1[j]);
    }
    return WeightedRows.of(p, x, y, w);
  }

  private FitOutcome fitted(QuantileFit solution) {
    double[] b = solution.coefficients().toArray();
    double largest = Arrays.stream(b).map(Math::abs).max().orElse(0.0);
    if (fit.lambda > 0.0) {
      b = Arrays.stream(b).map(v -> Math.abs(v) <= ZERO * largest ? 0.0 : v).toArray();
    }
    int[] active = fit.active(b);
    fit.warnAboutStandardErrors(b);
    double[] ones = new double[rows.rows()];
    Arrays.fill(ones, 1.0);
    DMatrixRMaj gram = rows.gram(ones);
    NormalEquations.Solution normal = restricted(gram, active);
    return fit.fitted(
        b,
        covariance(gram, rows.residuals(b), active),
        normal.condition(),
        new Convergence(solution.iterations() + solution.pivots(), solution.relativeGap()));
  }

  private NormalEquations.Solution restricted(DMatrixRMaj matrix, int... active) {
    return NormalEquations.restricted(matrix, new DMatrixRMaj(fit.features, 1), 0.0, active);
  }

  // H^-1 J H^-1 tau (1 - tau), J = X'X, H = X'F X with F the densities of residuals at 0, estimated
  // by the number of residuals within c of 0, over 2 c.
  private SymmetricMatrix covariance(DMatrixRMaj gram, double[] residuals, int... active) {
    double width = bandwidth(residuals.clone());
    double widest = Arrays.stream(residuals).map(Math::abs).max().orElse(0.0);
    if (!(width > 0.0)) { // all residuals are equal: 0
      return SymmetricMatrix.of(new DMatrixRMaj(fit.features, fit.features));
    }
    NormalEquations.Solution near = near(residuals, width, active);
    while (near.missed() > 0 && width <= widest) {
      width *= 2.0;
      near = near(residuals, width, active);
    }
    return RowsFit.sandwich(near.inverse(), gram, tau * (1.0 - tau));
  }

  private NormalEquations.Solution near(double[] residuals, double width, int... active) {
    return restricted(
        rows.gram(
            Arrays.stream(residuals).map(u -> Math.abs(u) <= width ? 0.5 / width : 0.0).toArray()),
        active);
  }

  // Hall and Sheather: h = n^(-1/3) z^(2/3) [1.5 phi(q)^2 / (2 q^2 + 1)]^(1/3), q = Phi^-1(tau); in
  // units of the residuals kappa (Phi^-1(tau + h) - Phi^-1(tau - h)), where kappa is their spread.
  private double bandwidth(double... residuals) {
    int n = residuals.length;
    double q = NORMAL.inverseCumulativeProbability(tau);
    double density = NORMAL.density(q);
    double z = NORMAL.inverseCumulativeProbability(1.0 - 0.5 * LEVEL);
    double h = Math.cbrt(z * z * 1.5 * density * density / ((2.0 * q * q + 1.0) * Math.max(1, n)));
    h = Math.min(h, 0.5 * Math.min(tau, 1.0 - tau));
    return spread(residuals)
        * (NORMAL.inverseCumulativeProbability(tau + h)
            - NORMAL.inverseCumulativeProbability(tau - h));
  }

  /**
   * Returns the smaller of the standard deviation and the normalised interquartile range, if the
   * latter is not 0.
   */
  private static double spread(double... residuals) {
    Arrays.sort(residuals);
    int n = residuals.length;
    double mean = Arrays.stream(residuals).average().orElse(0.0);
    double variance =
        Arrays.stream(residuals).map(u -> (u - mean) * (u - mean)).sum() / Math.max(1, n - 1);
    double range = (residuals[(int) (0.75 * (n - 1))] - residuals[(int) (0.25 * (n - 1))]) / 1.34;
    return range > 0.0 ? Math.min(range, Math.sqrt(variance)) : Math.sqrt(variance);
  }
}

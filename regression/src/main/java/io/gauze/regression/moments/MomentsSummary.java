package io.gauze.regression.moments;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Fit;
import io.gauze.regression.FitSummary;
import io.gauze.regression.FitSummary.Estimate;
import java.util.Optional;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The summary of a fit of noisy moments G = M + E, by the delta method over the law of E.
 *
 * <p>All three estimates are functions of quadratic forms of G: c0^2 n = e'Ge for the intercept's
 * e; the residual sum of squares u'Gu for u = (-b, 1); and that around the mean, v'Gv for v = (-m,
 * 0, ..., 1). To first order b and m do not matter, since they minimise these forms, so that the
 * errors are e'Ee, u'Eu and v'Ev, whose covariances the law knows. What remains of the residual sum
 * is d'Md, d the distance of b to the non-private fit: the square of its expectation is added.
 */
final class MomentsSummary {
  /** A sum of squares of so many standard deviations of its noise is known. */
  private static final double KNOWN = 5.0;

  /** An estimate whose standard error is a larger share of it says nothing. */
  private static final double LARGEST_SHARE = 0.5;

  /** A share of variance with a larger standard error says nothing. */
  private static final double LARGEST_ERROR = 0.25;

  private final NoiseLaw law;
  private final Fit fit;
  private final SymmetricMatrix joint;
  private final double intercept;
  private final int features;
  private final DMatrixRMaj u;

  MomentsSummary(NoisyMomentsInput input, Fit fit) {
    int[] columns = fit.problem().columns(input.dimension());
    this.law = input.law(columns);
    this.fit = fit;
    this.joint = SymmetricMatrix.of(input.momentsOf(columns));
    this.intercept = input.intercept();
    this.features = fit.coefficients().size();
    this.u = ReleaseError.residualWeights(new DMatrixRMaj(fit.coefficients().toArray()));
  }

  FitSummary summary() {
    int constant = fit.problem().features().indexOf(0);
    if (constant < 0) {
      Estimate none = Estimate.withheld("the fit has no intercept");
      return new FitSummary(none, none, none);
    }
    DMatrixRMaj e = new DMatrixRMaj(features + 1, 1);
    e.set(constant, 1.0);
    double ofRows = Math.sqrt(covariance(e, e)) / (intercept * intercept);
    double n = joint.get(constant, constant) / (intercept * intercept);
    Estimate rows = new Estimate(n, 0.0, ofRows, Optional.empty());
    if (!(n > features && ofRows <= LARGEST_SHARE * n)) {
      Estimate none = Estimate.withheld(FitSummary.HIDDEN_ROWS);
      return new FitSummary(none, none, none);
    }
    if (!fit.problem().loss().isSquared()) {
      Estimate none = Estimate.withheld("only fits of squares have one");
      return new FitSummary(rows, none, none);
    }
    return squares(rows, e, constant);
  }

  private FitSummary squares(Estimate rows, DMatrixRMaj e, int constant) {
    DMatrixRMaj v = new DMatrixRMaj(features + 1, 1);
    v.set(constant, -joint.get(constant, features) / joint.get(constant, constant));
    v.set(features, 1.0);
    double residual = law.residual(form(u, u), CommonOps_DDRM.dot(u, u), features);
    double total = law.residual(form(v, v), CommonOps_DDRM.dot(v, v), 1);
    if (!(residual >= KNOWN * Math.sqrt(covariance(u, u)))
        || !(total >= KNOWN * Math.sqrt(covariance(v, v)))) {
      Estimate none = Estimate.withheld("the residual variance cannot be told from the noise");
      return new FitSummary(rows, none, none);
    }
    return new FitSummary(
        rows, rSquared(rows.value(), residual, total, v), scale(rows.value(), residual, e));
  }

  // With rss = u'Gu, tss = v'Gv and s = rss / tss: d(1 - s) = (s d tss - d rss) / tss.
  // Sampling, of normal variables: 2 R (1 - R^2) / sqrt n, equation 9 of I. Olkin and J. Finn,
  // Correlations redux, Psychological Bulletin 118, 1995.
  private Estimate rSquared(double rows, double residual, double total, DMatrixRMaj v) {
    double share = residual / total;
    double pulled = excess(residual);
    double variance =
        share * share * covariance(v, v)
            - 2.0 * share * covariance(u, v)
            + covariance(u, u)
            + pulled * pulled;
    double privacy = Math.sqrt(Math.max(0.0, variance)) / total;
    double sampling = 2.0 * Math.sqrt(Math.max(0.0, 1.0 - share)) * share / Math.sqrt(rows);
    return Math.hypot(sampling, privacy) <= LARGEST_ERROR
        ? new Estimate(1.0 - share, sampling, privacy, Optional.empty())
        : Estimate.withheld("its error would be more than " + LARGEST_ERROR);
  }

  // Of s^2 = rss / (n - p): d s / s = (d rss / rss - d n / (n - p)) / 2. Sampling, of normal
  // residuals: s^2 (n - p) is a chi-square, so that s has the relative error 1 / sqrt(2 (n - p)).
  private Estimate scale(double rows, double residual, DMatrixRMaj e) {
    double freedom = rows - features;
    double perRow = 1.0 / (freedom * intercept * intercept);
    double pulled = excess(residual);
    double relative =
        (covariance(u, u) + pulled * pulled) / (residual * residual)
            - 2.0 * covariance(u, e) * perRow / residual
            + covariance(e, e) * perRow * perRow;
    double value = Math.sqrt(residual / freedom);
    double privacy = 0.5 * value * Math.sqrt(Math.max(0.0, relative));
    double sampling = value / Math.sqrt(2.0 * freedom);
    return Math.hypot(sampling, privacy) <= LARGEST_SHARE * value
        ? new Estimate(value, sampling, privacy, Optional.empty())
        : Estimate.withheld("its error would be more than half of it");
  }

  /** Returns d'Md, which the predicted excess of the root of the residual sum contains. */
  private double excess(double residual) {
    double root = 1.0 + fit.predictedExcess();
    return (root * root - 1.0) * residual;
  }

  private double form(DMatrixRMaj one, DMatrixRMaj other) {
    double value = 0.0;
    for (int i = 0; i <= features; i++) {
      for (int j = 0; j <= features; j++) {
        value += one.get(i) * joint.get(i, j) * other.get(j);
      }
    }
    return value;
  }

  private double covariance(DMatrixRMaj one, DMatrixRMaj other) {
    boolean isSquare = one == other;
    double value = form(one, other);
    return law.formCovariance(one, other, isSquare ? Math.max(0.0, value) : value);
  }
}

package io.gauze.benchmarks;

import io.gauze.payload.Payload;
import io.gauze.release.Release;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The ridge regression of Y.-X. Wang, Revisiting differentially private linear regression, UAI
 * 2018, algorithm 2, with its constants, of a release of {@code ada-ssp}. The noise is that of the
 * release, which is less than in the paper: the budget is composed exactly. {@code fit} differs in
 * its ridge, which is larger where a bootstrap says so.
 */
final class PublishedAdaSsp {
  /** The probability that the noise exceeds what the ridge covers. */
  private static final double RHO = 0.05;

  private PublishedAdaSsp() {}

  /** Returns the coefficients of a release whose response is the last column. */
  static double[] coefficients(Release release) {
    Payload.SufficientStatistics payload = (Payload.SufficientStatistics) release.payload();
    int features = payload.dimension() - 1;
    DMatrixRMaj gram = new DMatrixRMaj(features, features);
    int next = 0;
    for (int i = 0; i < features; i++) {
      for (int j = i; j < features; j++) {
        gram.set(i, j, release.value(next));
        gram.set(j, i, release.value(next++));
      }
    }
    DMatrixRMaj products = new DMatrixRMaj(features, 1);
    for (int j = 0; j < features; j++) {
      products.set(j, release.value(next++));
    }
    double ridge = ridge(payload, release.value(next), release.guarantee().delta());
    for (int j = 0; j < features; j++) {
      gram.add(j, j, ridge);
    }
    DMatrixRMaj coefficients = new DMatrixRMaj(features, 1);
    CommonOps_DDRM.solve(gram, products, coefficients);
    return coefficients.getData();
  }

  /**
   * Returns the ridge of the paper.
   *
   * @param noisy the noisy least eigenvalue
   */
  static double ridge(Payload.SufficientStatistics payload, double noisy, double delta) {
    int features = payload.dimension() - 1;
    double entry = Math.sqrt(0.5) * payload.momentsSigma(); // off the diagonal
    double reach = entry * Math.sqrt(features * Math.log(2.0 * features * features / RHO));
    double least = noisy - payload.eigenvalueSigma() * Math.sqrt(Math.log(6.0 / delta));
    return Math.max(0.0, reach - Math.max(0.0, least));
  }
}

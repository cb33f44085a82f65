package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.regression.FitRandom;
import io.gauze.regression.RegressionProblem;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Chooses lambda for released moments by parametric bootstrap. It treats the released moments as
 * the truth, adds fresh noise of the same law, and keeps the ridge whose coefficients have the
 * least mean excess risk on that truth.
 *
 * <p>The truth's eigenvalues are floored at a share of the noise's size. With a floor of 0 the
 * truth would be nearly singular wherever noise covers the signal, its own coefficients would be
 * huge there, and the ridge that recovers them far too small. The truth's products of features and
 * response are shrunk by the factor of James and Stein, since the noise makes those of the release
 * too large; without signal they are 0, and so are the coefficients.
 */
public final class PenaltyBootstrap {
  /** The number of fresh releases that are drawn. */
  static final int DRAWS = 12;

  /** The candidates, in units of the noise's size. The last one stands for infinity. */
  static final double[] GRID = {
    0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 1, 1.25, 1.5, 2, 3, 5, 8, 15, 40, 150, 1e9
  };

  /** The number of consecutive worse candidates after which larger penalties are not tried. */
  private static final int RISES = 4;

  private PenaltyBootstrap() {}

  /** Returns the moments of a release with their eigenvalues floored. */
  static DMatrixRMaj truth(Spectrum spectrum, double unit) {
    return spectrum.map(value -> Math.max(value, Tuning.TRUTH_FLOOR * unit));
  }

  /**
   * Returns lambda for released moments of features and response; see the other method.
   *
   * @param joint the moments
   */
  public static double choose(
      DMatrixRMaj joint, NoiseLaw law, RegressionProblem problem, double intercept) {
    DMatrixRMaj truth = truth(Spectrum.of(joint), law.unit(joint.getNumRows()));
    return choose(truth, law, problem, intercept, FitRandom.seededBy(joint));
  }

  /**
   * Returns lambda.
   *
   * @param truth floored moments of features and response
   * @param law of the noise in the moments
   * @param problem the problem to fit
   * @param intercept the constant in column 0
   * @param random seeded by the release
   */
  public static double choose(
      DMatrixRMaj truth,
      NoiseLaw law,
      RegressionProblem problem,
      double intercept,
      FitRandom random) {
    DMatrixRMaj shrunk = shrunk(truth, law);
    MomentsBootstrap bootstrap =
        new MomentsBootstrap(shrunk, law, problem, intercept, DRAWS, random);
    return least(bootstrap, law.unit(truth.getNumRows()));
  }

  /** Returns the first candidate after which the mean risk rises {@link #RISES} times. */
  private static double least(MomentsBootstrap bootstrap, double unit) {
    int best = 0;
    double leastRisk = Double.POSITIVE_INFINITY;
    for (int k = 0; k < GRID.length && k - best <= RISES; k++) {
      double risk = bootstrap.meanRisk(GRID[k] * unit);
      if (risk < leastRisk) {
        best = k;
        leastRisk = risk;
      }
    }
    return GRID[best] * unit;
  }

  // The products s contain noise of covariance C = Cov((E u)_x) for u = (0, 1). With p entries
  // E |s|^2 = |s0|^2 + tr C, and s sqrt(1 - (p - 2) / p tr C / |s|^2) has about the size of s0.
  // Here C is that of rows whose response does not depend on the features.
  private static DMatrixRMaj shrunk(DMatrixRMaj truth, NoiseLaw law) {
    int features = truth.getNumRows() - 1;
    DMatrixRMaj u = new DMatrixRMaj(features + 1, 1);
    u.set(features, 1.0);
    DMatrixRMaj unrelated = withProducts(truth, 0.0);
    double square = truth.get(features, features);
    double noise = CommonOps_DDRM.trace(law.covariance(unrelated, u, square));
    double norm2 = 0.0;
    for (int k = 0; k < features; k++) {
      norm2 += truth.get(k, features) * truth.get(k, features);
    }
    double share = Math.max(0.5, (features - 2.0) / features);
    return withProducts(truth, Math.sqrt(Math.max(0.0, 1.0 - share * noise / norm2)));
  }

  /** Returns the moments with the products of features and response multiplied by a factor. */
  private static DMatrixRMaj withProducts(DMatrixRMaj moments, double factor) {
    int features = moments.getNumRows() - 1;
    DMatrixRMaj scaled = moments.copy();
    for (int k = 0; k < features; k++) {
      scaled.set(k, features, factor * moments.get(k, features));
      scaled.set(features, k, factor * moments.get(features, k));
    }
    return scaled;
  }
}

package io.gauze.regression.moments;

import io.gauze.linalg.SymmetricMatrix;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.InverseErfc;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The residual sum of squares of a fit, as noisy moments tell it: R plus normal noise. Nothing is
 * known of R but that it is positive, so that after the release R is normal around the noisy value,
 * cut off at 0.
 *
 * @param noisy the released value; may be negative
 * @param deviation of its noise; positive if there is noise
 */
record NoisyResidual(double noisy, double deviation) {
  /** A residual of so many deviations stands out from its noise. */
  static final double KNOWN = 5.0;

  /** Further below 0 the law of R hardly has a shape, and double precision ends. */
  private static final double LEAST = -30.0;

  /**
   * Returns the residual of coefficients.
   *
   * @param joint moments of the features, then the response
   */
  static NoisyResidual of(NoiseLaw law, DMatrixRMaj joint, DMatrixRMaj coefficients) {
    DMatrixRMaj u = ReleaseError.residualWeights(coefficients);
    double raw = SymmetricMatrix.of(joint).quadraticForm(u.getData());
    double noisy = law.residual(raw, CommonOps_DDRM.dot(u, u), joint.getNumRows() - 1);
    return new NoisyResidual(noisy, law.deviation(Math.max(noisy, 0.0), u));
  }

  /** Checks whether the residual stands out from its noise. */
  boolean isKnown() {
    return noisy >= KNOWN * deviation;
  }

  /** An upper estimate: the noise, if the residual is smaller. */
  double upper() {
    return Math.max(noisy, deviation);
  }

  /** The value that R is as likely above as below; positive. */
  double median() {
    return quantile(0.5);
  }

  /** A value that R is hardly below, of a probability of 5 %; positive. */
  double low() {
    return quantile(0.05);
  }

  /** Checks whether the residual may well be less than half of its median. */
  boolean isHidden() {
    return low() < 0.5 * median();
  }

  // R = noisy + deviation Z, Z above -t for t = noisy / deviation: P(Z > z) = (1 - share) Phi(t)
  private double quantile(double share) {
    if (!(deviation > 0.0)) {
      return upper();
    }
    double t = Math.max(noisy / deviation, LEAST);
    double above = (1.0 - share) * Erfc.value(-Math.sqrt(0.5) * t);
    return deviation * (t + Math.sqrt(2.0) * InverseErfc.value(above));
  }
}

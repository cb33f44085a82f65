package io.gauze.regression.moments;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The mean squared error of the coefficients of a release: a part that follows from the release,
 * and an upper bound of what a ridge leaves out where noise exceeds signal.
 */
public final class CoefficientErrors {
  private final DMatrixRMaj known;
  private final DMatrixRMaj bound;
  private final double undetermined; // the bound over the other error from which on it is unknown

  private CoefficientErrors(DMatrixRMaj known, DMatrixRMaj bound, double undetermined) {
    this.known = known;
    this.bound = bound;
    this.undetermined = undetermined;
  }

  /**
   * Returns the errors of a fit.
   *
   * @param slope half of the slope of the l1 penalty
   * @param isChosen whether the penalty was chosen for the noise, so that it is part of the error
   * @param isResidualKnown whether the residual stands out from its noise. It bounds what is left
   *     out; without it nothing does
   */
  static CoefficientErrors of(
      ReleaseError error, DMatrixRMaj slope, boolean isChosen, boolean isResidualKnown) {
    DMatrixRMaj known = error.noise();
    if (!isChosen) {
      DMatrixRMaj none = new DMatrixRMaj(known.getNumRows(), known.getNumCols());
      return new CoefficientErrors(known, none, Double.POSITIVE_INFINITY);
    }
    CommonOps_DDRM.addEquals(known, error.pull(slope));
    double ofResidual = isResidualKnown ? Tuning.UNDETERMINED : 0.0;
    boolean isUsual = isResidualKnown && error.hasUsualSize();
    return new CoefficientErrors(
        known, error.unseen(isResidualKnown), isUsual ? Double.POSITIVE_INFINITY : ofResidual);
  }

  DMatrixRMaj meanSquare() {
    DMatrixRMaj sum = known.copy();
    CommonOps_DDRM.addEquals(sum, Tuning.EXPECTED_OF_BOUND, bound);
    return sum;
  }

  // d'M d for a normal d of covariance C is a sum of chi-squares with the eigenvalues of M C. It is
  // about a multiple of one with nu = (tr MC)^2 / tr (MC)^2 degrees of freedom, whose median is
  // (1 - 2 / (9 nu))^3 of its mean: E. Wilson and M. Hilferty, The distribution of chi-square,
  // PNAS 17, 1931.
  /** Returns the median of d'M d for these errors d, where all of them are known. */
  public double medianExcess(DMatrixRMaj moments) {
    return medianExcess(moments, known);
  }

  public static double medianExcess(DMatrixRMaj moments, DMatrixRMaj known) {
    DMatrixRMaj product = new DMatrixRMaj(known.getNumRows(), known.getNumCols());
    CommonOps_DDRM.mult(moments, known, product);
    double mean = CommonOps_DDRM.trace(product);
    DMatrixRMaj square = new DMatrixRMaj(known.getNumRows(), known.getNumCols());
    CommonOps_DDRM.mult(product, product, square);
    double freedom = mean * mean / CommonOps_DDRM.trace(square);
    return freedom >= 1.0 ? mean * Math.pow(1.0 - 2.0 / (9.0 * freedom), 3.0) : mean;
  }

  /** Returns the coefficients whose error is not known. */
  Set<Integer> hidden() {
    return above(undetermined);
  }

  /** Returns the coefficients whose error is mostly a guess. */
  Set<Integer> guessed() {
    return above(1.0 / Tuning.EXPECTED_OF_BOUND);
  }

  private Set<Integer> above(double most) {
    return IntStream.range(0, known.getNumRows())
        .filter(k -> bound.get(k, k) > most * known.get(k, k))
        .boxed()
        .collect(Collectors.toSet());
  }
}

package io.gauze.regression.rows;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RegressionProblem;
import org.ejml.data.DMatrixRMaj;

/** Second moments of encoded rows, exact or with known noise: enough for every squared loss. */
public interface MomentsInput extends FitInput {
  /**
   * Returns the sums of products of columns, in encoded units; unbiased for the moments of the
   * rows, not necessarily positive semidefinite.
   */
  SymmetricMatrix moments();

  /** Returns the moments of some columns, in this order. */
  default DMatrixRMaj momentsOf(int... columns) {
    return moments().select(columns);
  }

  @Override
  default int dimension() {
    return moments().dimension();
  }

  /**
   * Returns the largest excess of a fit, whatever its loss, by what it loses in squares: for inputs
   * that show where residuals lie.
   */
  default double largestByResidual(Fit fit) {
    return largestExcess(fit);
  }

  /** The refusal of a loss that bends: exact moments alone do not show where residuals lie. */
  static FitOutcome refused(RegressionProblem problem) {
    return new FitOutcome.Refused(
        "moments cannot tell where losses bend, which "
            + problem.lossName()
            + " needs; use the squared loss, or release stratified-moments (any quantile,"
            + " Huber) or multilevel-l1 (lad)");
  }
}

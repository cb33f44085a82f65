package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** Second moments of a release, whose error has a known law. */
sealed interface NoisyMomentsInput extends MomentsInput
    permits ReleasedMoments, ReleasedRows, ReleasedInverse {
  /** The law of the error of the moments. */
  NoiseLaw law();

  @Override
  default <T> T accept(InputReader<T> reader) {
    return reader.noisyMoments(this);
  }

  @Override
  default Predicate<RangeEnd> crowdedEnds() {
    return new CrowdedEnds(moments(), law(), intercept());
  }

  @Override
  default OptionalDouble ignorance(Fit fit) {
    return OptionalDouble.of(Math.sqrt(spread(fit.problem(), fit.coefficients())) - 1.0);
  }

  /**
   * Returns the sum of squares of the response around its mean over that around a fit, which is at
   * least its noise; at least 1.
   */
  default double spread(RegressionProblem problem, DoubleVector coefficients) {
    DMatrixRMaj joint = moments().select(problem.columns(dimension()));
    int last = joint.getNumRows() - 1;
    double mean = moments().get(0, problem.response());
    double constant = moments().get(0, 0);
    double around = joint.get(last, last) - (constant > 0.0 ? mean * mean / constant : 0.0);
    DMatrixRMaj u = ReleaseError.residualWeights(new DMatrixRMaj(coefficients.toArray()));
    double norm2 = CommonOps_DDRM.dot(u, u);
    double raw = SymmetricMatrix.of(joint).quadraticForm(u.getData());
    double noisy = law().residual(raw, norm2, last);
    double residual = Math.max(noisy, law().deviation(Math.max(noisy, 0.0), u));
    return Math.max(1.0, around / residual);
  }

  @Override
  default Optional<String> clippingWarning(Clipping clipping, int response) {
    return clipping.warning(this, response);
  }

  @Override
  default double clippingExcess(RegressionProblem problem, DoubleVector coefficients) {
    return problem.clipping().excess(this) * spread(problem, coefficients);
  }
}

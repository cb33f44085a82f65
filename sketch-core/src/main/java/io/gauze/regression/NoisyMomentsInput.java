package io.gauze.regression;

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

  // The sum of squares around the mean over that around the fit, which is at least its noise.
  @Override
  default OptionalDouble ignorance(Fit fit) {
    DMatrixRMaj joint = moments().select(fit.problem().columns(dimension()));
    int last = joint.getNumRows() - 1;
    double mean = moments().get(0, fit.problem().response());
    double constant = moments().get(0, 0);
    double around = joint.get(last, last) - (constant > 0.0 ? mean * mean / constant : 0.0);
    DMatrixRMaj u = ReleaseError.residualWeights(new DMatrixRMaj(fit.coefficients().toArray()));
    double norm2 = CommonOps_DDRM.dot(u, u);
    double raw = SymmetricMatrix.of(joint).quadraticForm(u.getData());
    double noisy = law().residual(raw, norm2, last);
    double residual = Math.max(noisy, law().deviation(Math.max(noisy, 0.0), u));
    return OptionalDouble.of(Math.sqrt(Math.max(1.0, around / residual)) - 1.0);
  }

  @Override
  default Optional<String> clippingWarning(Clipping clipping, int response) {
    return clipping.warning(this, response);
  }

  @Override
  default double clippingExcess(Clipping clipping) {
    return clipping.excess(this);
  }
}

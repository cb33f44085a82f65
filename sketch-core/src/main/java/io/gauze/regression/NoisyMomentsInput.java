package io.gauze.regression;

import java.util.Optional;
import java.util.function.Predicate;

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
  default Optional<String> clippingWarning(Clipping clipping, int response) {
    return clipping.warning(this, response);
  }
}

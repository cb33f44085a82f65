package io.gauze.regression.papers;

import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;

/** Fits of a sample of the inverse Wishart law. */
public final class InverseMomentsPayloadFits implements PayloadFits<Payload.InverseMoments> {
  @Override
  public Class<Payload.InverseMoments> payload() {
    return Payload.InverseMoments.class;
  }

  @Override
  public FitInput input(Payload.InverseMoments inverse, ReleasedNumbers numbers) {
    return ReleasedInverse.of(
        numbers.triangle(inverse.dimension(), 0),
        inverse.degrees(),
        inverse.ridge(),
        numbers.intercept());
  }

  @Override
  public Prospect prospect(Payload.InverseMoments inverse, AssumedDataModel model) {
    return Prospect.ofSquares(
        () -> ExpectedError.inverseWishart(model, inverse.degrees(), inverse.ridge()),
        "moments answer every squared loss, after a debiasing");
  }
}

package io.gauze.regression.papers;

import io.gauze.internal.Checks;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import io.gauze.regression.moments.ReleasedRows;

/** Fits of a Gaussian projection that has a ridge where the rows need one. */
public final class AdaptiveRidgeProjectionPayloadFits
    implements PayloadFits<Payload.AdaptiveRidgeProjection> {
  @Override
  public Class<Payload.AdaptiveRidgeProjection> payload() {
    return Payload.AdaptiveRidgeProjection.class;
  }

  @Override
  public FitInput input(Payload.AdaptiveRidgeProjection gated, ReleasedNumbers numbers) {
    int free = Checks.within("number of rows", (int) Math.rint(numbers.value(0)), 0, gated.rows());
    int rows = free == 0 ? gated.rows() : free;
    double[] values = new double[rows * gated.dimension()];
    for (int i = 0; i < values.length; i++) {
      values[i] = numbers.value(1 + i);
    }
    double ridge = free == 0 ? gated.ridge() : 0.0;
    return ReleasedRows.projection(rows, gated.dimension(), values, ridge, numbers.intercept());
  }

  @Override
  public Prospect prospect(Payload.AdaptiveRidgeProjection projection, AssumedDataModel model) {
    return Prospect.ofSquares( // at most the excess of a ridge
        () -> ExpectedError.projection(model, projection.rows(), projection.ridge()),
        "rows for any solver of squares; at most this, less if the data need no ridge");
  }
}

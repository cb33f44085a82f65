package io.gauze.regression.moments;

import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;

/** Fits of a Count-Sketch. */
public final class BucketsPayloadFits implements PayloadFits<Payload.Buckets> {
  @Override
  public Class<Payload.Buckets> payload() {
    return Payload.Buckets.class;
  }

  @Override
  public FitInput input(Payload.Buckets buckets, ReleasedNumbers numbers) {
    return ReleasedRows.of(
        buckets.rows(),
        buckets.dimension(),
        numbers.values(),
        buckets.sigma(),
        numbers.intercept());
  }

  @Override
  public Prospect prospect(Payload.Buckets buckets, AssumedDataModel model) {
    return Prospect.ofSquares(
        () -> ExpectedError.countSketch(model, buckets.rows(), buckets.sigma()), Prospect.ROWS);
  }
}

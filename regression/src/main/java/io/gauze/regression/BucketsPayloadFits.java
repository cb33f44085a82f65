package io.gauze.regression;

import io.gauze.mechanism.Payload;

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
  public Prospect prospect(Payload.Buckets buckets, NominalModel model) {
    return Prospect.ofSquares(
        () -> ExpectedError.countSketch(model, buckets.rows(), buckets.sigma()), Prospect.ROWS);
  }
}

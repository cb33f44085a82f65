package io.gauze.regression;

import io.gauze.mechanism.Payload;

/** Fits of a Gaussian projection. */
public final class ProjectionPayloadFits implements PayloadFits<Payload.Projection> {
  @Override
  public Class<Payload.Projection> payload() {
    return Payload.Projection.class;
  }

  @Override
  public FitInput input(Payload.Projection projection, ReleasedNumbers numbers) {
    return ReleasedRows.projection(
        projection.rows(),
        projection.dimension(),
        numbers.values(),
        projection.ridge(),
        numbers.intercept());
  }

  @Override
  public Prospect prospect(Payload.Projection projection, NominalModel model) {
    return Prospect.ofSquares(
        () -> ExpectedError.projection(model, projection.rows(), projection.ridge()),
        Prospect.ROWS);
  }
}

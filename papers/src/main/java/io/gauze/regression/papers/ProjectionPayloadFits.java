package io.gauze.regression.papers;

import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import io.gauze.regression.moments.ReleasedRows;

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
  public Prospect prospect(Payload.Projection projection, AssumedDataModel model) {
    return Prospect.ofSquares(
        () -> ExpectedError.projection(model, projection.rows(), projection.ridge()),
        Prospect.ROWS);
  }
}

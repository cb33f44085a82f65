package io.gauze.regression.papers;

import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/** Fits of a multilevel sketch of least absolute deviations. */
public final class WeightedBucketsPayloadFits implements PayloadFits<Payload.WeightedBuckets> {
  @Override
  public Class<Payload.WeightedBuckets> payload() {
    return Payload.WeightedBuckets.class;
  }

  @Override
  public FitInput input(Payload.WeightedBuckets buckets, ReleasedNumbers numbers) {
    return ReleasedL1Rows.of(
        buckets.spec(), numbers.values(), buckets.sigma(), numbers.intercept());
  }

  // A bucket of level 0 contains n / N rows: its residual is sqrt(n / N) times that of a row. Least
  // absolute deviations on N such rows, with additional noise sigma |(b, -1)|, are like least
  // squares on as many buckets, divided by the efficiency 2 / pi of a median.
  @Override
  public Prospect prospect(Payload.WeightedBuckets buckets, AssumedDataModel model) {
    DoubleSupplier excess =
        () ->
            0.5
                * Math.PI
                * ExpectedError.countSketch(model, buckets.spec().buckets(), buckets.sigma());
    return new Prospect(
        Optional.empty(),
        Optional.of(
            new Prospect.Way(
                excess,
                "rows for least absolute deviations; strata of the same budget fit better")),
        Prospect.USELESS);
  }
}

package io.gauze.regression.strata;

import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import io.gauze.row.Column;

/** Fits of moments in strata of the response. */
public final class StrataPayloadFits implements PayloadFits<Payload.Strata> {
  @Override
  public Class<Payload.Strata> payload() {
    return Payload.Strata.class;
  }

  @Override
  public FitInput input(Payload.Strata strata, ReleasedNumbers numbers) {
    ReleasedStrata all =
        ReleasedStrata.of(strata.spec(), numbers.values(), strata.sigma(), numbers.intercept());
    for (int c = 0; c < numbers.schema().columns().size(); c++) {
      Column column = numbers.schema().columns().get(c);
      int encoded = numbers.schema().offset(c);
      if (encoded == all.column() && column.isQuantity()) {
        return all.within(
            Math.max(-1.0, numbers.schema().encoded(encoded, column.lower())),
            Math.min(1.0, numbers.schema().encoded(encoded, column.upper())));
      }
    }
    return all;
  }

  // All strata together contain the rows, and each stratum its noise.
  @Override
  public Prospect prospect(Payload.Strata strata, AssumedDataModel model) {
    double sigma = strata.sigma() * Math.sqrt(strata.spec().strata());
    return Prospect.ofBoth(
        () -> ExpectedError.moments(model, new MomentNoise.Gaussian(sigma)),
        Prospect.approximation(strata.spec().strata()),
        "strata answer least absolute deviations, every quantile, Huber and squared losses, for"
            + " any features",
        Prospect.USELESS);
  }
}

package io.gauze.regression;

import io.gauze.mechanism.Payload;
import java.util.Optional;

/** Counts of single columns, of which nothing can be fitted. */
public final class RangeCountsPayloadFits implements PayloadFits<Payload.RangeCounts> {
  @Override
  public Class<Payload.RangeCounts> payload() {
    return Payload.RangeCounts.class;
  }

  @Override
  public FitInput input(Payload.RangeCounts counts, ReleasedNumbers numbers) {
    throw new IllegalArgumentException(
        "a release of ranges has counts of each column alone, from which nothing can be fitted: fit"
            + " one of the stream that uses these ranges");
  }

  @Override
  public Prospect prospect(Payload.RangeCounts counts, NominalModel model) {
    return new Prospect(Optional.empty(), Optional.empty(), Prospect.USELESS);
  }
}

package io.gauze.regression.papers;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ReleasedMoments;
import java.util.Optional;

/** Fits of the sufficient statistics of AdaSSP. */
public final class SufficientStatisticsPayloadFits
    implements PayloadFits<Payload.SufficientStatistics> {
  @Override
  public Class<Payload.SufficientStatistics> payload() {
    return Payload.SufficientStatistics.class;
  }

  @Override
  public FitInput input(Payload.SufficientStatistics statistics, ReleasedNumbers numbers) {
    int features = statistics.dimension() - 1;
    int triangle = SymmetricMatrix.length(features);
    return new ReleasedStatistics(
        statistics.response(),
        new ReleasedMoments(
            numbers.triangle(features, 0), statistics.momentsSigma(), numbers.intercept()),
        DoubleVector.generate(features, k -> numbers.value(triangle + k)),
        numbers.value(triangle + features),
        statistics.productsSigma(),
        statistics.eigenvalueSigma(),
        ExpectedSquares.of(numbers.schema()).get(statistics.response() - 1));
  }

  @Override
  public Prospect prospect(Payload.SufficientStatistics statistics, AssumedDataModel model) {
    return new Prospect(
        Optional.empty(), Optional.empty(), Prospect.USELESS); // its error cannot be told
  }
}

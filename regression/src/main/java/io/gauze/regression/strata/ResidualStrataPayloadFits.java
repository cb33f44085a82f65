package io.gauze.regression.strata;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import java.util.ArrayList;
import java.util.List;

/**
 * Fits of moments of encoded rows in strata of residuals, of releases that earlier versions made.
 */
public final class ResidualStrataPayloadFits implements PayloadFits<Payload.ResidualStrata> {
  @Override
  public Class<Payload.ResidualStrata> payload() {
    return Payload.ResidualStrata.class;
  }

  @Override
  public FitInput input(Payload.ResidualStrata residual, ReleasedNumbers numbers) {
    int dimension = residual.dimension();
    int triangle = SymmetricMatrix.length(dimension);
    double[] weights = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      double most = TransformedStrata.MOST_WEIGHT;
      weights[i] = Checks.within("weight", numbers.value(residual.weightsAt() + i), -most, most);
    }
    List<SymmetricMatrix> strata = new ArrayList<>();
    for (int k = 0; k < residual.strata(); k++) {
      strata.add(numbers.triangle(dimension, residual.strataAt() + k * triangle));
    }
    StrataNoise noise =
        new StrataNoise(residual.strataSigma(), residual.strata(), residual.momentsSigma());
    return ReleasedStrata.ofResiduals(
        StratifyingDirection.of(residual.response(), weights),
        numbers.triangle(dimension, 0),
        strata,
        noise,
        numbers.intercept());
  }

  // The moments of all rows and the sum of the strata together.
  @Override
  public Prospect prospect(Payload.ResidualStrata residual, AssumedDataModel model) {
    StrataNoise noise =
        new StrataNoise(residual.strataSigma(), residual.strata(), residual.momentsSigma());
    return Prospect.ofBoth(
        () -> ExpectedError.moments(model, new MomentNoise.Gaussian(noise.pooledSigma())),
        Prospect.approximation(residual.strata()),
        "strata of residuals answer least absolute deviations, quantiles and Huber for one response,"
            + " and squared losses; the rows are read twice, and epochs do not add up",
        Prospect.USELESS);
  }
}

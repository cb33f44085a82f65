package io.gauze.regression.twostage;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TransformedStrata;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.strata.StrataNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.IntToDoubleFunction;

/** Fits of second moments of transformed rows in strata of a residual. */
public final class TransformedStrataPayloadFits implements PayloadFits<TransformedStrata> {
  private static final String WHY =
      "strata of residuals answer least absolute deviations, quantiles and Huber for one response,"
          + " and squared losses; the rows are read several times, and epochs do not add up";

  @Override
  public Class<TransformedStrata> payload() {
    return TransformedStrata.class;
  }

  @Override
  public FitInput input(TransformedStrata payload, ReleasedNumbers numbers) {
    DoubleVector ends = TransformedPayloadFits.ends(numbers.schema());
    return input(payload, numbers.intercept(), ends, numbers::value);
  }

  /**
   * Returns the input of the numbers of a release.
   *
   * @param ends how far each encoded column reaches in a row that is as long as its bound lets it
   *     be; 0 for the constant
   * @param numbers by their index, in the encoded scale
   * @throws IllegalArgumentException if they cannot be those of such a release
   */
  static StrataInput input(
      TransformedStrata payload, double intercept, DoubleVector ends, IntToDoubleFunction numbers) {
    TransformedMoments all = payload.moments();
    int length = SymmetricMatrix.length(payload.dimension());
    double[] sums = new double[length];
    List<SymmetricMatrix> strata = new ArrayList<>();
    for (int k = 0; k < payload.strata(); k++) {
      double[] upper = new double[length];
      for (int i = 0; i < length; i++) {
        upper[i] = numbers.applyAsDouble(payload.strataAt() + k * length + i);
        sums[i] += upper[i];
      }
      strata.add(SymmetricMatrix.ofUpperTriangle(payload.dimension(), upper));
    }
    StrataNoise noise =
        new StrataNoise(
            payload.deviation(), payload.strata(), all.deviation(numbers.applyAsDouble(0)));
    double ofAll = payload.strata() * noise.correction();
    TransformedInput pooled =
        TransformedPayloadFits.input(
            pooled(payload),
            intercept,
            ends,
            at -> {
              double value = numbers.applyAsDouble(at);
              int i = at - all.momentsAt();
              return i < 0 ? value : value + (1.0 - ofAll) * (sums[i] - value);
            });
    return new StrataInput(
        pooled,
        TransformedPayloadFits.input(all, intercept, ends, numbers).releases().get(0),
        strata,
        DoubleVector.generate(payload.dimension(), k -> weight(numbers, payload.weightsAt() + k)),
        noise,
        all.response());
  }

  private static double weight(IntToDoubleFunction numbers, int at) {
    double most = TransformedStrata.MOST_WEIGHT;
    return Checks.within("weight", numbers.applyAsDouble(at), -most, most);
  }

  // The moments of all rows and the sum of the strata are two measurements of one matrix.
  /** Returns the payload of both together. */
  private static TransformedMoments pooled(TransformedStrata payload) {
    TransformedMoments all = payload.moments();
    return new TransformedMoments(
        all.dimension(),
        all.response(),
        all.rounds(),
        all.counts(),
        all.moments().stream()
            .map(each -> new StrataNoise(payload.deviation(), payload.strata(), each).pooledSigma())
            .toList());
  }

  @Override
  public Prospect prospect(TransformedStrata payload, AssumedDataModel model) {
    DoubleSupplier excess = () -> new ExpectedTransformed(pooled(payload), model).excess();
    double approximation = Prospect.approximation(payload.strata());
    return new Prospect(
        Optional.of(new Prospect.Way(excess, WHY)),
        Optional.of(new Prospect.Way(() -> ofBends(excess.getAsDouble(), approximation), WHY)),
        Prospect.USELESS);
  }

  /** The excess of losses that bend, as fits answer them: by strata, or by moments. */
  private static double ofBends(double noise, double approximation) {
    return StrataInput.isDrowned(noise)
        ? noise + Prospect.SQUARES_FOR_LAD
        : (1.0 + noise) * (1.0 + approximation) - 1.0;
  }
}

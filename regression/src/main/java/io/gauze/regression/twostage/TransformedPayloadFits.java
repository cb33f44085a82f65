package io.gauze.regression.twostage;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.CutRows;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Fits of second moments of transformed rows. */
public final class TransformedPayloadFits implements PayloadFits<TransformedMoments> {
  @Override
  public Class<TransformedMoments> payload() {
    return TransformedMoments.class;
  }

  @Override
  public FitInput input(TransformedMoments payload, ReleasedNumbers numbers) {
    RowSchema schema = numbers.schema();
    return input(payload, numbers.intercept(), ends(schema), numbers::value);
  }

  /**
   * Returns how far each encoded column reaches in a row that is shortened to its bound, all other
   * columns being typical; 0 for the constant.
   */
  static DoubleVector ends(RowSchema schema) {
    Set<Integer> apart = Set.copyOf(schema.responseIndexes());
    return DoubleVector.generate(
        schema.dimension(),
        column -> {
          double reach = schema.reach(column);
          boolean isApart = apart.contains(column);
          double norm = isApart ? reach : Math.hypot(schema.intercept(), reach);
          ResponseBound responses = schema.responses();
          double bound = isApart ? responses.bound() : responses.ofFeatures(schema.rowBound());
          return norm > bound ? reach * bound / norm : reach;
        });
  }

  /**
   * Returns the input of the numbers of a release.
   *
   * @param ends how far each encoded column reaches in a row that is as long as its bound lets it
   *     be; 0 for the constant
   * @param numbers by their index, in the encoded scale
   * @throws IllegalArgumentException if they cannot be those of such a release
   */
  static TransformedInput input(
      TransformedMoments payload,
      double intercept,
      DoubleVector ends,
      IntToDoubleFunction numbers) {
    int dimension = payload.dimension();
    int length = SymmetricMatrix.length(dimension);
    double bound = numbers.applyAsDouble(payload.boundAt());
    Checks.positiveFinite("squared bound", bound);
    NormCounts counts =
        new NormCounts(values(numbers, payload.countsAt(), NormCells.COUNT), payload.counts());
    double constant = intercept * numbers.applyAsDouble(payload.transformAt());
    double rows = numbers.applyAsDouble(payload.momentsAt()) / (constant * constant);
    TransformedMatrix release =
        TransformedMatrix.of(
            RowTransform.of(
                dimension, payload.response(), values(numbers, payload.transformAt(), length)),
            SymmetricMatrix.ofUpperTriangle(
                dimension, values(numbers, payload.momentsAt(), length)),
            new MomentNoise.Gaussian(payload.deviation(numbers.applyAsDouble(0))));
    return new TransformedInput(List.of(release), intercept, cut(counts, rows, bound), ends);
  }

  // Of the longest rows, which noise hides, it is an assumption that their numbers fall as before.
  /** Returns what was cut off rows of a number that the moments have. */
  private static CutRows cut(NormCounts counts, double rows, double bound) {
    return counts.isHidden()
        ? new CutRows(0.0, rows, 0.0, 0.0, 0.0)
        : new CutRows(
            counts.rows(),
            0.0,
            counts.lostWeight(bound),
            counts.lostWeightDeviation(bound),
            counts.lostSquares(bound));
  }

  private static double[] values(IntToDoubleFunction numbers, int from, int count) {
    return IntStream.range(from, from + count).mapToDouble(numbers).toArray();
  }

  @Override
  public Prospect prospect(TransformedMoments payload, AssumedDataModel model) {
    return Prospect.ofSquares(
        () -> new ExpectedTransformed(payload, model).excess(),
        "moments of centred and whitened rows answer every squared loss, for any response and"
            + " features");
  }
}

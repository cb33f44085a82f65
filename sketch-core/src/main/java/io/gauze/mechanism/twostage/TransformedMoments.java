package io.gauze.mechanism.twostage;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadArrays;
import java.io.IOException;
import java.util.List;

/**
 * The number of rounds, the squared bound of transformed rows over the mean that the transform was
 * made for, the entries of a {@link RowTransform}, counts of the squared norms of transformed rows
 * by {@link NormCells} of the same mean, and second moments of the transformed rows, shortened to
 * norm 1: the upper triangle, in the order of the transform's places. If an earlier release took
 * the place of rounds, their number is minus the number of epochs since rounds were made.
 *
 * <p>All deviations are those of normal noise: of moments on the diagonal, divided by sqrt 2 off
 * it.
 *
 * @param dimension D
 * @param response the encoded column for which the transform was made, which is at its last place
 * @param rounds the deviations of the moments from which transforms were made, by round
 * @param counts the deviation of each count
 * @param moments the deviations of the released moments, by the number of rounds
 */
public record TransformedMoments(
    int dimension, int response, List<Double> rounds, double counts, List<Double> moments)
    implements Payload {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public TransformedMoments {
    Checks.within("response", response, 1, dimension - 1);
    Checks.positiveFinite("deviation of counts", counts);
    rounds = List.copyOf(rounds);
    moments = List.copyOf(moments);
    Checks.length("deviations of moments", moments.size(), rounds.size() + 1);
    rounds.forEach(deviation -> Checks.positiveFinite("deviation of a round", deviation));
    moments.forEach(deviation -> Checks.positiveFinite("deviation of moments", deviation));
  }

  /**
   * Returns the deviation of the released moments.
   *
   * @param number of rounds, as a release has it
   * @throws IllegalArgumentException if no release has so many
   */
  public double deviation(double number) {
    Checks.within("rounds", number, -EarlierTransform.MOST_AGE, moments.size() - 1.0);
    if (number != Math.rint(number) || number == 0.0) {
      throw new IllegalArgumentException(
          "rounds must be a whole number other than 0. Provided value: " + number);
    }
    return moments.get(Math.max(0, (int) number));
  }

  /** The index of the squared bound. */
  public int boundAt() {
    return 1;
  }

  /** The index of the first entry of the transform. */
  public int transformAt() {
    return boundAt() + 1;
  }

  /** The index of the first count. */
  public int countsAt() {
    return transformAt() + SymmetricMatrix.length(dimension);
  }

  /** The index of the first moment. */
  public int momentsAt() {
    return countsAt() + NormCells.COUNT;
  }

  @Override
  public int length() {
    return momentsAt() + SymmetricMatrix.length(dimension);
  }

  @Override
  public String kind() {
    return "moments of transformed rows";
  }

  @Override
  public void arrays(PayloadArrays out) throws IOException {
    out.numbers("rounds", 0);
    out.numbers("squared_bound", boundAt());
    out.numbers("transform", transformAt(), SymmetricMatrix.length(dimension));
    out.numbers("norm_counts", countsAt(), NormCells.COUNT);
    out.symmetric("moments", momentsAt(), dimension);
  }
}

package io.gauze.mechanism.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.row.Grid;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ejml.data.DMatrixRMaj;

/**
 * The order of the parts of a release: noisy sums lead to a public transform of rows and a public
 * bound, under which the next sums are made. Nothing else of the rows has a part in it.
 *
 * @param payload the sizes, and the deviations of the noise
 * @param intercept the constant of encoded rows
 */
public record TwoStageRelease(TransformedMoments payload, double intercept) {
  /** The norm to which transformed rows are shortened. */
  static final double BOUND = 1.0;

  /** The unit of a release's numbers, which is that of moments of rows of norm 1: 2^-30. */
  public static final double UNIT = Grid.forRowBound(BOUND).momentUnit();

  static final int UNIT_BITS = -Math.getExponent(UNIT);

  /**
   * Returns the numbers of a release of these sums. If an earlier release says where rows lie, its
   * transform takes the place of the rounds. O(D^3) time beside that of the sums.
   *
   * @param before the earlier release
   * @throws IllegalArgumentException if a number of it is out of range
   */
  public long[] numbers(RowSums sums, Optional<PreviousRelease> before) {
    return after(before).apply(sums);
  }

  /**
   * Returns what makes the numbers of a release of some sums.
   *
   * @param before the earlier release
   * @throws IllegalArgumentException if a number of it is out of range
   */
  Function<RowSums, long[]> after(Optional<PreviousRelease> before) {
    Optional<EarlierTransform> earlier =
        before
            .map(release -> EarlierTransform.of(payload, intercept, release))
            .filter(each -> each.isOfUse(weight()));
    return sums -> earlier.isPresent() ? numbers(sums, earlier.get()) : numbers(sums);
  }

  private long[] numbers(RowSums sums, EarlierTransform earlier) {
    ShortenedRows rows =
        ShortenedRows.of(
            sums,
            earlier.transform(),
            earlier.next(weight()),
            0,
            payload.counts(),
            NormCounts::rows,
            payload.moments().get(0));
    long[] last = sums.moments(rows.transform(), 0, true);
    return joined(first(-earlier.age(), rows.square()), rows.map(), rows.counts(), last);
  }

  private static long[] first(long rounds, double square) {
    return new long[] {rounds * (1L << UNIT_BITS), Math.round(square / UNIT)};
  }

  /** Returns the numbers of a release of these sums. O(D^3) time beside that of the sums. */
  public long[] numbers(RowSums sums) {
    FirstStage first =
        FirstStage.of(
            sums,
            RowTransform.identity(payload.dimension(), payload.response()),
            intercept,
            payload.rounds(),
            payload.counts());
    ShortenedRows rows =
        ShortenedRows.of(
            sums,
            first.transform(),
            first.whitening().ofResponse(weight()),
            first.rounds(),
            payload.counts(),
            counts -> first.whitening().rows(),
            payload.deviation(first.rounds()));
    long[] last = sums.moments(rows.transform(), first.rounds(), true);
    return joined(first(first.rounds(), rows.square()), rows.map(), rows.counts(), last);
  }

  /** Returns the symmetric matrix of an upper triangle. */
  static DMatrixRMaj matrix(int dimension, double... upper) {
    return SymmetricMatrix.ofUpperTriangle(dimension, upper)
        .select(IntStream.range(0, dimension).toArray());
  }

  /** The weight of the response's residual in a row. */
  private double weight() {
    return Math.max(1.0, Tuning.RESIDUAL_WEIGHT * (payload.dimension() - 1));
  }

  /** Returns numbers of a release in the encoded scale. */
  public static double[] values(long... numbers) {
    return Arrays.stream(numbers).mapToDouble(number -> number * UNIT).toArray();
  }

  private static long[] joined(long[]... parts) {
    return Stream.of(parts).flatMapToLong(LongStream::of).toArray();
  }
}

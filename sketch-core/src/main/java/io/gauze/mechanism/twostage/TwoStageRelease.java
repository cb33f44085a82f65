package io.gauze.mechanism.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.row.Grid;
import java.util.Arrays;
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

  /** Returns the numbers of a release of these sums. O(D^3) time beside that of the sums. */
  public long[] numbers(RowSums sums) {
    RowTransform transform = RowTransform.identity(payload.dimension(), payload.response());
    double constant = intercept;
    DMatrixRMaj moments = sums.encoded().select(order(transform));
    for (int round = 1; ; round++) {
      double deviation = payload.rounds().get(round - 1);
      Whitening whitening = new Whitening(moments, deviation, constant);
      boolean isLast = round == payload.rounds().size() || whitening.inflation() < Tuning.ENOUGH;
      Whitening.Step step = step(whitening, isLast);
      RowTransform wide = transform.then(step.map());
      long[] counts = sums.norms(wide, round);
      double next = isLast ? payload.deviation(round) : payload.rounds().get(round);
      NormCounts norms = new NormCounts(values(counts), payload.counts());
      double square = BoundChoice.square(norms, step, whitening.rows(), next);
      long[] map = wide.times(1.0 / Math.sqrt(square)).numbers(UNIT);
      transform = transform.of(values(map));
      long[] last = sums.moments(transform, round, isLast);
      if (isLast) {
        long[] first = {(long) round << UNIT_BITS, Math.round(square / UNIT)};
        return joined(first, map, counts, last);
      }
      moments =
          SymmetricMatrix.ofUpperTriangle(payload.dimension(), values(last))
              .select(IntStream.range(0, payload.dimension()).toArray());
      constant = transform.constant(intercept);
    }
  }

  private static int[] order(RowTransform transform) {
    return transform.order().stream().mapToInt(Integer::intValue).toArray();
  }

  private Whitening.Step step(Whitening whitening, boolean isLast) {
    double weight = Math.max(1.0, Tuning.RESIDUAL_WEIGHT * (payload.dimension() - 1));
    return isLast ? whitening.ofResponse(weight) : whitening.ofAll();
  }

  private static double[] values(long... numbers) {
    return Arrays.stream(numbers).mapToDouble(number -> number * UNIT).toArray();
  }

  private static long[] joined(long[]... parts) {
    return Stream.of(parts).flatMapToLong(LongStream::of).toArray();
  }
}

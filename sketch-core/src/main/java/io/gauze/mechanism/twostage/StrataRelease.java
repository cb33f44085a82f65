package io.gauze.mechanism.twostage;

import io.gauze.internal.Checks;
import io.gauze.mechanism.PreviousRelease;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The order of the parts of a release of strata: the moments of transformed rows, a public model of
 * the residual that is made of them, and the moments of each stratum of the residual. Nothing else
 * of the rows has a part in it.
 *
 * @param payload the sizes, and the deviations of the noise
 * @param intercept the constant of encoded rows
 */
public record StrataRelease(TransformedStrata payload, double intercept) {
  /**
   * Returns what makes the numbers of a release of some sums.
   *
   * @param before the earlier release, whose transform may take the place of rounds
   * @throws IllegalArgumentException if a number of it is out of range
   */
  Function<StrataSums, long[]> after(Optional<PreviousRelease> before) {
    Function<RowSums, long[]> moments =
        new TwoStageRelease(payload.moments(), intercept).after(before.map(this::ofMoments));
    return sums -> numbers(sums, moments.apply(sums.moments()));
  }

  /**
   * Returns the numbers of a release of these sums. O(D^3) time beside that of the sums.
   *
   * @param before the earlier release
   * @throws IllegalArgumentException if a number of it is out of range
   */
  public long[] numbers(StrataSums sums, Optional<PreviousRelease> before) {
    return after(before).apply(sums);
  }

  private PreviousRelease ofMoments(PreviousRelease release) {
    int length = payload.moments().length();
    Checks.length("numbers", release.numbers().length, payload.length());
    return PreviousRelease.of(Arrays.copyOf(release.numbers(), length), release.epochsBefore());
  }

  private long[] numbers(StrataSums sums, long... moments) {
    TransformedMoments all = payload.moments();
    RowTransform transform =
        RowTransform.of(
            all.dimension(),
            all.response(),
            TwoStageRelease.values(Arrays.copyOfRange(moments, all.transformAt(), all.countsAt())));
    ResidualWeights weights =
        ResidualWeights.ofMoments(
            all.dimension(),
            transform.constant(intercept),
            all.deviation(moments[0] * TwoStageRelease.UNIT),
            payload.strata(),
            Arrays.copyOfRange(moments, all.momentsAt(), all.length()));
    long[] strata = sums.strata(transform, weights);
    return Stream.of(
            LongStream.of(moments),
            weights.numbers().stream().mapToLong(Long::longValue),
            LongStream.of(strata))
        .flatMapToLong(Function.identity())
        .toArray();
  }
}

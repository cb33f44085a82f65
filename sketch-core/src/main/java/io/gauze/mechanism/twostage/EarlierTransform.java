package io.gauze.mechanism.twostage;

import io.gauze.internal.Checks;
import io.gauze.mechanism.PreviousRelease;
import java.util.Arrays;

/**
 * What an earlier release of the series says of where rows lie: its transform, and how white the
 * rows were under it. A function of that release alone.
 *
 * @param transform of that release, with its bound
 * @param whitening of its rows, as they were transformed and shortened
 * @param age how many epochs before this one the rounds were made that led to the transform
 * @param isNew whether the earlier release made these rounds itself
 * @param cut the part of the rows' weight that was cut off there
 */
record EarlierTransform(
    RowTransform transform, Whitening whitening, long age, boolean isNew, double cut) {
  /** The most epochs for which a transform is used: the hours of a day. */
  static final int MOST_AGE = 24;

  /** If more of the weight was cut off, the transformed rows say too little of the others. */
  private static final double MOST_CUT = 0.1;

  /**
   * Reads a release.
   *
   * @param intercept the constant of encoded rows
   * @throws IllegalArgumentException if there are too few or too many numbers, or one is out of
   *     range
   */
  static EarlierTransform of(
      TransformedMoments payload, double intercept, PreviousRelease release) {
    long[] numbers = release.numbers();
    Checks.length("numbers", numbers.length, payload.length());
    double[] values = TwoStageRelease.values(numbers);
    RowTransform transform =
        RowTransform.of(
            payload.dimension(),
            payload.response(),
            Arrays.copyOfRange(values, payload.transformAt(), payload.countsAt()));
    double bound = Checks.positiveFinite("squared bound", values[payload.boundAt()]);
    double deviation = payload.deviation(values[0]);
    NormCounts counts =
        new NormCounts(
            Arrays.copyOfRange(values, payload.countsAt(), payload.momentsAt()), payload.counts());
    double[] moments = Arrays.copyOfRange(values, payload.momentsAt(), payload.length());
    return new EarlierTransform(
        transform,
        new Whitening(
            TwoStageRelease.matrix(payload.dimension(), moments),
            deviation,
            transform.constant(intercept)),
        (long) Math.max(0.0, -values[0]) + Math.min(MOST_AGE + 1L, release.epochsBefore()),
        values[0] >= 1.0,
        counts.lostWeight(bound));
  }

  /**
   * Whether the release tells where its rows lie, and its transform is still one for such rows.
   *
   * @param weight of the response's residual in a row
   */
  boolean isOfUse(double weight) {
    return age <= MOST_AGE
        && cut <= MOST_CUT
        && whitening.isClear()
        && whitening.isCentred()
        && (isNew || isWhite(weight));
  }

  // The variance of noise is that of moments after two rounds, or after none, over these shares.
  /** Whether noise does less to fits than it would after rounds that led to white rows. */
  private boolean isWhite(double weight) {
    double withRounds = 1.0 - Tuning.FIRST - Tuning.SECOND - 2.0 * Tuning.NORMS;
    double without = 1.0 - Tuning.NORMS;
    return whitening.excessNoise(weight) <= without / withRounds;
  }

  // Shortened rows seem narrower than they are. Whitened by what shortened rows say, release after
  // release, ever more would be shortened: that is done once.
  /**
   * Returns the step to this epoch's rows, after which their squared norm is about 1: the transform
   * of a release with rounds of its own is made better, and then kept.
   *
   * @param weight of the response's residual in a row
   */
  Whitening.Step next(double weight) {
    return isNew ? whitening.ofResponse(weight) : whitening.asTheyAre(weight);
  }
}

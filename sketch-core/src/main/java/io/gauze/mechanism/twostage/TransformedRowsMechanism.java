package io.gauze.mechanism.twostage;

import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import io.gauze.payload.Payload;
import io.gauze.row.RowSchema;
import java.util.Optional;
import java.util.function.Function;

/**
 * A mechanism whose release is a function of noisy sums over rows that it transforms, and of an
 * earlier release of its series.
 *
 * @param <S> what answers with noisy sums
 */
interface TransformedRowsMechanism<S> extends RowsMechanism, TrackingMechanism {
  /** The schema of the rows. */
  RowSchema schema();

  /** What a release is. */
  Payload payload();

  /**
   * Returns the noisy sums of which a release of some rows is made. Each call spends budget.
   *
   * @param entropy random bits that are used for nothing else
   */
  S sums(ModelRows rows, Entropy entropy);

  /**
   * Returns what makes the numbers of a release of some sums: a function of their answers and of
   * the earlier release alone.
   *
   * @param before the earlier release
   * @throws IllegalArgumentException if a number of it is out of range
   */
  Function<S, long[]> after(Optional<PreviousRelease> before);

  /** Returns the payload that an earlier release and some sums lead to, and nothing else. */
  default long[] numbers(S sums, Optional<PreviousRelease> before) {
    return after(before).apply(sums);
  }

  /** The constant of encoded rows, on their grid. */
  default double intercept() {
    return schema().grid().floor(schema().intercept());
  }

  @Override
  default double stepSize() {
    return TwoStageRelease.UNIT;
  }

  @Override
  default int payloadLength() {
    return payload().length();
  }

  @Override
  default ModelRows rows() {
    return ModelRows.ofUnitEntries(schema().dimension());
  }

  @Override
  default void add(ModelRows rows, double... scaled) {
    rows.add(scaled, 0.0);
  }

  @Override
  default long[] fit(ModelRows rows, Entropy entropy) {
    return numbers(sums(rows, entropy), Optional.empty());
  }

  @Override
  default EpochFitter begin(Optional<PreviousRelease> before, Entropy entropy) {
    Function<S, long[]> release = after(before);
    return BufferedEpochFit.of(this, rows -> release.apply(sums(rows, entropy)));
  }

  @Override
  default EpochFitter begin(Entropy entropy) {
    return begin(Optional.empty(), entropy);
  }

  @Override
  default boolean waitsForPublished() {
    return false;
  }

  @Override
  default int mostEpochsBefore() {
    return EarlierTransform.MOST_AGE;
  }
}

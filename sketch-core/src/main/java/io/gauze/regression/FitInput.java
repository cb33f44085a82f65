package io.gauze.regression;

import io.gauze.release.Release;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a regression is fitted on: encoded rows, or what a release says about them.
 *
 * <p>Column 0 is the intercept: the constant {@link #intercept} in every row (less where a row was
 * clipped, which scales all of it and so leaves a linear relation between its columns as it is).
 */
public sealed interface FitInput
    permits MomentsInput, ReleasedStrata, ReleasedL1Rows, ReleasedCounts, ReleasedStatistics {
  /** The constant c0 that rows carry at index 0. */
  double intercept();

  /** D: the number of columns, with the intercept. */
  int dimension();

  /** What a reader makes of an input of this kind. */
  <T> T accept(InputReader<T> reader);

  /** Whether {@link #plus} adds inputs of this kind: their noise adds up to one of its kind. */
  default boolean addsUp() {
    return false;
  }

  /**
   * What both inputs say about the rows of both, whose noises are independent.
   *
   * @throws IllegalArgumentException if the other is not of this kind and shape
   * @throws UnsupportedOperationException unless {@link #addsUp}
   */
  default FitInput plus(FitInput other) {
    throw new UnsupportedOperationException("inputs of this kind do not add up");
  }

  /** Finds ends of columns near which many values lie; none if there are no noisy moments. */
  default Predicate<RangeEnd> crowdedEnds() {
    return end -> false;
  }

  /** What a release says about its rows. */
  static FitInput of(Release release) {
    return ReleaseReader.read(release);
  }

  /**
   * What releases of several epochs of one sketch say about the rows of all of them: noises are
   * independent, so sums and variances add.
   *
   * @param releases at least one, of different epochs
   * @throws IllegalArgumentException if two are not of the same stream, group, sketch, mechanism,
   *     encoding and budget, if an epoch is there twice, or if such releases do not add up
   */
  static FitInput of(List<Release> releases) {
    return MergedReleases.read(releases);
  }
}

package io.gauze.regression;

import io.gauze.release.Release;
import java.util.List;

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

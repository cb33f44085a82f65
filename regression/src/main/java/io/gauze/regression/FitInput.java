package io.gauze.regression;

import io.gauze.release.Release;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * The data of a regression: encoded rows, or the content of a release.
 *
 * <p>Column 0 is the intercept: the constant {@link #intercept} in every row. It is smaller in rows
 * that were clipped: clipping scales the whole row, or its features and responses apart, and so
 * weighs it.
 */
public interface FitInput {
  /** The constant c0 at index 0 of every row. */
  double intercept();

  /** D: the number of columns, with the intercept. */
  int dimension();

  /**
   * Solves a problem; {@link Regression#fit} adds what clipping and the ends of ranges do to it.
   *
   * @return {@code Refused} if the input does not support this loss, or contains too little for a
   *     meaningful fit; the reason says what to change
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  FitOutcome solve(RegressionProblem problem);

  /** Returns what the input says of a fit of it as a whole. */
  FitSummary summary(Fit fit);

  /** Returns true if the input is the content of a release, false if it is the rows. */
  default boolean isReleased() {
    return true;
  }

  /** Returns true if {@link #solve} knows log odds. */
  default boolean fitsLogOdds() {
    return false;
  }

  /**
   * Returns true if {@link #plus} supports inputs of this kind: the sum of two noises is a noise of
   * the same kind.
   */
  default boolean addsUp() {
    return false;
  }

  /** Says why inputs of this kind do not add up, if they do not. */
  default String whyNotSummable() {
    return "their noise does not add up";
  }

  /**
   * Returns the input for the rows of both; the noises must be independent.
   *
   * @throws IllegalArgumentException if the other is not of this kind and shape
   * @throws UnsupportedOperationException unless {@link #addsUp}
   */
  default FitInput plus(FitInput other) {
    throw new UnsupportedOperationException("inputs of this kind do not add up");
  }

  /** Returns true if the input has all features of a problem; false if it takes some for 0. */
  default boolean hasFeatures(RegressionProblem problem) {
    return true;
  }

  /** Returns what shortening took off the rows; empty if the input does not measure it. */
  default Optional<CutRows> cut() {
    return Optional.empty();
  }

  /**
   * Whether rows are shortened with their responses, so that it decides fits how many were and by
   * how much.
   */
  default boolean isShapedByShortening() {
    return true;
  }

  /**
   * Returns the relative excess of the best constant over the non-private fit of the same problem,
   * estimated from the released squares; empty if the input does not contain them.
   */
  default OptionalDouble ignorance(Fit fit) {
    return OptionalDouble.empty();
  }

  /**
   * Returns the verdict on a fit whose excess this input never predicts; empty if it does, or if
   * the fit is no better than a constant.
   */
  default Optional<FitQuality> unpredicted(Fit fit) {
    return Optional.empty();
  }

  /**
   * Returns the excess of a fit where all that the input does not tell is against it: the predicted
   * one, if the input tells what it depends on.
   */
  default double largestExcess(Fit fit) {
    return fit.predictedExcess();
  }

  /**
   * Returns a predicate that finds ends of columns near which many values are; always false if
   * there are no noisy moments.
   */
  default Predicate<RangeEnd> crowdedEnds() {
    return end -> false;
  }

  /** Returns the input for the rows of a release. */
  static FitInput of(Release release) {
    return PayloadRegistry.input(release);
  }

  /**
   * Returns the input for the rows of several releases of different rows. Their noises are
   * independent, so sums and variances add.
   *
   * @param releases at least one, of different epochs, groups or streams
   * @throws IllegalArgumentException if two are not of the same mechanism, encoding, unit and
   *     neighbours or, of one stream, of the same sketch and budget; if an epoch of a group occurs
   *     twice; or if such releases do not add up
   */
  static FitInput of(List<Release> releases) {
    return MergedReleases.read(releases);
  }
}

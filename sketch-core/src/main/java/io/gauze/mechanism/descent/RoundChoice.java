package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.NormCounts;
import io.gauze.mechanism.twostage.WhitenedRows;

/**
 * Steps down the gradient of the loss of a quantile with a round bottom. Its slopes are of bounded
 * size, so that rows are shortened by their features alone, which leaves a linear model true.
 *
 * @param white where rows lie
 * @param features their number
 * @param rows an estimate of theirs
 * @param clip of features
 * @param law of the residuals of the first model
 * @param responses the law of responses, less their mean, in their deviation
 * @param loss whose threshold is in the unit of these residuals
 * @param isWidened whether a smaller threshold was asked for
 * @param centre of these residuals by this loss
 * @param curvature the mean curvature of the loss there
 */
record RoundChoice(
    WhitenedRows white,
    int features,
    double rows,
    ClipChoice clip,
    ResidualLaw law,
    ResidualLaw responses,
    RoundLoss loss,
    boolean isWidened,
    double centre,
    double curvature)
    implements DescentChoice {
  /** A share of rows of so many deviations of its noise is known. */
  private static final double KNOWN = 5.0;

  /**
   * Chooses the threshold and the bound of features.
   *
   * @param rows an estimate of theirs
   * @param sizes of features, over their expected norm
   * @param law of the residuals of the first model
   * @param responses the law of responses, less their mean, in their deviation
   * @param asked whose threshold is in the unit of these residuals
   * @param deviation of the noise in an entry of a step
   */
  static RoundChoice of(
      WhitenedRows white,
      int features,
      double rows,
      NormCounts sizes,
      ResidualLaw law,
      ResidualLaw responses,
      RoundLoss asked,
      double deviation) {
    double least = Tuning.LEAST_THRESHOLD * law.spread();
    boolean isWidened = asked.threshold() < least;
    RoundLoss loss = isWidened ? new RoundLoss(asked.quantile(), least) : asked;
    double centre = law.centre(loss);
    return new RoundChoice(
        white,
        features,
        rows,
        ClipChoice.ofFeatures(sizes, features, loss.largestSlope() * deviation / rows),
        law,
        responses,
        loss,
        isWidened,
        centre,
        law.curvature(loss, centre));
  }

  @Override
  public RowWeight.OfQuantile weight() {
    return new RowWeight.OfQuantile(loss.quantile(), loss.threshold(), white.norm() * clip.bound());
  }

  // Where rows are white, the mean slope of a model that is off by d is d times the curvature.
  @Override
  public double whole() {
    double bound = white.norm() * clip.bound();
    return bound * loss.largestSlope() / (curvature * clip.kept() * rows);
  }

  @Override
  public double start() {
    return centre / white.constant();
  }

  // The loss of a model that is off by d exceeds that of the best one by about curvature |d|^2 / 2.
  @Override
  public double[] told(DescentPath path) {
    double toModel = white.norm() / curvature;
    double moved = clip.variance() * toModel * toModel;
    double before = law.loss(judged(loss), centre);
    double gained = 0.5 * curvature * path.moved(start(), moved);
    double error = Math.max(DescentRelease.LEAST_RESIDUAL * before, before - gained);
    double left = path.left((Tuning.STEPS - Tuning.UNUSED) * moved);
    double off = 0.5 * curvature * (features * moved + left) / error;
    double pulled = clip.cut() * loss.meanSlope() * toModel;
    double cut = 0.5 * curvature * pulled * pulled / error;
    double ofConstant = ofConstant() / error;
    double most = off + cut + (isSharp() ? rounding() / error : 0.0);
    return new double[] {
      off + Tuning.PULL * cut,
      white.isClear() && isCounted() ? most : Math.max(most, ofConstant - 1.0),
      ofConstant * ofConstant,
      loss.threshold() / white.ofResponse()
    };
  }

  // Where noise may be all that is counted beyond a far quantile, steps go by noise.
  /** Checks whether the rows beyond the quantile stand out from the noise of their counts. */
  private boolean isCounted() {
    double beyond = Math.min(loss.quantile(), 1.0 - loss.quantile());
    return beyond >= KNOWN * law.deviation();
  }

  // A round bottom lowers the loss, that of a far quantile to less than nothing.
  /** Checks whether models are asked for the loss without a round bottom. */
  private boolean isSharp() {
    return isWidened || loss.quantile() != 0.5;
  }

  /** The loss that is asked for. */
  private RoundLoss judged(RoundLoss made) {
    return isSharp() ? made.sharp() : made;
  }

  /** The loss of the best constant, the least that is likely. */
  private double ofConstant() {
    double deviation = Math.sqrt(white.response());
    RoundLoss ofResponse = new RoundLoss(loss.quantile(), loss.threshold() / deviation);
    return deviation * responses.leastLoss(judged(ofResponse), responses.centre(ofResponse));
  }

  // A loss without a round bottom is larger by at most half of the threshold, and that for the rows
  // below the threshold, of which the curvature tells the share.
  private double rounding() {
    return 0.5 * curvature * loss.threshold() * loss.threshold();
  }
}

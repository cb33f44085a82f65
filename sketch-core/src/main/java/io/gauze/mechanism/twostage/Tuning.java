package io.gauze.mechanism.twostage;

/** Constants of {@code two-stage-moments} that were chosen on data. */
final class Tuning {
  /**
   * The share of mu^2 of the moments from which the first transform is made.
   *
   * <p>Chosen on the six sets of {@code data/pool} (ranges alone, epsilon 1 and 5) among one round
   * of .25, two of .1 and .3, .15 and .2, .2 and .3, and three of .05, .12 and .25: all two-round
   * forms are within a tenth of each other; one round has twice the excess on three sets.
   */
  static final double FIRST = 0.1;

  /** The share of mu^2 of the moments from which the second transform is made, if there is one. */
  static final double SECOND = 0.3;

  /** The share of mu^2 of the counts of norms before each bound that is chosen from them. */
  static final double NORMS = 0.02;

  /** The most rounds of the first stage. */
  static final int ROUNDS = 2;

  /**
   * How many times the noise's floor may make the mean direction of the rows seem wider, before
   * another round is worth its share: the share of the last stage grows by as much without it.
   */
  static final double ENOUGH = 1.5;

  /**
   * The weight of a named response's residual in a row, as a part of the number of features. With
   * known features and no cut rows the noise of products would be least at 1; shared between
   * products and the moments of the features, and with residuals that have tails, a quarter is
   * better or equal in 22 of 24 cases of {@code data/pool}.
   */
  static final double RESIDUAL_WEIGHT = 0.25;

  /** Counts below so many standard deviations of their noise say nothing of the rows' norms. */
  static final double CLEAR_COUNT = 2.5;

  /**
   * What cutting long rows costs, over what it would cost if the cut parts had random signs: one
   * row more in so many. Chosen on {@code data/pool} and made-up rows with heavy columns, where the
   * cut moved fits by 0.5 to 2 times the square that the sum with this part predicts.
   */
  static final double ALIGNED = 0.02;

  /** Returns the weight of a named response's residual beside this many features. */
  static double residualWeight(int features) {
    return Math.max(1.0, RESIDUAL_WEIGHT * features);
  }

  private Tuning() {}
}

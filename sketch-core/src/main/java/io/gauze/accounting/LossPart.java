package io.gauze.accounting;

import io.gauze.accounting.loss.LossLaw;
import io.gauze.accounting.loss.WishartLoss;
import java.util.function.DoubleFunction;

/**
 * One of the privacy losses that add up to the loss of a mechanism, for one direction of the
 * neighbouring relation. It can be put on a lattice of any step. Immutable.
 */
public final class LossPart {
  /** A law on a lattice of a step; losses above {@code most} may count as infinite. */
  private interface Gridded {
    PrivacyLossDistribution on(double step, double most);
  }

  private final Gridded law;
  private final double least;
  private final double largest;
  private final double infinite;
  private final int splits;

  private LossPart(Gridded law, double least, double largest, double infinite, int splits) {
    this.law = law;
    this.least = least;
    this.largest = largest;
    this.infinite = infinite;
    this.splits = splits;
  }

  /** The loss of a law without atoms that is infinite with a probability of at most this. */
  static LossPart of(LossLaw law, double infinite) {
    return new LossPart(
        (step, most) -> PrivacyLossDistribution.of(law, infinite, step, most),
        law.least(),
        law.largest(),
        infinite + PrivacyLossDistribution.DROPPED,
        1);
  }

  /**
   * The loss in [-epsilon, epsilon], with these lattices, that is infinite with probability delta.
   */
  static LossPart between(
      double epsilon, double delta, DoubleFunction<PrivacyLossDistribution> lattice) {
    return new LossPart((step, most) -> lattice.apply(step), -epsilon, epsilon, delta, 1);
  }

  /** The loss of removing one row and adding another. */
  static LossPart replaced(WishartLoss removed, WishartLoss added) {
    return new LossPart(
        (step, most) ->
            PrivacyLossDistribution.of(removed, removed.infinite(), step, most)
                .then(PrivacyLossDistribution.of(added, added.infinite(), step, most)),
        removed.least() + added.least(),
        removed.largest() + added.largest(),
        1.0,
        4);
  }

  /**
   * Returns the loss on a lattice.
   *
   * @param step the step
   * @param most losses above this may count as infinite
   */
  PrivacyLossDistribution on(double step, double most) {
    return law.on(step, most);
  }

  /** The least loss. */
  double least() {
    return least;
  }

  /** The largest finite loss. */
  double largest() {
    return largest;
  }

  /** A bound on the probability of infinite loss. */
  double infinite() {
    return infinite;
  }

  /** How often a loss is split to lattice points; two that are coupled count as four. */
  int splits() {
    return splits;
  }
}

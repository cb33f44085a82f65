package io.gauze.accounting.loss;

/**
 * The law of a privacy loss {@code ln dP/dQ} under P, without its atoms. The loss is a monotone
 * function of a place u that has a smooth density. Immutable.
 */
public interface LossLaw {
  /**
   * An upper bound on the part of the law that is left out below and above, as a negative natural
   * logarithm of its probability.
   */
  double DROP = 50.0;

  /** The least place that is taken into account. */
  double low();

  /** The largest place that is taken into account. */
  double high();

  /** Returns true if the loss rises with the place. */
  boolean rises();

  /** Returns the loss at a place. */
  double loss(double place);

  /** The least loss that is taken into account. */
  default double least() {
    return loss(rises() ? low() : high());
  }

  /** The largest loss that is taken into account. */
  default double largest() {
    return loss(rises() ? high() : low());
  }

  /** Returns the place of a loss, moved into [low, high] if it is outside. */
  double place(double loss);

  /** Returns the density at a place. */
  double density(double place);

  /**
   * Returns a distance upwards from a place over which a Gauss rule of 8 points is accurate to
   * 1e-11; PROOF-composition.md has its remainder.
   */
  double panel(double place);
}

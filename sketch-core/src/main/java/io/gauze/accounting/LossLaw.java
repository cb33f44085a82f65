package io.gauze.accounting;

/**
 * The law of a privacy loss {@code ln dP/dQ} under P, but for its atoms, as a monotone function of
 * a place u with a smooth density. Immutable.
 */
interface LossLaw {
  /** How much of the law, in natural logarithms, is left out below and above, at most. */
  double DROP = 50.0;

  /** The least place that counts. */
  double low();

  /** The largest place that counts. */
  double high();

  /** Whether the loss rises with the place. */
  boolean rises();

  /** The loss at a place. */
  double loss(double place);

  /** The least loss that counts. */
  default double least() {
    return loss(rises() ? low() : high());
  }

  /** The largest loss that counts. */
  default double largest() {
    return loss(rises() ? high() : low());
  }

  /** The place of a loss, moved into [low, high] if it is outside. */
  double place(double loss);

  /** The density at a place. */
  double density(double place);

  /** How far from a place upwards a Gauss rule of 8 points is right to 1e-11, at least. */
  double panel(double place);
}

package io.gauze.audit;

/** What is wrong with the broken variants that every mechanism has. */
final class Twin {
  /** By what noise is too small. */
  static final double LESS = 1.1;

  /** Its name. */
  static final String LESS_NOISE = "noise / 1.1";

  /** Noise for the wrong relation. */
  static final String WRONG_RELATION = "noise calibrated for add-remove";

  private Twin() {}
}

package io.gauze.noise;

/** A source of independent, uniform random bits. Not safe for use by several threads. */
@FunctionalInterface
public interface Entropy {
  /** Returns the next 64 random bits. */
  long nextLong();

  /**
   * Returns true if samplers must return zero instead of noise. True only for {@link
   * Randomness#noiseFreeForTests}, whose releases are marked as not private.
   */
  default boolean noiseFree() {
    return false;
  }
}

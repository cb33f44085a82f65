package io.gauze.testing;

import org.junit.jupiter.api.Assumptions;

/**
 * How much a test does: little in the default build, which has a test of every feature, and all
 * with {@code -Pthorough}.
 */
public final class Effort {
  static final String THOROUGH = "gauze.thorough";
  static final String REASON = "long: -Pthorough runs it";

  private Effort() {}

  /** Whether this is the thorough build. */
  public static boolean isThorough() {
    return Boolean.getBoolean(THOROUGH);
  }

  /** The first in the default build, the second in the thorough one. */
  public static <T> T of(T little, T all) {
    return isThorough() ? all : little;
  }

  /** Skips the rest of a test in the default build, for the long cases of a table. */
  public static void skipIfLong(boolean isLong) {
    Assumptions.assumeTrue(!isLong || isThorough(), REASON);
  }
}

package io.gauze.privacy;

import java.util.Locale;

/** Checks of the arguments of calibrations. */
final class PrivacyChecks {
  private PrivacyChecks() {}

  static void range(String name, double value, double smallest, double largest) {
    if (!(value >= smallest && value <= largest)) { // NaN too
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be in [%s, %s]. Provided value: %s",
              name,
              smallest,
              largest,
              value));
    }
  }

  static void range(String name, int value, int smallest, int largest) {
    if (value < smallest || value > largest) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must be in [%d, %d]. Provided value: %d",
              name,
              smallest,
              largest,
              value));
    }
  }
}

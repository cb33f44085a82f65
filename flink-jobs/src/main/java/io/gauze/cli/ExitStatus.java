package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.source.CsvRows;

/** How the program ends. */
public final class ExitStatus {
  public static final int DONE = 0;

  /** The run failed. */
  public static final int FAILED = 1;

  /** Wrong usage, or a config that cannot be used. */
  public static final int USAGE = 2;

  /**
   * Privacy forbids it: the budget is spent, the release is published already, the noise cannot be
   * calibrated.
   */
  static final int REFUSED = 3;

  private ExitStatus() {}

  /** The status for what a command threw. */
  public static int of(Throwable failure) {
    if (failure instanceof PrivacyRefusalException) {
      return REFUSED;
    }
    boolean usage =
        failure instanceof ConfigException || failure instanceof CsvRows.HeaderException;
    return usage ? USAGE : FAILED;
  }
}

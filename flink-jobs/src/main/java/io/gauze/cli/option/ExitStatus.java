package io.gauze.cli.option;

import io.gauze.config.ConfigException;
import io.gauze.source.file.CsvRows;

/** The exit statuses of the program. */
public final class ExitStatus {
  public static final int DONE = 0;

  /** The run failed. */
  public static final int FAILED = 1;

  /** Wrong usage, or a config that cannot be used. */
  public static final int USAGE = 2;

  /**
   * Refused for privacy: the budget is spent, the release is published already, or the noise cannot
   * be calibrated.
   */
  static final int REFUSED = 3;

  private ExitStatus() {}

  /** Returns the status for an exception of a command. */
  public static int of(Throwable failure) {
    if (failure instanceof PrivacyRefusalException) {
      return REFUSED;
    }
    boolean usage =
        failure instanceof ConfigException || failure instanceof CsvRows.HeaderException;
    return usage ? USAGE : FAILED;
  }
}

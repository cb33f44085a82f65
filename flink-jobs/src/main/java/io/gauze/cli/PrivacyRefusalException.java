package io.gauze.cli;

/**
 * What was asked for is refused, because it would cost more privacy than was promised. The message
 * says what to do instead.
 */
public final class PrivacyRefusalException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A refusal with its reason and its remedy. */
  public PrivacyRefusalException(String message, Throwable cause) {
    super(message, cause);
  }
}

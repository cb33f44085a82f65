package io.gauze.cli.option;

/**
 * Thrown if a request is refused because it would cost more privacy than was promised. The message
 * says what to do instead.
 */
public final class PrivacyRefusalException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * Creates a refusal.
   *
   * @param message the reason and what to do instead
   */
  public PrivacyRefusalException(String message, Throwable cause) {
    super(message, cause);
  }
}

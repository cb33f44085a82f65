package io.gauze.cli.option;

/** Thrown if there is no meaningful fit; the message says what to change. */
public final class NoFitException extends Exception {
  private static final long serialVersionUID = 1L;

  public NoFitException(String message) {
    super(message);
  }
}

package io.gauze.cli;

/** Thrown if there is no meaningful fit; the message says what to change. */
final class NoFitException extends Exception {
  private static final long serialVersionUID = 1L;

  NoFitException(String message) {
    super(message);
  }
}

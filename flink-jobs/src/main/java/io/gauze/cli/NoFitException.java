package io.gauze.cli;

/** There is no fit that means anything; the message says what to change. */
final class NoFitException extends Exception {
  private static final long serialVersionUID = 1L;

  NoFitException(String message) {
    super(message);
  }
}

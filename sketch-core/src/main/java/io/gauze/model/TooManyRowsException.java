package io.gauze.model;

/** Says that a model cannot be fitted to so many rows; the message does not say how many. */
public final class TooManyRowsException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  TooManyRowsException(String message) {
    super(message);
  }
}

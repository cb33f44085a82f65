package io.gauze.stream;

/**
 * Thrown for a row that was appended too late for its epoch. This is a normal event, not a fault.
 */
public final class LateRowException extends Exception {
  private static final long serialVersionUID = 1L;

  public LateRowException(String reason) {
    super(reason, null, false, false);
  }
}

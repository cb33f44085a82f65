package io.gauze.stream;

/** A row that was appended too late for its epoch; no error of anybody. */
public final class LateRowException extends Exception {
  private static final long serialVersionUID = 1L;

  public LateRowException(String reason) {
    super(reason, null, false, false);
  }
}

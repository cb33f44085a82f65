package io.gauze.pipeline;

/** A row that was appended too late for its epoch; no error of anybody. */
final class LateRowException extends Exception {
  private static final long serialVersionUID = 1L;

  LateRowException(String reason) {
    super(reason, null, false, false);
  }
}

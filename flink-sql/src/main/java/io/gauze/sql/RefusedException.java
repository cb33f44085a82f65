package io.gauze.sql;

import io.gauze.message.Message;
import io.gauze.report.ServiceMessage;
import org.apache.flink.table.api.ValidationException;

/** The reason why there is no fit, as the HTTP service would give it. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ServiceMessage kind;

  private RefusedException(ServiceMessage kind, String detail) {
    super(detail);
    this.kind = kind;
  }

  /**
   * Creates a refusal.
   *
   * @param kind its entry in the catalogue of messages
   * @param detail what is wrong, and what is allowed
   */
  static RefusedException of(ServiceMessage kind, String detail) {
    return new RefusedException(kind, detail);
  }

  /** Returns the code and the detail. */
  String brief() {
    return kind.code() + ": " + getMessage();
  }

  /** Returns the code, what is, what to do, and the detail. */
  String explained() {
    Message said = kind.of();
    return said.code() + ": " + said.message() + " " + said.action() + " detail: " + getMessage();
  }

  /** Returns the error of a statement that cannot be planned. */
  ValidationException ofStatement() {
    return new ValidationException(explained(), this);
  }
}

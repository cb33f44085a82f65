package io.gauze.answer;

/** The reason why a request has no fit. Codes belong to the format of answers: never change one. */
public enum ErrorCode {
  /** The request is not JSON, or a field is unknown, missing or out of range. */
  BAD_REQUEST("bad-request"),
  /** The release has no such column. */
  BAD_COLUMN("bad-column"),
  /** The release was not in the topic before the deadline. */
  UNKNOWN_RELEASE("unknown-release"),
  /** All records of this id in the topic are unreadable. */
  DAMAGED_RELEASE("damaged-release"),
  /** The topic holds two different bodies under the id. */
  CONTESTED_RELEASE("contested-release"),
  /** The release is not in the topic yet, and no more requests may wait. */
  BUSY("busy"),
  /** The release cannot answer this question meaningfully. */
  REFUSED("refused"),
  /** A fault of the solver itself. */
  INTERNAL("internal");

  private final String text;

  ErrorCode(String text) {
    this.text = text;
  }

  /** The code as answers contain it. */
  public String text() {
    return text;
  }
}

package io.gauze.solver;

/** Why a request has no fit. Codes belong to the format of answers: never change one. */
public enum ErrorCode {
  /** The request is not JSON, or a field is unknown, missing or out of range. */
  BAD_REQUEST("bad-request"),
  /** The release has no such column. */
  BAD_COLUMN("bad-column"),
  /** No such release came before the deadline. */
  UNKNOWN_RELEASE("unknown-release"),
  /** The topic holds nothing under the id but what cannot be read. */
  DAMAGED_RELEASE("damaged-release"),
  /** The topic holds two different bodies under the id. */
  CONTESTED_RELEASE("contested-release"),
  /** The release is not there, and so many requests wait already that this one cannot. */
  BUSY("busy"),
  /** The release cannot answer this question in a way that means anything. */
  REFUSED("refused"),
  /** A fault of the solver itself. */
  INTERNAL("internal");

  private final String text;

  ErrorCode(String text) {
    this.text = text;
  }

  /** As it stands in answers. */
  public String text() {
    return text;
  }
}

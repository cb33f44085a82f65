package io.gauze.stream;

import java.io.Serializable;
import java.util.Objects;

/**
 * A reason why a job must not begin without a savepoint or checkpoint.
 *
 * @param kind the kind of the reason
 * @param reason a message for the owner
 */
public record StartBlocker(Kind kind, String reason) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** The kind of an blocker. */
  public enum Kind {
    /** The log may lack rows of the next release. */
    LOST_ROWS,
    /** There are more past epochs to release than the config allows. */
    BACKLOG
  }

  public StartBlocker {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(reason, "reason");
  }
}

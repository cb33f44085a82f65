package io.gauze.stream;

import java.io.Serializable;
import java.util.Objects;

/**
 * Why a job must not begin without a savepoint or checkpoint.
 *
 * @param kind what it is about
 * @param reason as a clause or sentences for the owner
 */
public record Obstacle(Kind kind, String reason) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** What an obstacle is about. */
  public enum Kind {
    /** The log may lack rows of the next release. */
    LOST_ROWS,
    /** There are more past epochs to release than the config allows. */
    BACKLOG
  }

  public Obstacle {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(reason, "reason");
  }
}

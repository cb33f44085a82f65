package io.gauze.source;

import io.gauze.row.RowRejectedException;

/** What a change event of Debezium does, by its {@code op} and the images that it has. */
public final class DebeziumChange {
  /** Debezium's placeholder for a value that it did not get from the database. */
  public static final String UNAVAILABLE = "__debezium_unavailable_value";

  /** What to do about the placeholder. */
  public static final String NOT_TOLD =
      "was not told to Debezium; set the table's REPLICA IDENTITY to FULL (PostgreSQL)";

  private final RowImage before;
  private final RowImage after;
  private final boolean tellsKeyOnly;

  /**
   * Creates the change.
   *
   * @param beforeComplete whether the image before the change has each column
   */
  public DebeziumChange(
      RowImage before, RowImage after, boolean beforeComplete, ReplicaIdentity identity) {
    this.before = before;
    this.after = after;
    this.tellsKeyOnly = identity == ReplicaIdentity.KEY || !beforeComplete;
  }

  /**
   * Returns the change, and clears the images that are no part of it.
   *
   * @param op of the event, not empty
   */
  public Change of(String op) throws RowRejectedException {
    return switch (op) {
      case "c" -> {
        before.clear();
        yield requireAfter("an insertion", Change.INSERT);
      }
      case "r" -> {
        before.clear();
        yield requireAfter("a row of a snapshot", Change.READ);
      }
      case "u" -> {
        limitBefore();
        yield requireAfter("an update", Change.UPDATE);
      }
      case "d" -> {
        limitBefore();
        after.clear();
        yield Change.DELETE;
      }
      case "m" -> nothing(); // a message that a client of the database wrote into the log
      case "t" ->
          throw new RowRejectedException(
              "the table was truncated, which does not say which rows are gone: they still count;"
                  + " delete rows instead, or begin a new stream");
      default -> throw new RowRejectedException("unknown op; Debezium has c, r, u, d, t and m");
    };
  }

  /** Returns that nothing changes. */
  Change nothing() {
    before.clear();
    after.clear();
    return Change.NONE;
  }

  private Change requireAfter(String what, Change change) throws RowRejectedException {
    if (!after.isPresent()) {
      throw new RowRejectedException(what + " without the row after it; send change events whole");
    }
    return change;
  }

  /**
   * Marks the image before a change as incomplete if only its key is known: it must not be encoded
   * as a row.
   */
  private void limitBefore() {
    if (before.isPresent() && tellsKeyOnly) {
      before.incomplete("only the key of the row before a change is known");
    }
  }
}

package io.gauze.source;

/** What {@code before} images of Debezium's events contain of the rows that they identify. */
public enum ReplicaIdentity {
  /**
   * Only the keys are used. PostgreSQL sends no more unless a table's REPLICA IDENTITY is FULL, and
   * Debezium fills NOT NULL columns with their defaults or zeros, which look like values.
   */
  KEY,
  /** The rows, if all columns are present. */
  FULL
}

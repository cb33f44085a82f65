package io.gauze.mechanism;

import java.util.Optional;

/**
 * Makes the payload of one epoch from its rows, which come one by one. Holds rows, or sums of them:
 * it never leaves the memory of the process. Mutable, not thread-safe.
 */
public interface EpochFitter {
  /**
   * Adds a row.
   *
   * @param scaled D entries in the encoded scale, before they are clipped, as {@link
   *     io.gauze.row.RowEncoder#scale} gives them
   */
  void add(double... scaled);

  /** The memory that it takes, in bytes; nearly as private as the number of rows. */
  long bytes();

  /** The rows that it needs several times; empty if each row is added once, and not kept. */
  Optional<BufferedEpochFit> held();

  /**
   * Returns the payload; called once, after the last row.
   *
   * @throws IllegalArgumentException if the rows are too many; the message names the limit, and not
   *     their number
   */
  long[] numbers();
}

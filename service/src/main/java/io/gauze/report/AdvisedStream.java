package io.gauze.report;

import io.gauze.accounting.Budget;
import io.gauze.mechanism.StreamRequest;
import java.util.OptionalLong;
import java.util.Set;

/** A stream to give advice on: public numbers only. Immutable. */
public interface AdvisedStream {
  /** What it is in messages, such as: the config. */
  String label();

  /** A text that is equal for equal streams only. */
  String key();

  /** The rows that it expects in an epoch and group; empty if it does not say. */
  OptionalLong expectedRows();

  /** The names of the mechanisms that it has or asks for; those that are wrong, too. */
  Set<String> mechanisms();

  /** The budget that it has. */
  Budget budget();

  /**
   * Returns its request, whose sketches are ignored.
   *
   * @param epsilon in (0, 100]
   * @param rows expected in an epoch and group, at least 1
   * @throws IllegalArgumentException if an argument is out of range
   */
  StreamRequest request(double epsilon, long rows);

  /** Returns a remark on advice for a number of rows; may be empty. */
  String note(long rows);
}

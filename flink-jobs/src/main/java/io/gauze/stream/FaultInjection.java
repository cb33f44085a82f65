package io.gauze.stream;

import java.io.Serializable;

/**
 * A hook that crash tests use to throw an exception at a given step of the job. Production uses
 * {@link #NONE}.
 */
@FunctionalInterface
public interface FaultInjection extends Serializable {
  /**
   * The steps at which a crash may happen. Those from {@link #BEFORE_SPENT} to {@link
   * #AFTER_PUBLISHED} are reached once for each release of a batch.
   */
  enum Step {
    FOLD_ROW,
    FOLD_FLUSH,
    ACCUMULATE,
    SEAL,
    ASSEMBLE,
    /** Some rows are read again. */
    SECOND_READ,
    /** The rows of an epoch have been read for a model, which is not fitted yet. */
    FIT,
    BEFORE_SPENT,
    AFTER_SPENT,
    /** The transaction holds the release, but no entry yet that it is published. */
    DURING_SEND,
    /** The broker has all records of the batch's transaction, which is not committed. */
    AFTER_SEND,
    AFTER_PUBLISHED,
    /** All releases of an epoch are published, and each has an entry. */
    BEFORE_COMPLETE,
    /** The broker has the entry of the whole epoch and the tombstones, not committed. */
    DURING_COMPLETE,
    AFTER_COMPLETE
  }

  /** Does nothing. */
  FaultInjection NONE = step -> {};

  /** Called at {@code step}; an exception from here fails the job there. */
  void reached(Step step);
}

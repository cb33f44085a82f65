package io.gauze.stream;

import java.io.Serializable;

/**
 * A place to fail on purpose: crash tests put an exception at each of the job's steps. Production
 * uses {@link #NONE}.
 */
@FunctionalInterface
public interface FaultInjection extends Serializable {
  /**
   * The steps at which a crash may come. Those from {@link #BEFORE_SPENT} on are reached once for
   * each release of a batch.
   */
  enum Step {
    FOLD_ROW,
    FOLD_FLUSH,
    ACCUMULATE,
    SEAL,
    ASSEMBLE,
    BEFORE_SPENT,
    AFTER_SPENT,
    /** The transaction holds the release, and not yet that it is published. */
    DURING_SEND,
    /** The broker has the transaction of the whole batch, which is not committed. */
    AFTER_SEND,
    AFTER_PUBLISHED
  }

  /** Does nothing. */
  FaultInjection NONE = step -> {};

  /** Called at {@code step}; what it throws fails the job there. */
  void reached(Step step);
}

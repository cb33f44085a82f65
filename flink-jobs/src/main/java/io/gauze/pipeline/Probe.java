package io.gauze.pipeline;

import java.io.Serializable;

/**
 * A place to fail on purpose: crash tests put an exception at each of the job's steps. Production
 * uses {@link #NONE}.
 */
@FunctionalInterface
interface Probe extends Serializable {
  /** The steps at which a crash may come. */
  enum Step {
    FOLD_ROW,
    FOLD_FLUSH,
    ACCUMULATE,
    SEAL,
    ASSEMBLE,
    BEFORE_SPENT,
    AFTER_SPENT,
    DURING_SEND,
    AFTER_SEND,
    AFTER_PUBLISHED
  }

  /** Does nothing. */
  Probe NONE = step -> {};

  /** Called at {@code step}; what it throws fails the job there. */
  void reached(Step step);
}

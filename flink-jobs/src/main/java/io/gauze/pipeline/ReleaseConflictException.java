package io.gauze.pipeline;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * The ledger holds another body for a release: sending a second sum of the same epoch would reveal
 * more than the guarantee allows. Ends the job without a restart.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class ReleaseConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** For the release {@code id}; the message says what to do. */
  public ReleaseConflictException(String id, String ledgerTopic) {
    super(
        "release "
            + id
            + " is in the ledger (topic "
            + ledgerTopic
            + ") with another body, so this job made a second sum of the same epoch and sends nothing: two sums of one epoch"
            + " would reveal more than the guarantee allows. Restore the job from its newest checkpoint or savepoint; or start"
            + " afresh, which skips the epochs that the ledger holds.");
  }
}

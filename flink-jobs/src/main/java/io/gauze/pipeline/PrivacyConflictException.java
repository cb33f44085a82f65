package io.gauze.pipeline;

import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * To go on would reveal more than the guarantee allows. Ends the job without a restart; the message
 * says what to do.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class PrivacyConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private PrivacyConflictException(String message) {
    super(message);
  }

  /** The ledger holds another body of the release {@code id}. */
  static PrivacyConflictException anotherBody(String id, String ledgerTopic) {
    return new PrivacyConflictException(
        "release "
            + id
            + " is in the ledger (topic "
            + ledgerTopic
            + ") with another body, so this job made a second sum of the same epoch and sends nothing: two sums of one epoch"
            + " would reveal more than the guarantee allows. Restore the job from its newest checkpoint or savepoint; or start"
            + " afresh, which skips the epochs that the ledger holds.");
  }

  /** The ledger holds a release of this stream that was made under another config. */
  static PrivacyConflictException anotherSeries(String id, String ledgerTopic) {
    return new PrivacyConflictException(
        "the ledger (topic "
            + ledgerTopic
            + ") holds "
            + id
            + ", which was made under other columns, ranges, budget, sketches or epochs: to sketch the same rows once more would"
            + " spend the budget twice. Go on with the config of those releases; or give new rows another stream name and topics.");
  }

  /** The restored state was made under another config. */
  static PrivacyConflictException anotherState(String stream) {
    return new PrivacyConflictException(
        "the restored state of stream "
            + stream
            + " was made under other columns, ranges, budget, sketches or epochs, so its noise and sums are not what this config"
            + " promises. Restore it with the config that it was made with; or give new rows another stream name and topics.");
  }
}

package io.gauze.pipeline;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A topic is in a state that stays as it is however often the job restarts, so that the job ends
 * without a restart. The message says what it is, where, and what to do, and nothing of any record.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class LastingFaultException extends IOException {
  private static final long serialVersionUID = 1L;

  private LastingFaultException(String message) {
    super(message);
  }

  /** The rows topic has lost records that the job began with; {@code where} names the place. */
  static LastingFaultException lostRows(String topic, String where) {
    return new LastingFaultException(
        "the rows of topic "
            + topic
            + " ended before the last record that was there at the start, so that nothing more can be released: "
            + where
            + ". Retention or compaction has taken records before they were read. Make the retention of topic "
            + topic
            + " longer than a run takes, and run again: that reads what is there then.");
  }
}

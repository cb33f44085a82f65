package io.gauze.stream;

import java.io.IOException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * Thrown for a fault outside of the job that a restart cannot repair, so Flink ends the job without
 * one. The message says what is wrong, where, and what to do; it contains nothing of any record.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class LastingFaultException extends IOException {
  private static final long serialVersionUID = 1L;

  private static final String AFTER_LOSS =
      " To go on, start the job without a savepoint or checkpoint, with epochs.from at an epoch of"
          + " which the log holds all rows.";

  private LastingFaultException(String message) {
    super(message);
  }

  /**
   * Reports that the rows topic has lost records between the start of a bounded job and their
   * reading.
   *
   * @param where the place of the loss
   */
  public static LastingFaultException lostRows(String topic, String where) {
    return new LastingFaultException(
        "the rows of topic "
            + topic
            + " ended before the last record that was there at the start, so that nothing more can"
            + " be released: "
            + where
            + ". Retention or compaction has taken records before they were read. Make the"
            + " retention of topic "
            + topic
            + " longer than a run takes, and run again: that reads what is there then.");
  }

  /**
   * Reports that the rows topic has lost records of an epoch that were still to be read again.
   *
   * @param stream the stream
   * @param epoch the label of the epoch
   * @param where the place of the loss
   */
  public static LastingFaultException lostBeforeSecondReading(
      String stream, String epoch, String where) {
    return new LastingFaultException(
        "epoch "
            + epoch
            + " of stream "
            + stream
            + " cannot be released: the log has lost rows of it that were still to be read again. "
            + where
            + ". Make the retention of the topic longer than an epoch and the longest outage"
            + " together."
            + AFTER_LOSS);
  }

  /**
   * Reports that a pass over the rows of an epoch found other rows than the one before.
   *
   * @param stream the stream
   * @param epoch the label of the epoch
   */
  public static LastingFaultException changedRows(String stream, String epoch) {
    return new LastingFaultException(
        "epoch "
            + epoch
            + " of stream "
            + stream
            + " cannot be released: its rows do not fit into memory and are read again, and a pass"
            + " found other rows than the one before. Keep the topic of rows: it must not be"
            + " created again or compacted."
            + AFTER_LOSS);
  }

  /**
   * Reports that an epoch has more rows than a model allows.
   *
   * @param release the id of the release
   * @param reason what the limit is
   */
  public static LastingFaultException tooManyRows(String release, String reason) {
    return new LastingFaultException(
        release + " cannot be released: " + reason + ". Start a stream with shorter epochs.");
  }

  /**
   * Reports that a job without state has too many past epochs to release.
   *
   * @param reason the message, which says what to do
   */
  public static LastingFaultException backlog(String reason) {
    return new LastingFaultException(reason);
  }

  /**
   * Reports that another job of the stream began before this one.
   *
   * @param other a description of the other job
   */
  public static LastingFaultException secondJob(String other) {
    return new LastingFaultException(
        other
            + ". This job ends, since two jobs of one stream would take Kafka's transactions away"
            + " from each other; the other one goes on. Stop that first: gauze stop");
  }

  /** Reports that the ledger topic has a record that is no entry of a ledger. */
  public static LastingFaultException foreignRecord(String topic, int partition, long offset) {
    return new LastingFaultException(
        "the ledger topic "
            + topic
            + " has a record that is no entry of the ledger, at partition "
            + partition
            + ", offset "
            + offset
            + ": something other than gauze writes to it, so no job publishes anything now. Take"
            + " that right away, and copy the entries into a new topic: docs/operations/runbook.md,"
            + " \"A foreign record in the ledger\".");
  }
}

package io.gauze.stream;

import io.gauze.message.Message;
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

  private LastingFaultException(String message) {
    super(message);
  }

  private static LastingFaultException of(Message message) {
    return new LastingFaultException(message.line());
  }

  /**
   * Reports that the rows topic has lost records between the start of a bounded job and their
   * reading.
   *
   * @param where the place of the loss
   */
  public static LastingFaultException lostRows(String topic, String where) {
    return of(JobMessage.GONEROWS.of(topic).with("What is known: " + where + "."));
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
    return of(JobMessage.REREAD.of(epoch, stream).with(where + "."));
  }

  /**
   * Reports that a pass over the rows of an epoch found other rows than the one before.
   *
   * @param stream the stream
   * @param epoch the label of the epoch
   */
  public static LastingFaultException changedRows(String stream, String epoch) {
    return of(JobMessage.CHANGEDROWS.of(epoch, stream));
  }

  /**
   * Reports that an epoch has more rows than a model allows.
   *
   * @param release the id of the release
   * @param reason what the limit is
   */
  public static LastingFaultException tooManyRows(String release, String reason) {
    return of(JobMessage.MANYROWS.of().with("Release " + release + ": " + reason + "."));
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
   * @param other the message about the other job
   */
  public static LastingFaultException secondJob(Message other) {
    return of(other);
  }

  /** Reports that the ledger topic has lost the record of a complete epoch while a job ran. */
  public static LastingFaultException lostRecord(String topic, int partition, long offset) {
    return of(JobMessage.LOSTRECORD.of(topic, partition, offset));
  }

  /** Reports that the ledger topic has a record that is no entry of a ledger. */
  public static LastingFaultException foreignRecord(String topic, int partition, long offset) {
    return of(JobMessage.FOREIGN.of(topic, partition, offset));
  }
}

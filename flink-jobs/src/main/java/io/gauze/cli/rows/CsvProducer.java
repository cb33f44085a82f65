package io.gauze.cli.rows;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.row.RowRejectedException;
import io.gauze.source.KeyText;
import io.gauze.source.RecordSize;
import io.gauze.source.file.CsvRow;
import io.gauze.source.file.CsvRows;
import io.gauze.source.format.RecordWriter;
import io.gauze.summary.Progress;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends the rows of a file once. Closing it from another thread stops it between two rows, and
 * waits a while until the outcome is reported.
 */
public final class CsvProducer implements AutoCloseable {
  private static final int PROGRESS_EVERY = 10_000;
  private static final long PATIENCE_SECONDS = 20;

  /** The most bytes of key and value: less than what producers and brokers take by default. */
  private static final int MOST_BYTES = RecordSize.MAX_BYTES - 4096;

  private final Optional<RecordWriter> writer;
  private final Optional<KeyColumn> keyColumn;
  private final OptionalLong rate;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopped;
  private volatile boolean reading; // reading may block forever, from standard input

  /**
   * The outcome.
   *
   * @param leftOut rows that could not be read, or written as records
   * @param stopped whether the end of the file was not reached
   */
  public record Sent(long rows, LeftOutRows leftOut, boolean stopped) {}

  /**
   * The column whose text is the record's key.
   *
   * @param byValue whether the job compares numbers in it by value. Then all forms of a number are
   *     written as one key, so that they go to one partition and a deletion finds its row
   */
  public record KeyColumn(String field, boolean byValue) {}

  /**
   * Creates a producer.
   *
   * @param writer the writer of the values; empty for records without value, which delete
   * @param rate rows a second, at least 1; empty for no limit
   */
  public CsvProducer(
      Optional<RecordWriter> writer, Optional<KeyColumn> keyColumn, OptionalLong rate) {
    this.writer = writer;
    this.keyColumn = keyColumn;
    this.rate = rate;
  }

  /** Sends all of {@code rows}, and reports their number to {@code progress}. */
  public Sent send(CsvRows rows, TopicSender sender, Progress progress) throws IOException {
    long sent = 0;
    LeftOutRows leftOut = new LeftOutRows();
    long start = System.nanoTime();
    boolean more = hasNext(rows);
    while (more && !sender.failed()) {
      awaitTurn(start, sent);
      if (stopped) {
        break;
      }
      try {
        CsvRow row = rows.nextRow();
        Optional<byte[]> key = key(row);
        Optional<byte[]> value = value(row);
        requireShort(key, value);
        sender.send(key, value);
        sent++;
        if (sent % PROGRESS_EVERY == 0) {
          progress.count("rows sent", sent);
        }
      } catch (RowRejectedException e) {
        leftOut.add(e.getMessage(), rows.line());
      }
      more = hasNext(rows);
    }
    sender.flush();
    progress.count("rows sent", sent);
    return new Sent(sent, leftOut, stopped && more);
  }

  /** Refuses a row that no producer takes: one failure would end the sending of all others. */
  private static void requireShort(Optional<byte[]> key, Optional<byte[]> value)
      throws RowRejectedException {
    int length = key.map(bytes -> bytes.length).orElse(0) + value.map(b -> b.length).orElse(0);
    if (length > MOST_BYTES) {
      throw new RowRejectedException(
          "the record is longer than " + MOST_BYTES + " bytes; send less");
    }
  }

  /** Marks the outcome as reported, so that {@link #close} does not wait any longer. */
  public void end() {
    ended.countDown();
  }

  private boolean hasNext(CsvRows rows) throws IOException {
    reading = true;
    try {
      return rows.hasNext();
    } finally {
      reading = false;
    }
  }

  private Optional<byte[]> value(CsvRow row) throws RowRejectedException {
    return writer.isPresent() ? Optional.of(writer.get().write(row)) : Optional.empty();
  }

  private Optional<byte[]> key(CsvRow row) throws RowRejectedException {
    if (keyColumn.isEmpty()) {
      return Optional.empty();
    }
    String field = keyColumn.get().field();
    String key =
        row.value(field)
            .orElseThrow(
                () ->
                    new RowRejectedException(
                        "field " + field + " is missing, and is the record's key"));
    byte[] bytes = key.getBytes(UTF_8);
    return Optional.of(keyColumn.get().byValue() ? KeyText.of(bytes) : bytes);
  }

  /** Waits until the next row is due. */
  private void awaitTurn(long start, long sent) {
    if (rate.isEmpty()) {
      return;
    }
    double due = 1e9 * sent / rate.getAsLong();
    for (double wait = due - (System.nanoTime() - start);
        wait > 0 && !stopped;
        wait = due - (System.nanoTime() - start)) {
      LockSupport.parkNanos(this, (long) Math.ceil(Math.min(wait, 1e8))); // notices a stop soon
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    long seconds = 0;
    while (!ended.await(1, TimeUnit.SECONDS) && !reading && ++seconds < PATIENCE_SECONDS) {
      // sent rows are still on their way
    }
  }
}

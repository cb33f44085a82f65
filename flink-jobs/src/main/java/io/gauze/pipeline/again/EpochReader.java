package io.gauze.pipeline.again;

import io.gauze.kafka.RowRecord;
import io.gauze.pipeline.read.RecordReader;
import io.gauze.row.RowRejectedException;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.LateRowException;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads the rows of sealed epochs again, from several partitions at the same time. Threads read and
 * decode; the calling thread takes the rows, in an order that the log and the number of threads
 * decide, and never how fast a thread was. So each reading of an epoch gives the same rows in the
 * same order.
 *
 * <p>A record counts if its own content and timestamp say that it is a row of the epoch, as at the
 * first reading. Nothing else is reported of it: rejected and late records were sent to their
 * topics at the first reading. Not thread-safe.
 */
public final class EpochReader implements AutoCloseable {
  /**
   * The most records that are read at once: so many are in memory beside the chunks, however well
   * they were compressed, and take some milliseconds, after which a cancelled thread ends.
   */
  private static final String RECORDS = "2000";

  /**
   * How long the broker may wait for more records: short, as those that are to be read are there.
   */
  private static final String FETCH_MILLIS = "10";

  /** A client reads one partition at a time. */
  private static final int FETCH_BYTES = 1 << 20;

  private static final Duration POLL = Duration.ofMillis(100);

  /** Opens clients that fail at offsets which the log does not hold. */
  public interface Clients extends Supplier<Consumer<byte[], byte[]>>, Serializable {}

  /** Takes the rows of an epoch. */
  public interface Rows {
    /**
     * Takes a row.
     *
     * @param scaled D entries in the encoded scale, before they are clipped; valid until this call
     *     returns
     */
    void add(String group, double[] scaled);

    /** Called after some rows; an exception ends the reading. */
    void passed() throws IOException;

    /** Checks whether the rows of a group are taken, from any thread; the same for all of them. */
    boolean takes(String group);
  }

  private final SketchJobSettings settings;
  private final Clients clients;
  private final int most;
  private final ExecutorService threads;
  private final Deque<Consumer<byte[], byte[]>> idle = new ConcurrentLinkedDeque<>();

  /**
   * Creates a reader.
   *
   * @param most the most threads that read at once, at least 1
   * @param name of the threads
   */
  public EpochReader(SketchJobSettings settings, Clients clients, int most, String name) {
    this.settings = settings;
    this.clients = clients;
    this.most = most;
    this.threads = Executors.newCachedThreadPool(work -> daemon(work, name));
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  static Consumer<byte[], byte[]> client(KafkaAccess kafka) {
    return kafka.strictConsumer(
        Map.of(
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            RECORDS,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            Integer.toString(FETCH_BYTES),
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            FETCH_MILLIS));
  }

  /**
   * Reads the rows of an epoch.
   *
   * @throws LastingFaultException if the log has lost rows
   * @throws CancellationException if the thread is interrupted
   */
  public void read(FitTask task, Rows out) throws IOException {
    List<Map.Entry<Integer, RowRanges.Range>> ranges =
        List.copyOf(task.ranges().byPartition().entrySet());
    int number = Math.min(most, ranges.size());
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      parts.add(new Part(task, every(number, i, ranges), out));
    }
    List<Future<?>> reading = new ArrayList<>();
    try {
      parts.forEach(part -> reading.add(threads.submit(part)));
      takeInTurns(parts, out);
    } catch (InterruptedException e) {
      CancellationException cancelled = new CancellationException("the job ends");
      cancelled.initCause(e);
      throw cancelled;
    } finally {
      reading.forEach(each -> each.cancel(true));
    }
  }

  private static <T> List<T> every(int number, int from, List<T> all) {
    List<T> some = new ArrayList<>();
    for (int i = from; i < all.size(); i += number) {
      some.add(all.get(i));
    }
    return some;
  }

  private static void takeInTurns(List<Part> parts, Rows out)
      throws IOException, InterruptedException {
    Deque<Part> open = new ArrayDeque<>(parts);
    while (!open.isEmpty()) {
      Part part = open.remove();
      RowChunk chunk = part.chunks.take();
      chunk.checkFailure();
      chunk.forEach(out::add);
      out.passed();
      if (!chunk.isLast()) {
        open.add(part);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    closeIdle();
  }

  private void closeIdle() {
    for (var client = idle.poll(); client != null; client = idle.poll()) {
      client.close();
    }
  }

  /** Reads some partitions of an epoch, one after the other, in a thread of its own. */
  private final class Part implements Runnable {
    private static final int AHEAD = 8; // chunks that wait to be taken: threads take turns

    private final FitTask task;
    private final List<Map.Entry<Integer, RowRanges.Range>> ranges;
    private final BlockingQueue<RowChunk> chunks = new LinkedBlockingQueue<>(AHEAD);
    private final RecordReader records;
    private final Rows out;
    private RowChunk chunk = newChunk();

    Part(FitTask task, List<Map.Entry<Integer, RowRanges.Range>> ranges, Rows out) {
      this.task = task;
      this.ranges = ranges;
      this.out = out;
      this.records = new RecordReader(settings, settings.schedule().from(task.firstEpoch()));
    }

    private RowChunk newChunk() {
      return new RowChunk(settings.plan().schema().dimension());
    }

    @Override
    public void run() {
      try {
        hand(read());
      } catch (InterruptedException | InterruptException e) {
        Thread.currentThread().interrupt(); // nobody takes the rows any more
      }
    }

    /** Returns the last chunk, or the failure. */
    // A failure, of whatever kind, fails the task of the thread that takes the rows.
    private RowChunk read() throws InterruptedException {
      Consumer<byte[], byte[]> client = null;
      try {
        Consumer<byte[], byte[]> free = idle.poll();
        client = free == null ? clients.get() : free;
        for (Map.Entry<Integer, RowRanges.Range> each : ranges) {
          read(client, each.getKey(), each.getValue());
        }
        idle.add(client);
        client = null;
        closeIfEnded();
        return filled().last();
      } catch (InterruptedException | InterruptException e) {
        throw e;
      } catch (Exception | Error e) {
        return RowChunk.failed(e);
      } finally {
        if (client != null) {
          close(client);
        }
      }
    }

    /** Closes clients that were put back after the reader was closed. */
    private void closeIfEnded() {
      if (threads.isShutdown()) {
        boolean interrupted = Thread.interrupted(); // closing would fail
        closeIdle();
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private void close(Consumer<byte[], byte[]> client) {
      boolean interrupted = Thread.interrupted(); // closing would fail
      client.close();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void read(Consumer<byte[], byte[]> client, int partition, RowRanges.Range range)
        throws IOException, InterruptedException {
      TopicPartition topic = new TopicPartition(settings.topics().rows(), partition);
      client.assign(List.of(topic));
      client.seek(topic, range.from());
      long next = range.from();
      while (next < range.to()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("nobody takes the rows any more");
        }
        settings.probe().reached(FaultInjection.Step.SECOND_READ);
        for (ConsumerRecord<byte[], byte[]> record : poll(client, topic, next, range)) {
          if (record.offset() < range.to()) {
            add(record);
          }
        }
        next = client.position(topic); // behind the ends of transactions, too
      }
    }

    private List<ConsumerRecord<byte[], byte[]>> poll(
        Consumer<byte[], byte[]> client, TopicPartition topic, long next, RowRanges.Range range)
        throws LastingFaultException {
      try {
        return client.poll(POLL).records(topic);
      } catch (OffsetOutOfRangeException e) {
        long begin = client.beginningOffsets(List.of(topic)).get(topic);
        throw lost(topic, begin, new RowRanges.Range(next, range.to()));
      }
    }

    private LastingFaultException lost(TopicPartition topic, long begin, RowRanges.Range rest) {
      return LastingFaultException.lostBeforeSecondReading(
          settings.plan().stream(),
          settings.schedule().label(task.epoch()),
          "Partition "
              + topic.partition()
              + " of topic "
              + topic.topic()
              + " begins at offset "
              + begin
              + " now, and rows from offset "
              + rest.from()
              + " to "
              + (rest.to() - 1)
              + " are still to be read");
    }

    private void add(ConsumerRecord<byte[], byte[]> record) throws InterruptedException {
      try {
        if (records.read(RowRecord.of(record)) == task.epoch() && out.takes(records.group())) {
          chunk.add(records.group(), records.encoder());
        }
      } catch (RowRejectedException | LateRowException e) {
        // It was reported at the first reading.
      }
      if (chunk.isFull()) {
        hand(filled());
        chunk = newChunk();
      }
    }

    /** Returns the chunk, once no more rows are added to it. */
    private RowChunk filled() {
      chunk.scale(records.encoder());
      return chunk;
    }

    private void hand(RowChunk full) throws InterruptedException {
      chunks.put(full);
    }
  }
}

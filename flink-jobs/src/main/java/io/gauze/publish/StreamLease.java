package io.gauze.publish;

import io.gauze.stream.LastingFaultException;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.connector.sink2.InitContext;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows {@link LiveJobs} that a job lives: a thread of the publishing task is a member of the
 * stream's consumer group, and leaves it when the task ends. It reads nothing. Without the right to
 * the group a job runs without it, with a warning in the log.
 */
final class StreamLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamLease.class);
  private static final Duration POLL = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration LEAVE = Duration.ofSeconds(2);

  /** Tasks go on for 50 s after their job manager was lost, unless Flink is told otherwise. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final SketchJobSettings settings;
  private final Holder holder;
  private final String client;
  private final Thread thread;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private volatile boolean closed;

  /**
   * @param flinkId the job's, in hexadecimal digits
   * @param patience how long {@link #requireFirst} waits for an older job to go
   */
  record Holder(String flinkId, Duration patience) {
    static Holder of(InitContext task) {
      return new Holder(task.getJobInfo().getJobId().toString(), PATIENCE);
    }
  }

  private StreamLease(SketchJobSettings settings, Holder holder) {
    this.settings = settings;
    this.holder = holder;
    String stream = settings.plan().stream();
    this.client = LiveJobs.Job.client(stream, holder.flinkId(), settings.submission());
    this.consumer = settings.kafka().member(LiveJobs.group(stream), client, LiveJobs.SESSION);
    this.thread = new Thread(this::hold, "gauze-lease-" + stream);
    thread.setDaemon(true);
  }

  /** For a task that begins to run. */
  static StreamLease hold(SketchJobSettings settings, Holder holder) {
    StreamLease lease = new StreamLease(settings, holder);
    lease.thread.start();
    return lease;
  }

  private void hold() {
    try {
      // A topic that the job may read anyway: whoever wants none is in no group.
      consumer.subscribe(List.of(settings.topics().ledger()), new ReadNothing());
      while (!closed) {
        consumer.poll(POLL);
      }
    } catch (WakeupException e) {
      // closed
    } catch (KafkaException e) {
      LOG.warn(
          "another job of stream {} will not notice this one: {}",
          settings.plan().stream(),
          e.getMessage());
    } finally {
      consumer.close(CloseOptions.timeout(LEAVE));
    }
  }

  private final class ReadNothing implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      consumer.pause(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
  }

  /**
   * Returns when no other job is left that was submitted before this one, so that a second job ends
   * before it takes the transactions from the first, however both were started.
   *
   * @throws LastingFaultException if the other job stays
   * @throws IOException if the broker does not answer
   */
  void requireFirst() throws IOException, InterruptedException {
    String stream = settings.plan().stream();
    long deadline = System.nanoTime() + holder.patience().toNanos();
    while (true) {
      List<LiveJobs.Job> jobs;
      try {
        jobs = LiveJobs.find(settings.kafka(), stream, PATIENCE);
      } catch (LiveJobs.NotAllowedException e) {
        LOG.warn("{}", e.getMessage());
        return;
      }
      List<LiveJobs.Job> before = jobs.stream().filter(job -> job.isBefore(client)).toList();
      boolean late = System.nanoTime() - deadline > 0;
      if (late && !before.isEmpty()) {
        throw LastingFaultException.secondJob(LiveJobs.described(stream, before));
      }
      // Once this job is in the group, a younger one sees it.
      boolean here = jobs.stream().anyMatch(job -> job.client().equals(client));
      if (before.isEmpty() && (here || late || !thread.isAlive())) {
        return;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while looking for other jobs of the stream");
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    consumer.wakeup();
    boolean interrupted = Thread.interrupted(); // of a task that is cancelled
    try {
      thread.join(2 * LEAVE.toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

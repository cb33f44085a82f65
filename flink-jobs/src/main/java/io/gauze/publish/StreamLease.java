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
 * Shows {@link LiveJobs} that a job runs: a thread of the publishing task is a member of the
 * stream's consumer group, and leaves it when the task ends. It reads nothing. Without the right to
 * join the group, a job runs without a lease and logs a warning.
 */
final class StreamLease implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamLease.class);
  private static final Duration POLL = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration LEAVE = Duration.ofSeconds(2);

  /**
   * By default, Flink's tasks go on for 50 s after the loss of their job manager; this is longer.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final SketchJobSettings settings;
  private final Holder holder;
  private final String client;
  private final Thread thread;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private volatile boolean closed;

  /**
   * The job that holds a lease.
   *
   * @param flinkId the job's id in Flink, in hexadecimal digits
   * @param patience how long {@link #requireFirst} waits for an older job to end
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

  /** Starts the lease of a task that begins to run. */
  static StreamLease hold(SketchJobSettings settings, Holder holder) {
    StreamLease lease = new StreamLease(settings, holder);
    lease.thread.start();
    return lease;
  }

  private void hold() {
    try {
      // A member must subscribe to a topic; the job may read this one anyway.
      consumer.subscribe(List.of(settings.topics().ledger()), new ReadNothing());
      while (!closed) {
        consumer.poll(POLL);
      }
    } catch (WakeupException e) {
      // the lease was closed
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
   * Returns when no job is left that was submitted before this one. So a second job ends before it
   * fences the first, however both were started.
   *
   * @throws LastingFaultException if the other job does not end in time
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
      // Waits until this job is in the group, where a younger job sees it.
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
    boolean interrupted = Thread.interrupted(); // true if the task is being cancelled
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

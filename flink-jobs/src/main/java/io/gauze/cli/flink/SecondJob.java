package io.gauze.cli.flink;

import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.publish.LiveJobs;
import io.gauze.report.Messages;
import io.gauze.stream.JobMessage;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/** Checks, before a job is submitted, whether one of its streams already has a running job. */
public final class SecondJob {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final JobStreams job;
  private final PrintWriter err;

  public SecondJob(JobStreams job, PrintWriter err) {
    this.job = job;
    this.err = err;
  }

  /**
   * Returns if there is no other job. If there seems to be one, waits for longer than Kafka takes
   * to notice that a process was killed, and then refuses.
   *
   * @throws IOException if there is another job, or if the broker does not answer
   */
  public void refuse() throws IOException {
    List<String> running = running(true);
    long deadline = System.nanoTime() + LiveJobs.UNTIL_DEAD_ARE_GONE.toNanos();
    if (!running.isEmpty()) {
      say(
          "waiting up to "
              + LiveJobs.UNTIL_DEAD_ARE_GONE.toSeconds()
              + " s for it to end: "
              + String.join("; ", running));
    }
    while (!running.isEmpty()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(String.join("; ", running));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      running = running(false);
    }
  }

  /** Returns a sentence for each stream that has a running job. */
  private List<String> running(boolean warn) throws IOException {
    List<String> running = new ArrayList<>();
    for (StreamConfig stream : job.configs()) {
      KafkaAccess kafka =
          new KafkaAccess(stream.kafka().bootstrap().orElseThrow(), stream.kafka().properties());
      try {
        List<LiveJobs.Job> jobs = LiveJobs.find(kafka, stream.stream(), PATIENCE);
        if (!jobs.isEmpty()) {
          JobMessage entry = isOfUp(stream, jobs) ? JobMessage.UPJOB : JobMessage.SECONDJOB;
          running.add(LiveJobs.described(entry, stream.stream(), jobs).line());
        }
      } catch (LiveJobs.NotAllowedException e) {
        if (warn) {
          Messages.all("warning: ", List.of(e.said())).forEach(this::say);
        }
      }
    }
    return running;
  }

  /** {@code gauze stop} cannot stop a job of {@code gauze up}. */
  private static boolean isOfUp(StreamConfig stream, List<LiveJobs.Job> jobs) throws IOException {
    OptionalLong up = LocalJobRegistry.processOfUp(stream);
    return up.isPresent() && jobs.stream().anyMatch(found -> found.isOf(up.getAsLong()));
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}

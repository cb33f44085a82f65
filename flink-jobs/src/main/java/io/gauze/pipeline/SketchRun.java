package io.gauze.pipeline;

import io.gauze.source.KafkaAccess;
import io.gauze.source.TopicAdmin;
import io.gauze.source.VisibleEnds;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;

/**
 * What is done once before the sketch job is submitted: topics are checked, the ledger is read, a
 * bounded job gets its ends.
 */
public final class SketchRun {
  /** Brokers end a transaction after 15 minutes at the latest, unless they are told otherwise. */
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /**
   * What to submit.
   *
   * @param skipped ids in the range of a bounded job that the ledger holds already
   * @param left how many releases a bounded job still has to make; empty for a job without end
   */
  public record Prepared(SketchJobSettings settings, List<String> skipped, Optional<Long> left) {
    /** Whether the job would have nothing to release, which is for the caller to refuse. */
    public boolean nothingLeft() {
      return left.isPresent() && left.get() == 0;
    }
  }

  private SketchRun() {}

  /**
   * Checks or creates the topics, and completes {@code settings}.
   *
   * @param bounded whether the job ends where the topic ends now
   * @throws TopicAdmin.TopicException if a topic is missing or its settings do not do
   * @throws IOException if the broker does not answer
   */
  public static Prepared prepare(
      SketchJobSettings settings, boolean bounded, Optional<TopicAdmin.Creation> creation)
      throws IOException {
    SketchJobSettings.Topics topics = settings.topics();
    try (TopicAdmin admin = new TopicAdmin(settings.kafka(), creation)) {
      admin.rows(topics.rows(), !settings.schedule().isAll());
      admin.releases(topics.releases(), SketchJob.maxRequestSize(settings));
      admin.ledger(topics.ledger());
      admin.plain(topics.deadLetters());
      admin.plain(topics.late());
    }
    Set<String> published = new HashSet<>(Ledger.ids(settings.kafka(), topics.ledger()));
    published.removeIf(id -> !id.startsWith(settings.plan().stream() + "/"));
    SketchJobSettings known = settings.withPublished(published);
    return bounded ? bounded(known) : new Prepared(known, List.of(), Optional.empty());
  }

  private static Prepared bounded(SketchJobSettings settings) throws IOException {
    long now = System.currentTimeMillis();
    SketchJobSettings ending =
        settings.boundedAt(endsNow(settings.kafka(), settings.topics().rows()));
    List<String> ids =
        ending.releaseIds(settings.schedule().firstEpoch(), settings.schedule().lastCuttable(now));
    List<String> skipped = ids.stream().filter(settings.published()::contains).toList();
    return new Prepared(ending, skipped, Optional.of((long) ids.size() - skipped.size()));
  }

  /** What to tell the user if a job failed because the ledger holds another body of a release. */
  public static Optional<String> conflict(Throwable failure) {
    return ExceptionUtils.findSerializedThrowable(
            failure, ReleaseConflictException.class, SketchRun.class.getClassLoader())
        .map(Throwable::getMessage);
  }

  /** Where the rows of a topic end now. */
  public static Offsets endsNow(KafkaAccess kafka, String topic) throws IOException {
    try (Admin admin = kafka.admin();
        Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      return Offsets.of(new VisibleEnds(admin, consumer, topic, PATIENCE).find());
    } catch (ExecutionException e) {
      throw new IOException(
          "the ends of topic " + topic + " could not be read: " + e.getCause().getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading the ends of topic " + topic, e);
    }
  }
}

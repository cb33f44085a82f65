package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.ledger.LedgerEntry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RangePhase;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.VisibleEnds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Enters the releases of a stream that the ledger lacks, from the topic of releases. It has the
 * stream's transactional id, so it fences a job of the stream. What was entered stays entered if it
 * fails, and the next call goes on from there.
 */
public final class LedgerRebuild {
  /** The most entries of a transaction. */
  private static final int BATCH = 500;

  private final SketchJobSettings settings;
  private final ReleaseProducer producer;
  private final Ledger ledger;
  private final Map<ReleaseId, LedgerEntry> pending = new LinkedHashMap<>();
  private long entered;

  private LedgerRebuild(SketchJobSettings settings, ReleaseProducer producer, Ledger ledger) {
    this.settings = settings;
    this.producer = producer;
    this.ledger = ledger;
  }

  /**
   * Enters the releases. The topics exist, and no job of the stream runs.
   *
   * @return how many releases are charged now that were not, or known to be published now
   * @throws PrivacyConflictException if the topic has lost releases, holds two bodies of one, or
   *     holds releases that were not made with these settings
   * @throws IOException if a topic cannot be read or written
   */
  public static long run(SketchJobSettings settings) throws IOException, InterruptedException {
    ReleaseLog releases = new ReleaseLog(settings.kafka(), settings.topics().releases());
    Optional<Map.Entry<TopicPartition, Long>> cut = releases.cut();
    if (cut.isPresent()) {
      throw PrivacyConflictException.lostReleases(
          cut.get().getKey().partition(), cut.get().getValue(), settings);
    }
    try (ReleaseProducer producer = ReleaseProducer.open(settings);
        Ledger ledger = new Ledger(settings.kafka(), settings.topics().ledger())) {
      ledger.refresh();
      Ledger.checkSeries(ledger.book(), settings);
      // No transaction is open after this, and none of this stream can begin.
      VisibleEnds.now(settings.kafka(), settings.topics().releases());
      return new LedgerRebuild(settings, producer, ledger).enter(releases);
    } catch (KafkaException e) {
      throw new IOException(
          "the ledger topic "
              + settings.topics().ledger()
              + " could not be written: "
              + e.getMessage(),
          e);
    }
  }

  private long enter(ReleaseLog releases) throws IOException, InterruptedException {
    try {
      releases.committed((id, body) -> enter(id, body, LedgerEntry.State.PUBLISHED));
      flush();
      releases.all((id, body) -> enter(id, body, LedgerEntry.State.SPENT));
      flush();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return entered;
  }

  private void enter(ReleaseId id, byte[] body, LedgerEntry.State state) {
    if (!id.stream().equals(settings.plan().stream()) || !ReleaseLog.isRelease(id, body)) {
      return;
    }
    if (ledger.book().complete(id).isPresent()) {
      if (!isIn(id, LedgerEntry.sha256(body))) {
        throw PrivacyConflictException.twoBodies(id, settings);
      }
      return;
    }
    Optional<LedgerEntry> there =
        Optional.ofNullable(pending.get(id)).or(() -> ledger.book().entry(id));
    if (there.filter(entry -> !entry.sha256().equals(LedgerEntry.sha256(body))).isPresent()) {
      throw PrivacyConflictException.twoBodies(id, settings);
    }
    if (there.filter(entry -> isEnough(entry.state(), state)).isPresent()) {
      return;
    }
    pending.put(id, there.map(entry -> entry.withState(state)).orElseGet(() -> entry(body, state)));
    entered++;
    if (pending.size() == BATCH) {
      flushOrEnd();
    }
  }

  private boolean isIn(ReleaseId id, String hash) {
    try {
      return ledger.holds(id, hash);
    } catch (IOException e) { // the reading's callback throws nothing that is checked
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEnough(LedgerEntry.State there, LedgerEntry.State wanted) {
    return there == LedgerEntry.State.PUBLISHED || there == wanted;
  }

  /** Returns the entry of a release that these settings have made. */
  private LedgerEntry entry(byte[] body, LedgerEntry.State state) {
    Release release = Release.fromBytes(body);
    if (!isOfStream(release)) {
      throw PrivacyConflictException.otherRelease(release.id(), settings);
    }
    return LedgerEntry.of(release, body, state, settings.series(), settings.terms());
  }

  /**
   * Checks all of the plan; of a stream whose ranges are estimated only what does not hang on the
   * chosen ranges.
   */
  private boolean isOfStream(Release release) {
    String sketch = release.id().sketch();
    if (settings.spec().ranges() instanceof RangePhase.Estimated estimated
        && !sketch.equals(RangePhase.SKETCH)) {
      return estimated.sketches().sketches().stream()
          .anyMatch(
              plan ->
                  plan.name().equals(sketch)
                      && plan.mechanism().name().equals(release.mechanism()));
    }
    return release.isOf(settings.plan());
  }

  /** Writes from within the reading, whose callback throws nothing that is checked. */
  private void flushOrEnd() {
    try {
      flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(
          new IOException("interrupted while the ledger was rebuilt", e));
    }
  }

  private void flush() throws IOException, InterruptedException {
    if (pending.isEmpty()) {
      return;
    }
    producer.begin();
    pending.forEach(
        (id, entry) ->
            producer.send(
                settings.topics().ledger(),
                id.toString().getBytes(UTF_8),
                entry.toJson().getBytes(UTF_8)));
    producer.awaitAcknowledged();
    producer.commit();
    pending.clear();
    ledger.refresh();
  }
}

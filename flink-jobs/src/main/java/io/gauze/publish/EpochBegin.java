package io.gauze.publish;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.StreamStart;
import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The epoch with which a job begins that starts without state. Unless the config names it, it is
 * the first epoch of the stream of which the ledger lacks a release. So published releases are not
 * made again, and releases that a lost job had not made yet are made from the log.
 *
 * <p>The stream's first epoch is the earliest of three: the one that the stream's first start wrote
 * to the ledger, the first one that has a release, and the current one. All of these are public, so
 * only a record's own time decides which epoch it is in.
 */
public final class EpochBegin {
  private final SketchJobSettings settings;
  private final OptionalLong written;
  private final long first;

  private EpochBegin(SketchJobSettings settings, OptionalLong written, OptionalLong released) {
    this.settings = settings;
    this.written = written;
    EpochSchedule epochs = settings.schedule();
    OptionalLong now =
        epochs.explicitFirst() ? OptionalLong.empty() : OptionalLong.of(epochs.firstEpoch());
    this.first =
        Stream.of(written, released, now)
            .flatMapToLong(OptionalLong::stream)
            .map(epoch -> Math.max(epoch, settings.firstPossible()))
            .min()
            .orElse(epochs.firstEpoch());
  }

  /**
   * Looks up the first epoch in the ledger.
   *
   * @param settings the settings with the published releases
   */
  public static EpochBegin of(LedgerBook book, SketchJobSettings settings) {
    String stream = settings.plan().stream();
    return new EpochBegin(
        settings,
        epochs(settings, book.begins(stream, settings.series()).stream()).min(),
        epochs(settings, book.epochs(stream).stream()).min());
  }

  private static LongStream epochs(SketchJobSettings settings, Stream<String> labels) {
    return labels.map(settings.schedule()::epochOf).flatMapToLong(OptionalLong::stream);
  }

  /** Returns the settings of the job with its first epoch. */
  public SketchJobSettings job() {
    boolean named = settings.schedule().explicitFirst() && !settings.countsRanges();
    return named ? settings : settings.from(unreleased());
  }

  /** The first epoch of the stream, or of the job if the config names another one. */
  public long first() {
    return settings.schedule().explicitFirst() ? settings.schedule().firstEpoch() : first;
  }

  private long unreleased() {
    long epoch = settings.countsRanges() ? first() : first;
    while (settings.isPublished(epoch)) {
      epoch++;
    }
    return epoch;
  }

  /** Returns a warning if {@code epochs.from} leaves out epochs that are not released. */
  public Optional<Message> warning() {
    EpochSchedule epochs = settings.schedule();
    long from = epochs.firstEpoch();
    if (!epochs.explicitFirst() || first >= from) {
      return Optional.empty();
    }
    long left = unreleased();
    if (left >= from || left > settings.lastRelease(epochs.from(first))) {
      return Optional.empty();
    }
    return Optional.of(JobMessage.LATERFROM.of(epochs.label(from), epochs.label(left)));
  }

  /**
   * Writes the first epoch of the stream to the ledger, if the ledger has none or a later one.
   * Called last before the job is submitted, so that a refused start leaves no trace.
   *
   * @throws IOException if the broker does not take the record
   */
  public void write() throws IOException {
    EpochSchedule epochs = settings.schedule();
    long begin = Math.min(first, epochs.firstEpoch());
    if (epochs.isAll() || (written.isPresent() && written.getAsLong() <= begin)) {
      return;
    }
    Ledger.write(
        settings.kafka(),
        settings.topics().ledger(),
        new StreamStart(settings.plan().stream(), epochs.label(begin), settings.series()));
  }
}

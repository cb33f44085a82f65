package io.gauze.publish;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.StreamBegin;
import io.gauze.stream.SketchJobSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Where a job begins that starts without state. Unless the config names the first epoch, that is
 * the first one of the stream's epochs of which the ledger lacks a release: what is out is not made
 * again, and what a job that was lost had not released yet is made from the log.
 *
 * <p>The stream's epochs begin where its first start has written to the ledger that they do, or
 * with the first one that has a release, and now at the latest. All of these are public, so nothing
 * but a record's own time decides which epoch it is in.
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
            .min()
            .orElse(epochs.firstEpoch());
  }

  /**
   * Looks it up.
   *
   * @param settings with what is published
   */
  public static EpochBegin of(LedgerBook book, SketchJobSettings settings) {
    String stream = settings.plan().stream();
    return new EpochBegin(
        settings,
        epochs(settings, book.begins(stream, settings.series()).stream()).min(),
        epochs(settings, book.entries(stream).stream().map(EpochBegin::epoch)).min());
  }

  private static String epoch(LedgerEntry entry) {
    return entry.id().epoch();
  }

  private static LongStream epochs(SketchJobSettings settings, Stream<String> labels) {
    return labels.map(settings.schedule()::epochOf).flatMapToLong(OptionalLong::stream);
  }

  /** The job from there on. */
  public SketchJobSettings job() {
    return settings.schedule().explicitFirst() ? settings : settings.from(unreleased());
  }

  /** The first epoch of the stream; of the job, if the config says that it is another. */
  public long first() {
    return settings.schedule().explicitFirst() ? settings.schedule().firstEpoch() : first;
  }

  private long unreleased() {
    long epoch = first;
    while (settings.published().containsAll(settings.releaseIds(epoch, epoch))) {
      epoch++;
    }
    return epoch;
  }

  /** What the owner should know of epochs that the config leaves out. */
  public Optional<String> warning() {
    EpochSchedule epochs = settings.schedule();
    long from = epochs.firstEpoch();
    if (!epochs.explicitFirst() || first >= from) {
      return Optional.empty();
    }
    long left = unreleased();
    if (left >= from || left > settings.lastRelease(epochs.from(first))) {
      return Optional.empty();
    }
    return Optional.of(
        "epochs.from is later than the stream's first epoch without a release in the ledger, "
            + epochs.label(left)
            + ": what is not released of the epochs before "
            + epochs.label(from)
            + " is left out. Without epochs.from the job begins there");
  }

  /**
   * Keeps in the ledger where the stream begins, if that is not there, or is later: the last thing
   * before the job is submitted, so that a start that is refused leaves nothing.
   *
   * @throws IOException if the broker does not take it
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
        new StreamBegin(settings.plan().stream(), epochs.label(begin), settings.series()));
  }
}

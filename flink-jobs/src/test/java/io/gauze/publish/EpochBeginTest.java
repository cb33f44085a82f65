package io.gauze.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.ledger.StreamStart;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a start without state begins, by the ledger alone: epochs of a second, now is 100. */
final class EpochBeginTest {
  private static final RowInput GROUPS = RowInput.JSON.groupedBy("land", List.of("de", "fr"));

  @Test
  void theFirstStartBeginsNow() {
    assertThat(begin(job(false), LedgerBook.of(List.of()))).isEqualTo(100);
  }

  @Test
  void whatNoReleaseIsOutOfBeginsAtTheFirstStart() {
    LedgerBook book = LedgerBook.of(List.of());
    write(book, job(false), 90);
    write(book, job(false), 95);
    assertThat(begin(job(false), book)).isEqualTo(90);
    assertThat(begin(job(false).withInput(RowInput.JSON), book))
        .as("another config")
        .isEqualTo(100);
  }

  @Test
  void aFirstEpochInTheFutureKeepsNobodyBack() {
    LedgerBook book = LedgerBook.of(List.of());
    write(book, job(false), 100_000);
    assertThat(begin(job(false), book)).isEqualTo(100);
  }

  @Test
  void itGoesOnAfterWhatIsReleasedAsAWhole() {
    LedgerBook book = LedgerBook.of(List.of());
    SketchJobSettings job = job(false);
    release(book, job, 80, 4);
    release(book, job, 81, 4);
    assertThat(begin(job, book)).isEqualTo(82);
    release(book, job, 82, 3); // one sketch of one group is left
    release(book, job, 83, 4);
    assertThat(begin(job, book)).isEqualTo(82);
    assertThat(EpochBegin.of(book, published(book, job)).first()).isEqualTo(80);
  }

  /** As {@link #itGoesOnAfterWhatIsReleasedAsAWhole}. */
  @Test
  void itGoesOnAfterCompleteEpochs() {
    LedgerBook book = LedgerBook.of(List.of());
    SketchJobSettings job = job(false);
    CompleteEpochs.add(book, job, 80);
    CompleteEpochs.add(book, job, 81);
    assertThat(begin(job, book)).isEqualTo(82);
    release(book, job, 82, 3);
    CompleteEpochs.add(book, job, 83);
    assertThat(begin(job, book)).isEqualTo(82);
    release(book, job, 82, 4);
    assertThat(begin(job, book)).isEqualTo(84);
    assertThat(EpochBegin.of(book, published(book, job)).first()).isEqualTo(80);
  }

  @Test
  void itFillsEpochsThatAnEarlierStartLeftOut() {
    LedgerBook book = LedgerBook.of(List.of());
    release(book, job(false), 80, 4);
    write(book, job(false), 78);
    assertThat(begin(job(false), book)).isEqualTo(78);
    release(book, job(false), 78, 4);
    assertThat(begin(job(false), book)).isEqualTo(79);
  }

  @Test
  void theConfigWinsAndIsToldWhatItLeavesOut() {
    LedgerBook book = LedgerBook.of(List.of());
    SketchJobSettings named = job(true);
    assertThat(warning(named, book)).isEmpty();
    release(book, named, 98, 4);
    release(book, named, 99, 4);
    assertThat(warning(named, book)).as("all before it is out").isEmpty();
    write(book, named, 97);
    assertThat(begin(named, book)).isEqualTo(100);
    assertThat(warning(named, book))
        .hasValueSatisfying(
            said ->
                assertThat(said.text()).contains("1970-01-01T00:01:37Z", "1970-01-01T00:01:40Z"));
    assertThat(warning(job(false), book)).isEmpty();
    assertThat(warning(job(true).from(97), book)).isEmpty();
    assertThat(warning(allAtOnce(), book)).isEmpty();
  }

  private static SketchJobSettings job(boolean named) {
    return OperatorFixture.settings(
            OperatorFixture.plan(1, 512), new EpochSchedule(1000, 100, named, 0))
        .withInput(GROUPS);
  }

  private static SketchJobSettings allAtOnce() {
    return OperatorFixture.settings(OperatorFixture.plan(1, 512), EpochSchedule.all());
  }

  private static SketchJobSettings published(LedgerBook book, SketchJobSettings job) {
    return job.withPublished(PublishedReleases.inLedger(book, job));
  }

  private static long begin(SketchJobSettings job, LedgerBook book) {
    return EpochBegin.of(book, published(book, job)).job().schedule().firstEpoch();
  }

  private static Optional<Message> warning(SketchJobSettings job, LedgerBook book) {
    return EpochBegin.of(book, published(book, job)).warning();
  }

  private static void write(LedgerBook book, SketchJobSettings job, long epoch) {
    book.add(new StreamStart("seconds", job.schedule().label(epoch), job.series()));
  }

  /** The first {@code count} of the four releases of an epoch. */
  private static void release(LedgerBook book, SketchJobSettings job, long epoch, int count) {
    for (String id : job.releaseIds(epoch, epoch).subList(0, count)) {
      LedgerEntry entry =
          new LedgerEntry(
              ReleaseId.parse(id),
              "0".repeat(64),
              LedgerEntry.State.SPENT,
              job.series(),
              job.charge().guarantee(),
              job.terms());
      book.add(new LedgerPosition(entry, 0, 0));
    }
  }
}

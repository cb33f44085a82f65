package io.gauze.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.ledger.EpochCells;
import io.gauze.ledger.EpochRecord;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the releases of an epoch are cut into entries, and which epochs get one. */
final class EpochCompactionTest {
  private static final SketchJobSettings JOB =
      OperatorFixture.settings(OperatorFixture.plan(1, 512), OperatorFixture.SECONDS)
          .withInput(RowInput.JSON.groupedBy("land", List.of("de", "fr", "it")));

  @Test
  void anEpochIsFinishedWithItsLastRelease() {
    LedgerBook book = LedgerBook.of(List.of());
    int each = JOB.releaseIds(0, 0).size();
    release(book, 0, LedgerEntry.State.PUBLISHED, 0, each - 1);
    release(book, 1, LedgerEntry.State.PUBLISHED, 0, each);
    release(book, 2, LedgerEntry.State.PUBLISHED, 0, each - 1);
    release(book, 2, LedgerEntry.State.SPENT, each - 1, each);
    assertThat(finished(book)).containsExactly(1L);
    release(book, 2, LedgerEntry.State.PUBLISHED, each - 1, each);
    release(book, 0, LedgerEntry.State.PUBLISHED, each - 1, each);
    assertThat(finished(book)).containsExactlyInAnyOrder(0L, 1L, 2L);
    int most = EpochCompaction.MOST_AT_ONCE / each;
    for (long epoch = 3; epoch < most + 2; epoch++) {
      release(book, epoch, LedgerEntry.State.PUBLISHED, 0, each);
    }
    assertThat(finished(book)).as("some at once").hasSize(most).contains(0L, 1L);
    List<List<EpochRecord>> transactions =
        EpochCompaction.transactions(new EpochCompaction(JOB).finished(book));
    assertThat(transactions.stream().mapToInt(List::size).sum()).isEqualTo(most);
    int some = EpochCompaction.MOST_RELEASES / each; // of one transaction
    assertThat(transactions)
        .hasSize((most + some - 1) / some)
        .allMatch(of -> of.size() * each <= EpochCompaction.MOST_RELEASES);
  }

  /** What was left is in the next list, and what is published since is counted with the rest. */
  @Test
  void eachEpochIsFinishedOnceByOneCompaction() {
    LedgerBook book = LedgerBook.of(List.of());
    int each = JOB.releaseIds(0, 0).size();
    int most = EpochCompaction.MOST_AT_ONCE / each;
    for (long epoch = 0; epoch < most + 1; epoch++) {
      release(book, epoch, LedgerEntry.State.PUBLISHED, 0, each);
    }
    release(book, most + 1, LedgerEntry.State.PUBLISHED, 0, each - 1);
    EpochCompaction compaction = new EpochCompaction(JOB);
    List<EpochRecord> all = new ArrayList<>(compaction.finished(book));
    assertThat(all).hasSize(most);
    all.addAll(compaction.finished(book));
    assertThat(all).hasSize(most + 1);
    assertThat(compaction.finished(book)).isEmpty();

    release(book, most + 1, LedgerEntry.State.PUBLISHED, each - 1, each);
    List<String> ids = JOB.releaseIds(most + 1, most + 1);
    compaction.published(ReleaseId.parse(ids.get(each - 1)));
    all.addAll(compaction.finished(book));
    assertThat(all.stream().map(record -> record.epoch().key()))
        .hasSize(most + 2)
        .doesNotHaveDuplicates();
  }

  /** Total budgets that were raised again and again within an epoch make its entry long. */
  @Test
  void anEpochOfManyChargesKeepsItsEntries() {
    int each = JOB.releaseIds(0, 0).size();
    assertThat(each).isGreaterThan(4);
    LedgerBook book = LedgerBook.of(List.of());
    for (int i = 0; i < each; i++) {
      release(raised(i % 4), book, 0, LedgerEntry.State.PUBLISHED, i, i + 1);
      release(raised(i % 5), book, 1, LedgerEntry.State.PUBLISHED, i, i + 1);
    }
    assertThat(finished(book)).containsExactly(0L);
  }

  @Test
  void anEpochOfOneReleaseKeepsItsEntry() {
    SketchJobSettings one = PlainStream.JOB;
    LedgerBook book = LedgerBook.of(List.of());
    release(one, book, 0, LedgerEntry.State.PUBLISHED, 0, 1);
    assertThat(one.releaseIds(0, 0)).hasSize(1);
    assertThat(new EpochCompaction(one).finished(book)).isEmpty();
  }

  /** A stream of one sketch without groups. */
  private static final class PlainStream {
    private static final SketchJobSettings JOB =
        OperatorFixture.settings(
            StreamPlan.of(
                OperatorFixture.plan(1, 512)
                    .request()
                    .withSketches(
                        List.of(new SketchRequest("moments", "noisy-moments", 1, Map.of())))),
            OperatorFixture.SECONDS);
  }

  private static SketchJobSettings raised(int times) {
    Budget budget = JOB.totalBudget();
    return JOB.withTotalBudget(
        new Budget(budget.epsilon() + times, budget.delta(), budget.neighbours()));
  }

  private static List<Long> finished(LedgerBook book) {
    return new EpochCompaction(JOB)
        .finished(book).stream()
            .map(record -> JOB.schedule().epochOf(record.epoch().epoch()).orElseThrow())
            .toList();
  }

  private static void release(
      LedgerBook book, long epoch, LedgerEntry.State state, int from, int to) {
    release(JOB, book, epoch, state, from, to);
  }

  private static void release(
      SketchJobSettings job,
      LedgerBook book,
      long epoch,
      LedgerEntry.State state,
      int from,
      int to) {
    for (String id : job.releaseIds(epoch, epoch).subList(from, to)) {
      LedgerEntry entry =
          new LedgerEntry(
              ReleaseId.parse(id),
              LedgerEntry.sha256(id.getBytes(UTF_8)),
              state,
              job.series(),
              job.charge().guarantee(),
              job.terms());
      book.add(new LedgerPosition(entry, 0, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 5, 1",
    "10000, 1, 5, 1",
    "10001, 1, 5, 2",
    "25000, 1, 5, 3",
    "4000, 3, 5, 2",
    "3, 20000, 5, 3",
    "1000, 1, 255, 2"
  })
  void anEntryHasABound(int groups, int sketches, int length, int entries) {
    List<String> names = names("g", groups, length);
    List<EpochCells> blocks = EpochCompaction.blocks(names, names("s", sketches, 5));
    assertThat(blocks).hasSize(entries);
    assertThat(blocks.stream().flatMap(block -> block.groups().stream()))
        .containsExactlyElementsOf(names);
    for (EpochCells block : blocks) {
      assertThat(block.size() <= EpochCompaction.MOST_RELEASES || block.groups().size() == 1)
          .isTrue();
      assertThat(block.groups().stream().mapToInt(name -> name.getBytes(UTF_8).length).sum())
          .isLessThanOrEqualTo(EpochCompaction.MOST_NAMES);
    }
  }

  private static List<String> names(String prefix, int number, int length) {
    return IntStream.range(0, number)
        .mapToObj(i -> prefix + "0".repeat(length - 6 < 0 ? 0 : length - 6) + (10000 + i))
        .toList();
  }
}

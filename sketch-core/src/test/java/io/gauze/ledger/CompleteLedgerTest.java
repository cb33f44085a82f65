package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.ledger.LedgerEntry.State;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * A ledger whose finished epochs are one entry each says what it says with all entries: after every
 * record, which is where a writer may crash, and however far Kafka has deleted what it may delete.
 * Logs of three streams, two of rows on one account and one of users, with changed total budgets.
 */
final class CompleteLedgerTest {
  private static final int LOGS = 2;
  private static final List<String> GROUPS = List.of("de", "fr");
  private static final List<String> SKETCHES = List.of("moments", "buckets");
  private static final EpochCells CELLS = EpochCells.of(GROUPS, SKETCHES);
  private static final double[] TOTAL_BUDGETS = {1.2, 2.5, 6};

  /** A record of the log; {@code extra} if it only makes the log smaller. */
  private record Line(long offset, String key, Optional<String> value, boolean extra) {}

  @Test
  void everyPrefixSaysTheSameHoweverItWasCleaned() {
    SplittableRandom random = new SplittableRandom(3);
    int complete = 0;
    for (int i = 0; i < LOGS; i++) {
      List<Line> log = log(random);
      for (int end = 0; end <= log.size(); end++) {
        List<Line> prefix = log.subList(0, end);
        List<Object> expected = facts(prefix.stream().filter(line -> !line.extra()).toList());
        for (int bound : new int[] {random.nextInt(end + 1), end}) {
          String as = "log " + i + " to " + end + ", cleaned to " + bound;
          assertThat(facts(cleaned(prefix, bound, false))).as(as).isEqualTo(expected);
          assertThat(facts(cleaned(prefix, bound, true)))
              .as(as + ", without tombstones")
              .isEqualTo(expected);
        }
      }
      LedgerBook book = book(log);
      for (String stream : List.of("s0", "s1", "s2")) {
        complete += book.complete(stream).size();
      }
    }
    assertThat(complete).isGreaterThan(2 * LOGS);
  }

  /** As that of a running job, whose accounts are kept up to date and not made anew. */
  @Test
  void aReaderThatIsAskedAfterEachRecordSaysTheSame() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < LOGS; i++) {
      List<Line> log = log(random);
      LedgerBook reader = LedgerBook.of(List.of());
      for (int end = 0; end < log.size(); end++) {
        add(reader, log.get(end));
        List<Line> prefix = log.subList(0, end + 1);
        assertThat(facts(reader, prefix))
            .as("log %d to %d", i, end)
            .isEqualTo(facts(prefix.stream().filter(line -> !line.extra()).toList()));
      }
    }
  }

  /** One that has read entries which the rest of the log has no tombstones for any more. */
  @Test
  void aReaderInTheMiddleOfACleanedLogSaysTheSame() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < LOGS; i++) {
      List<Line> log = log(random);
      List<Object> expected = facts(log.stream().filter(line -> !line.extra()).toList());
      List<Line> cleaned = cleaned(log, log.size(), true);
      for (int middle = 0; middle <= log.size(); middle++) {
        List<Line> read = new ArrayList<>(log.subList(0, middle));
        int from = middle;
        cleaned.stream().filter(line -> line.offset() >= from).forEach(read::add);
        LedgerBook reader = LedgerBook.of(List.of());
        read.subList(0, middle).forEach(line -> add(reader, line));
        reader.refusal(charge(0, 2.5)); // asked in between, as a committer does
        read.subList(middle, read.size()).forEach(line -> add(reader, line));
        assertThat(facts(reader, cleaned)).as("log %d at %d", i, middle).isEqualTo(expected);
      }
    }
  }

  /** Twins: what a ledger must never look like, however little of it is wrong. */
  @Test
  void whatStandsElsewhereStopsTheReader() {
    List<Line> log = log(new SplittableRandom(3));
    int epoch = first(log, line -> CompleteEpoch.isKey(List.of(line.key().split("/"))));
    int cells = first(log, line -> line.key().endsWith("/cells"));
    List<Line> withoutEpoch = without(log, epoch);
    refuses(withoutEpoch, "a tombstone must be behind its complete epoch");
    refuses(without(log, cells), "cells must be in front of their epochs");
    Line late = log.get(first(log, line -> line.key().equals(log.get(epoch + 1).key())));
    List<Line> again = new ArrayList<>(log);
    again.add(late);
    refuses(again, "an entry must be in front of its complete epoch");
    List<Line> other = new ArrayList<>(log);
    LedgerEntry entry = LedgerEntry.fromJson(late.value().orElseThrow());
    String body = entry.toJson().replace(entry.sha256(), "0".repeat(64));
    other.add(epoch, new Line(late.offset(), late.key(), Optional.of(body), false));
    refuses(other, "a complete epoch must have the bodies of its entries");
    List<Line> foreign = new ArrayList<>(log);
    foreign.add(new Line(log.size(), "s0/begin", Optional.empty(), false));
    refuses(foreign, "a tombstone must be behind its complete epoch");
    foreign.set(log.size(), new Line(log.size(), log.get(epoch).key(), Optional.empty(), false));
    refuses(foreign, "a tombstone must be behind its complete epoch");
  }

  /** Of a copied log, too, of which Kafka deletes the first copies. */
  @Test
  void aCopyOfAnEpochChangesOnlyItsPlace() {
    List<Line> log = log(new SplittableRandom(3));
    List<Line> twice = new ArrayList<>(log);
    log.stream()
        .filter(line -> line.extra() && line.value().isPresent())
        .forEach(line -> twice.add(new Line(twice.size(), line.key(), line.value(), true)));
    List<Object> expected = facts(log);
    assertThat(facts(twice)).isEqualTo(expected);
    List<Line> cleaned = cleaned(twice, twice.size(), true);
    assertThat(facts(book(twice), cleaned)).isEqualTo(expected);
    List<Line> first = cleaned(log, log.size(), true);
    assertThatThrownBy(() -> facts(book(twice), first)).as("twin").hasMessage("no such line");
  }

  /** A twin of a record that has another body. */
  @Test
  void anotherRecordAtThePlaceIsNotTaken() {
    List<Line> log = log(new SplittableRandom(3));
    int index = first(log, line -> CompleteEpoch.isKey(List.of(line.key().split("/"))));
    Line record = log.get(index);
    LedgerBook book = book(log);
    ReleaseId id = ReleaseId.parse(log.get(index + 1).key());
    CompletePosition place = book.complete(id).orElseThrow();
    assertThat(place.offset()).isEqualTo(index);
    String json = record.value().orElseThrow();
    assertThat(place.record(record.key(), json).toJson()).isEqualTo(json);
    int body = json.indexOf("\"bodies\":\"") + 10;
    char other = json.charAt(body) == 'A' ? 'B' : 'A';
    String changed = json.substring(0, body) + other + json.substring(body + 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> place.record(record.key(), changed))
        .withMessage("the record must be the one that was read before");
    String elsewhere = record.key().replace("s", "t");
    assertThatIllegalArgumentException().isThrownBy(() -> place.record(elsewhere, json));
    List<Line> twice = new ArrayList<>(log);
    twice.add(new Line(log.size(), record.key(), Optional.of(changed), true));
    refuses(twice, "a release must be in one complete epoch");
  }

  private static void refuses(List<Line> log, String why) {
    assertThatIllegalArgumentException().isThrownBy(() -> book(log)).withMessageContaining(why);
  }

  private static List<Line> without(List<Line> log, int index) {
    List<Line> rest = new ArrayList<>(log);
    rest.remove(index);
    return rest;
  }

  private static int first(List<Line> log, Predicate<Line> wanted) {
    for (int i = 0; i < log.size(); i++) {
      if (wanted.test(log.get(i))) {
        return i;
      }
    }
    throw new AssertionError("no such line");
  }

  /**
   * What Kafka may leave of a log: of each key in front of the bound the last record there, and of
   * tombstones there all or none.
   */
  private static List<Line> cleaned(List<Line> log, int bound, boolean dropTombstones) {
    Map<String, Long> last = new HashMap<>();
    log.subList(0, bound).forEach(line -> last.put(line.key(), line.offset()));
    List<Line> left = new ArrayList<>();
    for (Line line : log) {
      boolean clean = line.offset() < bound;
      boolean isLast = clean && last.get(line.key()) == line.offset();
      if (!clean || (isLast && !(dropTombstones && line.value().isEmpty()))) {
        left.add(line);
      }
    }
    return left;
  }

  private static LedgerBook book(List<Line> log) {
    LedgerBook book = LedgerBook.of(List.of());
    log.forEach(line -> add(book, line));
    return book;
  }

  private static void add(LedgerBook book, Line line) {
    book.add(line.key(), line.value(), 0, line.offset());
  }

  /** Epochs of the streams in random order, some of which are not finished, or not compacted. */
  private static List<Line> log(SplittableRandom random) {
    List<Line> log = new ArrayList<>();
    Set<String> cells = new TreeSet<>();
    for (int epoch = 0; epoch < 3; epoch++) {
      for (int stream : random.ints(4, 0, 3).distinct().toArray()) {
        List<LedgerEntry> entries = new ArrayList<>();
        for (int i = 0; i < CELLS.size(); i++) {
          double total = TOTAL_BUDGETS[random.nextInt(TOTAL_BUDGETS.length)];
          entries.add(entry(charge(stream, total), i, Integer.toString(epoch)));
        }
        entries.forEach(entry -> put(log, entry));
        int published = random.nextInt(4) == 0 ? random.nextInt(CELLS.size()) : CELLS.size();
        List<LedgerEntry> out =
            entries.stream().map(entry -> entry.withState(State.PUBLISHED)).toList();
        out.subList(0, published).forEach(entry -> put(log, entry));
        if (published == CELLS.size() && random.nextInt(4) > 0) {
          compact(log, out, cells.add("s" + stream));
        }
      }
    }
    return log;
  }

  private static void put(List<Line> log, LedgerEntry entry) {
    log.add(new Line(log.size(), entry.id().toString(), Optional.of(entry.toJson()), false));
  }

  private static void compact(List<Line> log, List<LedgerEntry> entries, boolean first) {
    String stream = entries.get(0).id().stream();
    if (first) {
      log.add(new Line(log.size(), CELLS.key(stream), Optional.of(CELLS.toJson(stream)), true));
    }
    EpochRecord epoch = EpochRecord.of(CELLS, entries);
    log.add(new Line(log.size(), epoch.epoch().key(), Optional.of(epoch.toJson()), true));
    for (LedgerEntry entry : entries) {
      log.add(new Line(log.size(), entry.id().toString(), Optional.empty(), true));
    }
  }

  private static LedgerEntry entry(LedgerRequest charge, int cell, String epoch) {
    ReleaseId id = CELLS.id(charge.key().stream(), epoch, cell);
    return new LedgerEntry(
        id,
        LedgerEntry.sha256(id.toString().getBytes(StandardCharsets.UTF_8)),
        State.SPENT,
        charge.key().series(),
        charge.guarantee(),
        charge.terms());
  }

  private static LedgerRequest charge(int stream, double totalBudget) {
    Guarantee guarantee =
        LedgerLines.guarantee(
            0.5 + 0.1 * stream,
            stream == 2 ? UnitKind.USER : UnitKind.ROW,
            Neighbours.REPLACE_ONE,
            Randomness.SYSTEM);
    return LedgerLines.charge("s" + stream, guarantee, stream == 2 ? "users" : "rows", totalBudget);
  }

  private static List<Object> facts(List<Line> log) {
    return facts(book(log), log);
  }

  /**
   * All that anybody asks a book.
   *
   * @param log as it is now, from which records are read again
   */
  private static List<Object> facts(LedgerBook book, List<Line> log) {
    List<Object> facts = new ArrayList<>();
    for (int stream = 0; stream < 3; stream++) {
      String name = "s" + stream;
      for (double total : TOTAL_BUDGETS) {
        LedgerRequest asked = charge(stream, total);
        facts.add(book.refusal(asked).map(Message::line).orElse("may go on"));
      }
      facts.add(book.room(charge(stream, 2.5), 4));
      facts.add(book.epochs(name));
      facts.add(book.accounts(name));
      facts.add(book.held(name, entry -> true));
      facts.add(book.held(name, entry -> entry.state() == State.PUBLISHED));
      facts.add(book.ofAnotherSeries(name, "f".repeat(64)).isPresent());
      facts.add(book.ofAnotherAccount(name, "elsewhere").isPresent());
      for (String epoch : List.of("0", "1", "2", "3")) {
        facts.add(book.anyOf(name, epoch).isPresent());
        for (int cell = 0; cell < CELLS.size(); cell++) {
          ReleaseId id = CELLS.id(name, epoch, cell);
          String body = LedgerEntry.sha256(id.toString().getBytes(StandardCharsets.UTF_8));
          facts.add(List.of(book.holds(id), book.isPublished(id), holds(book, log, id, body)));
          assertThat(holds(book, log, id, "0".repeat(64))).as("another body").isFalse();
        }
      }
    }
    facts.add(book.summary(charge(0, 2.5)));
    return facts;
  }

  private static boolean holds(LedgerBook book, List<Line> log, ReleaseId id, String sha256) {
    Optional<CompletePosition> complete = book.complete(id);
    if (complete.isEmpty()) {
      return book.entry(id).filter(entry -> entry.sha256().equals(sha256)).isPresent();
    }
    Line line = log.get(first(log, each -> each.offset() == complete.get().offset()));
    return complete.get().record(line.key(), line.value().orElseThrow()).holds(id, sha256);
  }
}

package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.ledger.LedgerEntry.State;
import io.gauze.mechanism.ReleaseId;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a book holds, as the objects, characters and numbers that can be reached from it, after some
 * epochs were published and compacted. An epoch adds the same, however many releases it has and
 * however many came before.
 */
final class LedgerMemoryTest {
  private static final LedgerRequest CHARGE = LedgerLines.charge("wine", 1, 2);

  /** A byte for each release would be four thousand more. */
  private static final long MOST_OF_AN_EPOCH = 100;

  @Test
  void aCompleteEpochAddsAConstant() {
    EpochCells few = cells(2);
    EpochCells many = cells(4_000);
    long ofFew = held(few, 9, true) - held(few, 8, true);
    long ofMany = held(many, 9, true) - held(many, 8, true);
    assertThat(ofMany).isEqualTo(ofFew).isBetween(1L, MOST_OF_AN_EPOCH);
    assertThat(held(many, 30, true) - held(many, 9, true)).isEqualTo(21 * ofMany);
  }

  /** The twin, which shows that the count would see a part of each release. */
  @Test
  void anEpochThatIsNotCompleteAddsItsEntries() {
    EpochCells many = cells(400);
    assertThat(held(many, 3, false) - held(many, 2, false)).isGreaterThan(many.size());
    EpochRecord record = record(many, 1);
    assertThat(held(record) - held(record.epoch()))
        .isGreaterThanOrEqualTo((long) EpochRecord.MARK * many.size());
  }

  private static EpochCells cells(int groups) {
    return EpochCells.of(
        IntStream.range(0, groups).mapToObj(i -> "g" + i).toList(), List.of("moments"));
  }

  private static long held(EpochCells cells, int epochs, boolean complete) {
    LedgerBook book = LedgerBook.of(List.of());
    if (complete) {
      book.add(cells.key("wine"), Optional.of(cells.toJson("wine")), 0, 0);
    }
    long offset = 1;
    for (int epoch = 10; epoch < 10 + epochs; epoch++) { // labels of one length
      for (LedgerEntry entry : entries(cells, epoch)) {
        for (State state : List.of(State.SPENT, State.PUBLISHED)) {
          String json = entry.withState(state).toJson();
          book.add(entry.id().toString(), Optional.of(json), 0, offset++);
        }
      }
      assertThat(book.refusal(CHARGE)).isEmpty(); // as a committer asks
      if (complete) {
        EpochRecord record = record(cells, epoch);
        book.add(record.epoch().key(), Optional.of(record.toJson()), 0, offset++);
        for (LedgerEntry entry : entries(cells, epoch)) {
          book.add(entry.id().toString(), Optional.empty(), 0, offset++);
        }
      }
    }
    return held(book);
  }

  private static EpochRecord record(EpochCells cells, int epoch) {
    return EpochRecord.of(cells, entries(cells, epoch));
  }

  private static List<LedgerEntry> entries(EpochCells cells, int epoch) {
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      ReleaseId id = cells.id("wine", Integer.toString(epoch), i);
      entries.add(
          new LedgerEntry(
              id,
              LedgerEntry.sha256(id.toString().getBytes(StandardCharsets.UTF_8)),
              State.PUBLISHED,
              CHARGE.key().series(),
              CHARGE.guarantee(),
              CHARGE.terms()));
    }
    return entries;
  }

  /** Counts objects, elements of collections and arrays, and characters, each once. */
  private static long held(Object root) {
    Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Object> open = new ArrayDeque<>(List.of(root));
    long count = 0;
    while (!open.isEmpty()) {
      Object next = open.remove();
      if (!seen.add(next)) {
        continue;
      }
      List<Object> parts = parts(next);
      count += 1 + (next instanceof String text ? text.length() : parts.size());
      parts.stream().filter(part -> part != null).forEach(open::add);
    }
    return count;
  }

  private static List<Object> parts(Object each) {
    List<Object> parts = new ArrayList<>();
    if (each instanceof Collection<?> collection) {
      parts.addAll(collection);
    } else if (each instanceof Map<?, ?> map) {
      parts.addAll(map.keySet());
      parts.addAll(map.values());
    } else if (each instanceof Optional<?> optional) {
      optional.ifPresent(parts::add);
    } else if (each.getClass().isArray()) {
      IntStream.range(0, Array.getLength(each)).forEach(i -> parts.add(Array.get(each, i)));
    } else if (each.getClass().getName().startsWith("io.gauze.")) {
      fields(each, parts);
    }
    return parts;
  }

  private static void fields(Object each, List<Object> parts) {
    for (Class<?> type = each.getClass(); type != null; type = type.getSuperclass()) {
      if (!type.getName().startsWith("io.gauze.")) {
        return;
      }
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          try {
            parts.add(field.get(each));
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
  }
}

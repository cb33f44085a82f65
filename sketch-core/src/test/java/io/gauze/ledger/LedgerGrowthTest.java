package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.noise.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A book that grows entry by entry, and is asked in between, says what the book of all lines says:
 * random logs of four streams on two accounts, of rows and users, with groups, epochs, both
 * formats, other limits, series and randomness, and now and then two partitions.
 */
final class LedgerGrowthTest {
  private static final int LOGS = 10;
  private static final int ENTRIES = 16;

  /**
   * Of what {@link #facts} says of all prefixes, and {@link #summary} at the end, by the book that
   * went through all lines.
   */
  private static final String AS_IT_WAS =
      "26832acc79437fb491d1c156e0cfcc5b0f55406e650c02215605471b5c9f760a";

  private static final double[] TOTAL_BUDGETS = {0.6, 1.5, 3};

  @Test
  void aBookThatGrowsIsTheBookOfAllLines() {
    SplittableRandom random = new SplittableRandom(11);
    for (int log = 0; log < LOGS; log++) {
      Map<ReleaseId, LedgerPosition> lines = new LinkedHashMap<>();
      LedgerBook growing = LedgerBook.of(List.of());
      boolean oneKind = random.nextInt(2) > 0;
      int asks = random.nextInt(1, 4); // so that more than one entry comes between two questions
      for (int entry = 0; entry < ENTRIES; entry++) {
        LedgerPosition line = line(random, entry, oneKind);
        lines.merge(line.entry().id(), line, LedgerPosition::then);
        growing.add(line);
        if (entry % asks == 0) {
          assertThat(facts(growing))
              .as("log %d, %d entries", log, entry + 1)
              .isEqualTo(facts(LedgerBook.of(lines.values())));
        }
      }
      assertThat(summary(growing)).isEqualTo(summary(LedgerBook.of(lines.values())));
      for (LedgerPosition line : lines.values()) {
        assertThat(growing.entry(line.entry().id())).contains(line.entry());
      }
    }
  }

  /** To the last of the digits that users see. */
  @Test
  void theBookOfAllLinesSaysWhatItAlwaysSaid() {
    SplittableRandom random = new SplittableRandom(11);
    StringBuilder all = new StringBuilder();
    for (int log = 0; log < LOGS; log++) {
      Map<ReleaseId, LedgerPosition> lines = new LinkedHashMap<>();
      boolean oneKind = random.nextInt(2) > 0;
      for (int entry = 0; entry < ENTRIES; entry++) {
        LedgerPosition line = line(random, entry, oneKind);
        lines.merge(line.entry().id(), line, LedgerPosition::then);
        all.append(facts(LedgerBook.of(lines.values())));
      }
      all.append(summary(LedgerBook.of(lines.values())));
    }
    assertThat(all)
        .contains("GZ-PROMISED")
        .contains("GZ-OTHERUNIT")
        .contains("NOT PRIVATE")
        .contains("may go on");
    assertThat(LedgerEntry.sha256(all.toString().getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(AS_IT_WAS);
  }

  private static LedgerPosition line(SplittableRandom random, int offset, boolean oneKind) {
    int stream = random.nextInt(4);
    boolean odd = !oneKind && random.nextInt(6) == 0;
    boolean otherUnit = odd && random.nextInt(3) > 0;
    double totalBudget = TOTAL_BUDGETS[random.nextInt(3)];
    LedgerRequest charge = charge(stream, totalBudget, otherUnit, odd && !otherUnit);
    LedgerEntry.State state =
        random.nextInt(3) == 0 ? LedgerEntry.State.PUBLISHED : LedgerEntry.State.SPENT;
    LedgerEntry plain =
        LedgerLines.entry(
            charge, random.nextBoolean() ? "de" : "fr", Integer.toString(random.nextInt(2)));
    LedgerEntry entry =
        new LedgerEntry(
            plain.id(),
            plain.sha256(),
            state,
            random.nextInt(20) == 0 ? "f".repeat(64) : plain.series(),
            plain.guarantee(),
            plain.terms());
    return new LedgerPosition(entry, random.nextInt(40) == 0 ? 1 : 0, offset);
  }

  /** Streams 0 and 1 are of rows, 2 of users, and 3 has another topic. */
  private static LedgerRequest charge(
      int stream, double totalBudget, boolean otherUnit, boolean test) {
    boolean users = (stream == 2) != otherUnit;
    Randomness randomness = test ? Randomness.insecureForTests(1) : Randomness.SYSTEM;
    Guarantee guarantee =
        LedgerLines.guarantee(
            0.5, users ? UnitKind.USER : UnitKind.ROW, Neighbours.REPLACE_ONE, randomness);
    String account = stream == 3 ? "other" : stream == 2 ? "users" : "rows";
    return LedgerLines.charge("s" + stream, guarantee, account, totalBudget);
  }

  private static String facts(LedgerBook book) {
    Collection<String> facts = new ArrayList<>();
    for (int stream = 0; stream < 4; stream++) {
      LedgerRequest asked = charge(stream, TOTAL_BUDGETS[1], false, false);
      facts.add(book.refusal(asked).map(Message::line).orElse("may go on"));
      book.entries("s" + stream).forEach(entry -> facts.add(entry.toJson()));
    }
    return String.join("\n", facts);
  }

  private static String summary(LedgerBook book) {
    Collection<String> facts = new ArrayList<>();
    for (AccountSummary summary : book.summary(charge(0, 1, false, false))) {
      facts.add(
          String.join(
              " ",
              summary.account(),
              summary.unit().label(),
              Boolean.toString(summary.isPrivate()),
              AccountSummary.digits(summary.spent()),
              summary.limit().toString()));
      for (AccountSummary.Line line : summary.streams()) {
        facts.add(
            String.format(
                Locale.ROOT,
                "%s %s %d %d %d %s",
                line.stream(),
                line.group(),
                line.epochs(),
                line.releases(),
                line.published(),
                AccountSummary.digits(line.epsilon())));
      }
    }
    return String.join("\n", facts);
  }
}

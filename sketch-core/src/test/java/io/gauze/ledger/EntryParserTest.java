package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.ledger.LedgerEntry.State;
import io.gauze.mechanism.ReleaseId;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever the text is, it is the entry that the plain parser makes of it, or none. */
final class EntryParserTest {
  private static final int CHANGES = 20_000;
  private static final String CHARACTERS = "{}[]\",:\\/ \t\u00e9\ud800ae0-1";

  private static LedgerEntry entry(String group, State state, double totalBudget) {
    LedgerEntry plain = LedgerLines.entry(LedgerLines.charge("s", 1, totalBudget), "all", "1");
    return new LedgerEntry(
        new ReleaseId("s", group, "1", "moments"),
        LedgerEntry.sha256(new byte[] {(byte) group.hashCode()}),
        state,
        plain.series(),
        plain.guarantee(),
        plain.terms());
  }

  private static Optional<LedgerEntry> plain(String json) {
    try {
      return Optional.of(LedgerEntry.fromJson(json));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<LedgerEntry> parsed(EntryParser parser, String json) {
    try {
      return Optional.of(parser.of(json));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Test
  void entriesAreReadAsTheyAre() {
    EntryParser parser = new EntryParser();
    for (String group : List.of("de", "fr", "a \"b\" \\ \u00e9", ",\u00a0\"series\":", "\u20ac")) {
      for (State state : State.values()) {
        for (double totalBudget : new double[] {2, 3}) {
          LedgerEntry entry = entry(group, state, totalBudget);
          assertThat(parser.of(entry.toJson())).isEqualTo(entry);
        }
      }
    }
  }

  /** Texts that are changed at one or two places, or cut, or said twice. */
  @Test
  void otherTextsAreReadOrRefusedAlike() {
    SplittableRandom random = new SplittableRandom(8);
    EntryParser parser = new EntryParser();
    List<String> texts =
        List.of(entry("de", State.SPENT, 2).toJson(), entry("fr", State.PUBLISHED, 3).toJson());
    texts.forEach(parser::of);
    int read = 0;
    int refused = 0;
    for (int change = 0; change < CHANGES; change++) {
      StringBuilder text = new StringBuilder(texts.get(change % 2));
      int head = text.indexOf(",\"series\"") + 12;
      for (int i = random.nextInt(2); i >= 0; i--) {
        int at = random.nextInt(random.nextBoolean() ? head : text.length() - 4);
        char other = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
        switch (random.nextInt(4)) {
          case 0 -> text.setCharAt(at, other);
          case 1 -> text.insert(at, other);
          case 2 -> text.delete(at, at + 1 + random.nextInt(3));
          default ->
              text.insert(
                  at, text.substring(at, at + random.nextInt(head - 1) % (text.length() - at)));
        }
      }
      String json = text.toString();
      Optional<LedgerEntry> expected = plain(json);
      assertThat(parsed(parser, json)).as(json).isEqualTo(expected);
      read += expected.isPresent() ? 1 : 0;
      refused += expected.isPresent() ? 0 : 1;
    }
    assertThat(read).isGreaterThan(CHANGES / 20);
    assertThat(refused).isGreaterThan(CHANGES / 20);
  }
}

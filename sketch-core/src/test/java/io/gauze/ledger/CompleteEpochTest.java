package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.ledger.LedgerEntry.State;
import io.gauze.mechanism.ReleaseId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** One entry for the two groups of an epoch. */
final class CompleteEpochTest {
  private static final EpochCells CELLS = EpochCells.of(List.of("de", "fr"), List.of("moments"));
  private static final LedgerRequest CHARGE = LedgerLines.charge("wine", 1, 2);
  private static final LedgerRequest RAISED = LedgerLines.charge("wine", 1, 3);

  private static LedgerEntry entry(LedgerRequest charge, String group) {
    LedgerEntry plain = LedgerLines.entry(charge, group, "1").withState(State.PUBLISHED);
    return new LedgerEntry(
        plain.id(),
        LedgerEntry.sha256(group.getBytes(StandardCharsets.UTF_8)),
        State.PUBLISHED,
        plain.series(),
        plain.guarantee(),
        plain.terms());
  }

  private static EpochRecord epoch() {
    return EpochRecord.of(CELLS, List.of(entry(CHARGE, "de"), entry(RAISED, "fr")));
  }

  private static EpochRecord read(String key, String json) {
    return EpochRecord.fromJson(key, json, hash -> CELLS);
  }

  @Test
  void survivesJsonToTheLastBit() {
    EpochRecord back = read(epoch().epoch().key(), epoch().toJson());
    assertThat(back.toJson()).isEqualTo(epoch().toJson());
    assertThat(back.epoch().charges())
        .containsExactly(
            new CompleteEpoch.Charge(CHARGE.guarantee(), CHARGE.terms(), 1),
            new CompleteEpoch.Charge(RAISED.guarantee(), RAISED.terms(), 1));
    EpochCells cells = EpochCells.fromJson(CELLS.key("wine"), CELLS.toJson("wine"));
    assertThat(cells).isEqualTo(CELLS);
    assertThat(cells.groups()).isEqualTo(CELLS.groups());
  }

  /** Their product would be 2^29, of which eight bytes each are 0 in 32 bits, or 0 itself. */
  @Test
  void cellsHaveABound() {
    for (int[] forged : new int[][] {{1 << 14, 1 << 15}, {1 << 16, 1 << 16}}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> EpochCells.of(names(forged[0]), names(forged[1])))
          .withMessageContaining("releases of an epoch must be in [1, 1048576]");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> EpochCells.of(List.of(), names(1)));
    assertThat(EpochCells.of(names(1 << 10), names(1 << 10)).size()).isEqualTo(1 << 20);
  }

  private static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  @Test
  void knowsItsBodies() {
    ReleaseId first = LedgerLines.id("wine", "de", "1");
    String body = entry(CHARGE, "de").sha256();
    assertThat(epoch().holds(first, body)).isTrue();
    for (int digit = 0; digit < 2 * EpochRecord.MARK; digit++) {
      char other = body.charAt(digit) == '0' ? '1' : '0';
      String changed = body.substring(0, digit) + other + body.substring(digit + 1);
      assertThat(epoch().holds(first, changed)).as("digit %d", digit).isFalse();
    }
    assertThat(epoch().holds(LedgerLines.id("wine", "fr", "1"), body)).isFalse();
    assertThat(epoch().epoch().covers(first)).isTrue();
    assertThat(epoch().epoch().covers(LedgerLines.id("wine", "de", "2"))).isFalse();
    assertThat(epoch().epoch().covers(LedgerLines.id("wine", "all", "1"))).isFalse();
    assertThat(epoch().epoch().covers(LedgerLines.id("beer", "de", "1"))).isFalse();
    assertThat(epoch().epoch().covers(new ReleaseId("wine", "de", "1", "other"))).isFalse();
  }

  @Test
  void standsOnlyForPublishedReleasesOfItsCells() {
    LedgerEntry first = entry(CHARGE, "de");
    LedgerEntry second = entry(CHARGE, "fr");
    LedgerEntry other =
        new LedgerEntry(
            second.id(),
            second.sha256(),
            State.PUBLISHED,
            "f".repeat(64),
            second.guarantee(),
            second.terms());
    LedgerEntry elsewhere =
        entry(LedgerLines.charge("wine", CHARGE.guarantee(), "elsewhere", 2), "fr");
    for (List<LedgerEntry> wrong :
        List.of(
            List.of(first, second.withState(State.SPENT)),
            List.of(second, first),
            List.of(first),
            List.of(first, first),
            List.of(first, second, second),
            List.of(first, other),
            List.of(first, elsewhere))) {
      assertThatIllegalArgumentException().isThrownBy(() -> EpochRecord.of(CELLS, wrong));
    }
  }

  @Test
  void refusesWhatIsNoCompleteEpoch() {
    String json = epoch().toJson();
    for (String wrong :
        List.of(
            "",
            "[]",
            "{}",
            json.replace("\"releases\":1", "\"releases\":2"),
            json.replace("\"epoch\":\"1\"", "\"epoch\":\"2\""),
            json.replace("\"bodies\":\"", "\"bodies\":\"AAAA"),
            json.replace("\"bodies\":\"", "\"bodies\":\"*"),
            json.replace("\"stream\":\"wine\"", "\"stream\":\"beer\""))) {
      assertThatIllegalArgumentException()
          .as(wrong)
          .isThrownBy(() -> read(epoch().epoch().key(), wrong));
    }
    String cells = CELLS.toJson("wine");
    for (String wrong :
        List.of(
            "",
            "{}",
            cells.replace("fr", "de"),
            cells.replace("fr", "it"),
            cells.replace("fr", ""))) {
      assertThatIllegalArgumentException()
          .as(wrong)
          .isThrownBy(() -> EpochCells.fromJson(CELLS.key("wine"), wrong));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> EpochCells.of(List.of(), List.of("a")));
  }

  /** A version that does not know these records stops at them, as at any other foreign record. */
  @Test
  void isNoEntryOfARelease() {
    for (String json : List.of(epoch().toJson(), CELLS.toJson("wine"))) {
      assertThatIllegalArgumentException().isThrownBy(() -> LedgerEntry.fromJson(json));
    }
    for (String key : List.of(epoch().epoch().key(), CELLS.key("wine"))) {
      assertThat(StreamStart.isKey(key)).isFalse();
      assertThatIllegalArgumentException().isThrownBy(() -> ReleaseId.parse(key));
    }
  }

  /** The rules by which the runbook tells entries from foreign records. */
  @Test
  void isALineThatShellToolsKnow() throws IOException {
    assertThat(CELLS.key("wine") + "\t" + CELLS.toJson("wine")).matches(RunbookRules.read().get(2));
    assertThat(epoch().epoch().key() + "\t" + epoch().toJson()).matches(RunbookRules.read().get(3));
    EpochCells odd = EpochCells.of(List.of("a \"b\" \\ é"), List.of("moments"));
    assertThat(odd.key("s") + "\t" + odd.toJson("s")).matches(RunbookRules.read().get(2));
  }

  /** Alone, together with single entries, and not at all; in any order of the questions. */
  @Test
  void anEpochIsHeldWithAllOfItsCells() {
    EpochCells first = EpochCells.of(List.of("de", "fr"), List.of("moments", "buckets"));
    EpochCells other = EpochCells.of(List.of("it"), List.of("moments", "buckets"));
    EpochCells half = EpochCells.of(List.of("de", "fr", "it"), List.of("moments"));
    HeldReleases held =
        HeldReleases.of(
            "wine",
            Set.of("wine/it/2/moments", "wine/it/2/buckets", "wine/it/3/moments"),
            List.of(
                epoch("1", first),
                epoch("1", other),
                epoch("2", first),
                epoch("3", first),
                epoch("4", half),
                epoch("5", first),
                epoch("5", other)));
    List<String> groups = List.of("de", "fr", "it");
    List<String> sketches = List.of("moments", "buckets");
    List<String> whole = List.of("1", "2", "5");
    for (int round = 0; round < 2; round++) {
      for (String epoch : List.of("1", "2", "3", "4", "5", "6", "1", "4", "3")) {
        assertThat(held.containsAll("wine", groups, epoch, sketches))
            .as(epoch)
            .isEqualTo(whole.contains(epoch));
        assertThat(held.containsAll("other", groups, epoch, sketches)).as(epoch).isFalse();
      }
      assertThat(held.containsAll("wine", groups, "4", List.of("moments"))).isTrue();
      assertThat(held.containsAll("wine", List.of("de", "at"), "1", sketches)).isFalse();
    }
  }

  private static CompleteEpoch epoch(String label, EpochCells cells) {
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      LedgerEntry like = entry(CHARGE, "de");
      entries.add(
          new LedgerEntry(
              cells.id("wine", label, i),
              like.sha256(),
              LedgerEntry.State.PUBLISHED,
              like.series(),
              like.guarantee(),
              like.terms()));
    }
    return EpochRecord.of(cells, entries).epoch();
  }

  /** The file was written when the format was new, and is never written again. */
  @Test
  void readsTheFirstVersion() throws IOException {
    List<String> lines;
    try (InputStream in = CompleteEpochTest.class.getResourceAsStream("ledger-complete-v1.txt")) {
      lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
    LedgerBook book = LedgerBook.of(List.of());
    for (String line : lines) {
      String[] parts = line.split("\t", -1);
      book.add(
          parts[0],
          Optional.of(parts[1]).filter(value -> !value.equals("null")),
          0,
          lines.indexOf(line));
    }
    List<CompleteEpoch> epochs = new ArrayList<>(book.complete("wine"));
    assertThat(epochs).hasSize(1);
    assertThat(epochs).containsExactly(epoch().epoch());
    CompletePosition place = book.complete(LedgerLines.id("wine", "de", "1")).orElseThrow();
    String[] record = lines.get((int) place.offset()).split("\t", -1);
    assertThat(place.record(record[0], record[1]).toJson()).isEqualTo(epoch().toJson());
    assertThat(book.entries("wine")).isEmpty();
    assertThat(book.held("wine", entry -> true))
        .isEqualTo(Set.of("wine/de/1/moments", "wine/fr/1/moments"));
  }
}

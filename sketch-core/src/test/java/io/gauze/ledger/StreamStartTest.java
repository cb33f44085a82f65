package io.gauze.ledger;

import static io.gauze.ledger.LedgerLines.book;
import static io.gauze.ledger.LedgerLines.charge;
import static io.gauze.ledger.LedgerLines.published;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.ReleaseId;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StreamStartTest {
  private static final String SERIES = "ab".repeat(32);
  private static final StreamStart BEGIN = new StreamStart("wine", "2026-01-01T00:00:00Z", SERIES);

  @Test
  void jsonRoundTrip() throws IOException {
    assertThat(BEGIN.toJson())
        .isEqualTo(
            "{\"stream\":\"wine\",\"firstEpoch\":\"2026-01-01T00:00:00Z\",\"series\":\""
                + SERIES
                + "\"}");
    assertThat(StreamStart.fromJson(BEGIN.toJson())).isEqualTo(BEGIN);
    assertThat(BEGIN.key() + "\t" + BEGIN.toJson())
        .as("the rule by which the runbook tells entries from foreign records")
        .matches(RunbookRules.read().get(1));
    for (String wrong : List.of("", "{", "[]", "{}", BEGIN.toJson().replace("ab", "xy"))) {
      assertThatThrownBy(() -> StreamStart.fromJson(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void itsKeyIsThatOfNoRelease() {
    assertThat(StreamStart.isKey(BEGIN.key())).isTrue();
    for (String id : List.of("wine/all/begin/begin", "a/b/c/begin", "begin", "wine/other")) {
      assertThat(StreamStart.isKey(id)).as(id).isFalse();
    }
    assertThatThrownBy(() -> ReleaseId.parse(BEGIN.key()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void itChangesNoAccount() {
    LedgerRequest wine = charge("wine", 1, 1);
    LedgerBook with = book(published(wine, 0));
    LedgerBook without = book(published(wine, 0));
    with.add(BEGIN);
    assertThat(with.summary(wine)).isEqualTo(without.summary(wine));
    assertThat(with.entries("wine")).isEqualTo(without.entries("wine"));
    assertThat(with.ofAnotherSeries("wine", wine.key().series())).isEmpty();
    assertThat(with.begins("wine", SERIES)).containsExactly(BEGIN.epoch());
    assertThat(with.begins("beer", SERIES)).isEmpty();
    assertThat(with.begins("wine", "cd".repeat(32))).isEmpty();
  }
}

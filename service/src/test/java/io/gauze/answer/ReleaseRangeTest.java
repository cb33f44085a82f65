package io.gauze.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.ReleaseId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReleaseRangeTest {
  private static final String FIRST = "2026-01-01T00:00:00Z";
  private static final String LAST = "2026-01-01T09:00:00Z";

  private static ReleaseId id(String group, int hour) {
    return new ReleaseId("s", group, "2026-01-01T0" + hour + ":00:00Z", "m");
  }

  @Test
  void aRangeIsOfOneGroup() {
    String text = "s/de/" + FIRST + "/m..s/de/" + LAST + "/m";
    ReleaseRange range = ReleaseRange.parse("--id", text);
    assertThat(range).hasToString(text);
    assertThat(range.contains(id("de", 4))).isTrue();
    assertThat(range.contains(id("fr", 4))).isFalse();
    assertThatThrownBy(
            () -> ReleaseRange.parse("--id", "s/de/" + FIRST + "/m..s/fr/" + LAST + "/m"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--id must stay inside one group, and the first is of de, the last of fr; ask for each"
                + " group by itself. Provided value: s/de/"
                + FIRST
                + "/m..s/fr/"
                + LAST
                + "/m");
    assertThatThrownBy(() -> new ReleaseRange(id("de", 1), id("fr", 1)))
        .hasMessageContaining("must stay inside one group");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a..b", "..", "a..", "..b", "south sudan", "de"})
  void aGroupMayHoldDots(String group) {
    String one = id(group, 1).toString();
    assertThat(ReleaseRange.isRange(one)).isFalse();
    assertThat(ReleaseRange.parse("--id", one))
        .isEqualTo(new ReleaseRange(id(group, 1), id(group, 1)));
    String range = id(group, 1) + ".." + id(group, 2);
    assertThat(ReleaseRange.isRange(range)).isTrue();
    assertThat(ReleaseRange.parse("--id", range))
        .isEqualTo(new ReleaseRange(id(group, 1), id(group, 2)));
  }

  @ParameterizedTest
  @CsvSource({
    "a..b, a",
    "s/de/1, s/de/1",
    "s/de/1/m.., ''",
    "s/de/1/m..s/de/2, s/de/2",
  })
  void poorTextIsNoId(String text, String shown) {
    assertThatThrownBy(() -> ReleaseRange.parse("--id", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--id: release id must be stream/group/epoch/sketch. Provided value: " + shown);
  }

  /** Times of the usual length are not parsed by Java. */
  @Test
  void timesAreThoseOfJava() {
    SplittableRandom random = new SplittableRandom(5);
    Set<Instant> seen = new TreeSet<>();
    String before = "2026-01-01T00:00:00Z";
    int times = 0;
    for (int i = 0; i < 50_000; i++) {
      String next = nearATime(random);
      Optional<Instant> parsed = parsed(next);
      assertThat(ReleaseRange.isEpoch(next)).as(next).isEqualTo(parsed.isPresent());
      if (parsed.isPresent()) {
        Instant last = parsed(before).orElseThrow();
        assertThat(Integer.signum(ReleaseRange.BY_EPOCH.compare(before, next)))
            .as(before + " and " + next)
            .isEqualTo(
                last.equals(parsed.get())
                    ? Integer.signum(before.compareTo(next))
                    : last.compareTo(parsed.get()));
        before = next;
        times++;
        seen.add(parsed.get());
      }
    }
    assertThat(times).isBetween(5_000, 45_000);
    assertThat(seen).hasSizeGreaterThan(1_000);
  }

  private static Optional<Instant> parsed(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** The end of a month, day or minute, or a little more; and sometimes another character. */
  private static String nearATime(SplittableRandom random) {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%04d-%02d-%02dT%02d:%02d:%02dZ",
                random.nextInt(2023, 2029),
                random.nextInt(0, 14),
                random.nextInt(26, 33),
                random.nextInt(21, 26),
                random.nextInt(4) == 0 ? 0 : random.nextInt(57, 62),
                random.nextInt(4) == 0 ? 0 : random.nextInt(57, 62)));
    if (random.nextInt(10) == 0) {
      text.setCharAt(random.nextInt(text.length()), "+-.:0TZz ".charAt(random.nextInt(9)));
    }
    return text.toString();
  }
}

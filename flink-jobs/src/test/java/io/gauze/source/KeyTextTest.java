package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class KeyTextTest {
  @ParameterizedTest
  @CsvSource({
    "1.0, 1",
    "1e0, 1",
    "10E-1, 1",
    "0.0001e+4, 1",
    "-0, 0",
    "-0.0e5, 0",
    "0e99999999999999999999, 0",
    "-1.50, -1.5",
    "1.5e3, 1500",
    "12e-4, 0.0012",
    "9007199254740993.0, 9007199254740993",
    "10e99999999999999999998, 1e99999999999999999999",
    "0.1e-99999999999999999998, 1e-99999999999999999999"
  })
  void aNumberHasOneText(String written, String text) {
    assertThat(KeyText.of(written)).isEqualTo(text);
    assertThat(KeyText.of(text)).isEqualTo(text);
    assertThat(KeyText.of(written.getBytes(UTF_8))).isEqualTo(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "-", "007", "+1", "1.", ".5", "1e", "0x10", "NaN", "1 ", "v1.0", "١", "1,0", "é"
      })
  void otherTextsStayAsTheyAre(String text) {
    assertThat(KeyText.of(text)).isEqualTo(text);
    assertThat(KeyText.of(text.getBytes(UTF_8))).isEqualTo(text.getBytes(UTF_8));
    assertThat(KeyText.of(new byte[] {(byte) 0xff, '1'})).containsExactly(0xff, '1');
  }

  /** Against {@link BigDecimal}, which compares values of any scale. */
  @Test
  void textsAreEqualJustWhereValuesAre() {
    Random random = new Random(5);
    String previous = "1";
    for (int i = 0; i < 20_000; i++) {
      String next =
          random.nextInt(100)
              + (random.nextBoolean() ? "" : "." + random.nextInt(200))
              + (random.nextBoolean() ? "" : "e" + (random.nextInt(7) - 3));
      boolean same = new BigDecimal(previous).compareTo(new BigDecimal(next)) == 0;
      assertThat(KeyText.of(previous).equals(KeyText.of(next))).isEqualTo(same);
      assertThat(new BigDecimal(KeyText.of(next))).isEqualByComparingTo(new BigDecimal(next));
      previous = random.nextInt(10) == 0 ? previous : next;
    }
  }

  /** Neither digits nor an exponent make the text of a key long. */
  @Test
  void hugeNumbersStayShort() {
    assertThat(KeyText.of("1e1000")).hasSize(1001);
    assertThat(KeyText.of("1e-1000")).hasSize(1002);
    assertThat(KeyText.of("1e1001")).isEqualTo("1e1001");
    assertThat(KeyText.of("10e1000")).isEqualTo("1e1001");
    assertThat(KeyText.of("9".repeat(KeyText.LONGEST))).hasSize(KeyText.LONGEST);
    String long1 = "1." + "0".repeat(KeyText.LONGEST);
    assertThat(KeyText.of(long1)).isEqualTo(long1);
  }
}

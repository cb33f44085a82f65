package io.gauze.source.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.Effort;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers are those of {@link Double#parseDouble}, to the last bit, or are not read. */
final class PlainNumberTest {
  private static final int MANY = Effort.of(10_000, 500_000);

  private final PlainNumber number = new PlainNumber();
  private int read;

  /** Reads the number with nothing, little and much after it. */
  private void check(String text) {
    for (String after : new String[] {"", ",", "}, \"a long text\": 12345678"}) {
      byte[] bytes = ("  " + text + after).getBytes(UTF_8);
      int end = number.read(bytes, 2);
      if (end >= 0) {
        read++;
        assertThat(end).as(text).isEqualTo(2 + text.length());
        assertThat(Double.doubleToRawLongBits(number.value()))
            .as(text)
            .isEqualTo(Double.doubleToRawLongBits(expected(text)));
      }
    }
  }

  private static double expected(String text) {
    return text.equals("-0") ? 0.0 : Double.parseDouble(text);
  }

  @Test
  void readsDoublesAsJavaWritesThem() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < MANY; i++) {
      check(Double.toString(random.nextDouble(-1, 1)));
      check(Double.toString(random.nextDouble(-1, 1) * Math.pow(10, random.nextInt(-40, 40))));
    }
    assertThat(read).as("nearly all").isGreaterThan((int) (0.999 * 6 * MANY));
  }

  @Test
  void readsShortDecimals() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < MANY; i++) {
      String form = "%." + random.nextInt(0, 16) + (random.nextInt(4) == 0 ? "e" : "f");
      check(String.format(Locale.ROOT, form, random.nextDouble(-1, 1) * random.nextInt(1, 1000)));
    }
    assertThat(read).isEqualTo(3 * MANY);
  }

  @Test
  void readsWholeNumbers() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < MANY; i++) {
      check(Long.toString(random.nextLong() >> random.nextInt(5, 64)));
    }
    assertThat(read).isEqualTo(3 * MANY);
  }

  @Test
  void roundsNextToTheMiddleOfTwoDoubles() {
    SplittableRandom random = new SplittableRandom(4);
    for (int i = 0; i < MANY; i++) {
      double low = Math.scalb(random.nextDouble(1, 2), random.nextInt(-60, 60));
      BigDecimal middle =
          new BigDecimal(low).add(new BigDecimal(Math.nextUp(low))).divide(BigDecimal.valueOf(2));
      int precision = random.nextInt(15, 19);
      check(middle.round(new MathContext(precision, RoundingMode.FLOOR)).toString());
      check(middle.round(new MathContext(precision, RoundingMode.CEILING)).toPlainString());
    }
    assertThat(read).isGreaterThan(MANY);
  }

  /** Products, quotients and sums at the ends of what is read in each way. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0.0",
        "-0.0",
        "0e0",
        "-0e-0",
        "1",
        "9",
        "10",
        "1e22",
        "1e23",
        "1E-22",
        "1e-23",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993e1",
        "9007199254740995",
        "-9007199254740993.5",
        "999999999999999999",
        "99999999999999999",
        "100000000000000001",
        "8.98846567431158e30",
        "1e64",
        "1e65",
        "1e-64",
        "1e-65",
        "1e308",
        "1e400",
        "-1e-400",
        "4.9e-324",
        "2.2250738585072012e-308",
        "123456789012345678901234567890",
        "0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000001",
        "1e999",
        "1e1000",
        "1e99999999999",
        "0e5000",
        "1.7976931348623157e308",
        "12345678",
        "1234567",
        "123456789",
        "1234567890.12345678",
        "0.12345678",
        "0.1234567812345678",
        "0.00000001"
      })
  void readsTheEnds(String text) {
    check(text);
    check(text.startsWith("-") ? text.substring(1) : "-" + text);
  }

  @Test
  void anExponentDoesNotMakeUpForZerosUnlessItIsRead() {
    String zeros = "0".repeat(998);
    check("0." + zeros + "1e999");
    check("0." + zeros + "1e5000");
    check("0." + "0".repeat(4998) + "1e5000");
    assertThat(read).as("the first").isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "-x",
        ".5",
        "-.5",
        "+1",
        "01",
        "00",
        "-01",
        "1.",
        "1.e5",
        "1e",
        "1e+",
        "1e-",
        "1ex",
        "x",
        "1.x",
        "NaN",
        "Infinity"
      })
  void readsNothingElse(String text) {
    assertThat(number.read((" " + text + ",").getBytes(UTF_8), 1)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x", "1.5x", "1e5x", "0x1p3", "1_000", "12345678\u0661", "1\u0131"})
  void endsBeforeOtherCharacters(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    int end = number.read(bytes, 0);
    assertThat(number.value()).isEqualTo(Double.parseDouble(new String(bytes, 0, end, UTF_8)));
  }
}

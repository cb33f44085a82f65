package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.WishartNoise;
import io.gauze.accounting.WishartPrivacy;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents say of k rows of one person. */
final class GroupPrivacyTest {
  private static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.ADD_REMOVE);
  private static final int[] ROWS = {2, 10, 24};
  private static final Pattern NAME = Pattern.compile("`([a-z0-9-]+)`");

  private static String read(String file) throws IOException {
    return Files.readString(Path.of("..", file));
  }

  /** The cells of the line of the table that begins with a text. */
  private static List<String> line(String begin) throws IOException {
    String line =
        read("docs/privacy.md")
            .lines()
            .filter(each -> each.startsWith("| " + begin))
            .findFirst()
            .orElseThrow();
    return Stream.of(line.split("\\|")).map(String::strip).skip(1).toList();
  }

  private static String roundedUp(double value, int digits) {
    return new BigDecimal(value)
        .round(new MathContext(digits, RoundingMode.UP))
        .stripTrailingZeros()
        .toPlainString();
  }

  private static List<String> gaussian() {
    double mu = GaussianDp.mu(BUDGET.epsilon(), BUDGET.delta());
    List<String> epsilons = new ArrayList<>();
    for (int rows : ROWS) {
      epsilons.add(roundedUp(GaussianDp.epsilon(BUDGET.delta(), rows * mu), 3));
    }
    return epsilons;
  }

  @Test
  void theNumbersAreThoseOfTheTable() throws IOException {
    assertThat(gaussian()).containsExactly("2.13", "13.6", "42.5");
    assertThat(line("only Gaussian").subList(1, 4)).isEqualTo(gaussian());
    assertThat(read("README.md")).contains(gaussian().get(0), gaussian().get(1));
    assertThat(line("one mechanism").subList(1, 4)).containsExactly("2", "10", "24");
    List<String> any = new ArrayList<>();
    for (int rows : ROWS) {
      double delta = BUDGET.delta() * Math.expm1(rows) / Math.expm1(1.0);
      any.add(delta >= 1.0 ? "nothing" : rows + ", delta " + scientific(delta));
    }
    assertThat(line("any other").subList(1, 4)).isEqualTo(any);
  }

  private static String scientific(double value) {
    String plain = roundedUp(value, 2);
    return value > 1e-3 ? plain : new BigDecimal(plain).unscaledValue().doubleValue() / 10 + "e-6";
  }

  /** By what the accountant charges for each, with the defaults of its options. */
  @Test
  void eachMechanismIsInItsLine() throws IOException {
    List<String> gaussian = new ArrayList<>();
    List<String> pure = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String name : Mechanisms.names()) {
      SketchRequest sketch = new SketchRequest("s", name, 1.0, Map.of());
      StreamRequest stream = Fixtures.request(Fixtures.numbers(2, 0.5, 1.5), BUDGET, sketch);
      MechanismCost cost = StreamPlan.of(stream.withExpectedRows(10_000)).costs().get(0);
      List<String> line =
          cost instanceof MechanismCost.Gaussian ? gaussian : isPure(cost) ? pure : others;
      line.add(name);
    }
    assertThat(names("only Gaussian")).containsExactlyInAnyOrderElementsOf(gaussian);
    assertThat(names("one mechanism")).containsExactlyInAnyOrderElementsOf(pure);
    assertThat(names("any other")).containsExactlyInAnyOrderElementsOf(others);
  }

  /** Models of pure noise have a thousandth of delta, for samplers. */
  private static boolean isPure(MechanismCost cost) {
    return cost instanceof MechanismCost.Laplace
        || (cost instanceof MechanismCost.Approximate approximate
            && approximate.delta() <= 1.001e-3 * BUDGET.delta());
  }

  private static List<String> names(String begin) throws IOException {
    return NAME.matcher(line(begin).get(0)).results().map(found -> found.group(1)).toList();
  }

  /** Ten equal rows are one row of which c is a tenth: outcomes that cannot be with them. */
  @Test
  void wishartNoiseOfFewDegreesBreaksTheNumbersOfGaussianNoise() throws IOException {
    int columns = 5;
    WishartNoise few = WishartPrivacy.leastScale(BUDGET, columns, columns + 9);
    assertThat(WishartPrivacy.delta(1.0, Neighbours.ADD_REMOVE, few)).isLessThanOrEqualTo(1e-6);
    double impossible = delta(few, 10, 100.0); // no epsilon covers it
    assertThat(roundedUp(impossible, 2)).isEqualTo("0.00022");
    assertThat(delta(few, 10, 13.6)).isGreaterThanOrEqualTo(impossible);
    assertThat(read("docs/privacy.md")).contains("has a probability of 2.2e-4 for ten rows");
    // What follows from the promise alone holds.
    assertThat(delta(few, 10, 10.0)).isLessThan(0.013);
    // With the default degrees of freedom the noise is nearly Gaussian.
    WishartNoise many = WishartPrivacy.leastScale(BUDGET, columns, columns + 4096);
    assertThat(delta(many, 10, 1.05 * 13.6)).isLessThan(1e-6);
    assertThat(delta(many, 10, 0.95 * 13.6)).isGreaterThan(1e-6);
  }

  private static double delta(WishartNoise noise, int rows, double epsilon) {
    WishartNoise together =
        new WishartNoise(noise.columns(), noise.degrees(), noise.scale() / rows);
    return WishartPrivacy.delta(epsilon, Neighbours.ADD_REMOVE, together);
  }
}

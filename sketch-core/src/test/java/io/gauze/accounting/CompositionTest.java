package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.testing.Effort;
import io.gauze.testing.Thorough;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CompositionTest {
  private static final MechanismCost WISHART =
      new MechanismCost.Wishart(new WishartNoise(3, 50, 1.0));

  /** The reference is an integral over characteristic functions, without any lattice. */
  @ParameterizedTest
  @CsvFileSource(resources = "composition-delta.csv")
  void isBetweenTheOptimumAndOnePercentMore(
      String label, String list, double epsilon, double exact) {
    Effort.skipIfLong(exact < 5e-7 || exact > 2e-6); // one of three or four deltas
    Composition composition = Composition.of(Neighbours.parse(label), parse(list));
    // The reference is right to 1e-7.
    double delta = composition.delta(epsilon);
    assertThat(delta / exact).isBetween(1.0 - 1e-7, 1.001);
    double back = composition.epsilon(exact);
    assertThat(back / epsilon).isBetween(1.0 - 1e-6, 1.001);
    assertThat(composition.delta(composition.epsilon(delta)) / delta).isCloseTo(1.0, within(1e-3));
  }

  /** Losses rounded down, and a direction left out, are seen to be below the reference. */
  @Test
  void aBrokenTwinIsBelowTheReference() {
    double step = 0.01;
    PrivacyLossDistribution law = PrivacyLossDistribution.laplace(0.3, step);
    double exact = -Math.expm1(0.5 * (0.1 - 0.3));
    double up = 0.0;
    double down = 0.0;
    for (int i = 0; i < law.points(); i++) {
      up += law.mass(i) * Math.max(0.0, -Math.expm1(0.1 - law.loss(i)));
      down += law.mass(i) * Math.max(0.0, -Math.expm1(0.1 - law.loss(i) + step));
    }
    assertThat(up / exact).isBetween(1.0, 1.001);
    assertThat(down / exact).isLessThan(0.97);
    List<MechanismCost> costs = parse("1xG:1 2xP:3:4 1xL:0.5");
    List<PldComposition> directions =
        PldComposition.of(Neighbours.ADD_REMOVE, Composition.counted(costs));
    double one = delta(directions.get(0), 6.237);
    double other = delta(directions.get(1), 6.237);
    assertThat(Math.max(one, other) / 9.99961691e-07).isBetween(1.0, 1.001);
    assertThat(Math.min(one, other) / 9.99961691e-07).isLessThan(0.5);
  }

  private static double delta(PldComposition sum, double epsilon) {
    return new TiltedConvolution(sum, PldDiscretization.atEpsilon(sum, epsilon)).delta(epsilon);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 100, 1000})
  void theNumericalWayAgreesWithTheFormulaForGaussians(int copies) {
    Effort.skipIfLong(copies > 100);
    for (double epsilon : new double[] {0.1, 1, 10}) {
      for (double delta : new double[] {1e-12, 1e-9, 1e-6, 1e-3}) {
        double mu = GaussianDp.mu(epsilon, delta);
        MechanismCost each = new MechanismCost.Gaussian(mu / Math.sqrt(copies));
        List<MechanismCost> costs = Collections.nCopies(copies, each);
        Composition numerical = Composition.numerical(Neighbours.ADD_REMOVE, costs);
        assertThat(numerical.delta(epsilon) / delta).isBetween(1.0 - 1e-9, 1.0002);
        assertThat(numerical.epsilon(delta) / epsilon).isBetween(1.0 - 1e-9, 1.0001);
        Composition exact = Composition.of(Neighbours.REPLACE_ONE, costs);
        assertThat(exact.delta(epsilon) / delta).isBetween(1.0 - 1e-9, 1.0 + 1e-9);
        assertThat(exact.epsilon(delta) / epsilon).isBetween(1.0 - 1e-9, 1.0 + 1e-9);
      }
    }
  }

  /** Each law on its lattice against its own exact delta. */
  @ParameterizedTest
  @CsvSource({
    "1xL:1.3",
    "1xA:1.3:1e-6",
    "1xP:1:10",
    "1xP:1:1",
    "1xP:2:3",
    "1xP:64:20",
    "1xP:1000000:3000",
    "1xW:3:1",
    "1xW:5:20",
    "1xW:48:1",
    "1xW:99998:0.01"
  })
  void theNumericalWayAgreesWithTheExactDeltas(String list) {
    List<MechanismCost> costs = parse(list);
    for (Neighbours neighbours : Neighbours.values()) {
      Composition numerical = Composition.numerical(neighbours, costs);
      Composition exact = Composition.of(neighbours, costs);
      for (double epsilon : new double[] {0.5, 1, 3}) {
        double expected = exact.delta(epsilon);
        if (expected > 1e-13) {
          // The search for the best of two steps of Wishart noise is right to 1e-6.
          assertThat(numerical.delta(epsilon) / expected).isBetween(1.0 - 1e-6, 1.003);
        }
      }
    }
  }

  // P. Kairouz, S. Oh and P. Viswanath, The composition theorem for differential privacy, theorem
  // 3.3 with k = 2: delta(epsilon) for pure mechanisms is
  //   (e^2e - e^x) / (1 + e^e)^2 for x >= 0, since the sum is 2e, 0 or -2e.
  @ParameterizedTest
  @CsvSource({"1, 0.2", "1, 1.9", "0.1, 0.05", "3, 2"})
  void twoPureMechanismsComposeAsInPrint(double each, double epsilon) {
    double root = 1.0 + Math.exp(each);
    double exact = (Math.exp(2.0 * each) - Math.exp(epsilon)) / (root * root);
    MechanismCost cost = new MechanismCost.Approximate(each, 0.0);
    Composition two = Composition.of(Neighbours.ADD_REMOVE, List.of(cost, cost));
    assertThat(two.delta(epsilon) / exact).isBetween(1.0 - 1e-14, 1.0 + 1e-9);
    assertThat(two.delta(2.0 * each)).isZero();
    MechanismCost failing = new MechanismCost.Approximate(each, 1e-3);
    Composition fails = Composition.of(Neighbours.ADD_REMOVE, List.of(failing, failing));
    assertThat(fails.delta(epsilon) / (1.0 - 0.999 * 0.999 * (1.0 - exact)))
        .isBetween(1.0 - 1e-14, 1.0 + 1e-9);
    assertThat(fails.epsilon(1e-3)).isInfinite();
    assertThat(fails.epsilon(3e-3)).isBetween(0.0, 2.0 * each);
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void isNeverAboveRenyi(Neighbours neighbours) {
    for (String list : List.of("20xL:0.1", "1xG:0.4 1xP:64:20", "5xP:100:50 2xL:0.3", "1xP:7:9")) {
      List<MechanismCost> costs = parse(list);
      Composition composition = Composition.of(neighbours, costs);
      for (double delta : new double[] {1e-3, 1e-6, 1e-9, 1e-12}) {
        double epsilon = composition.epsilon(delta);
        // Renyi loses something, yet not more than this on these lists.
        assertThat(RenyiDp.epsilon(neighbours, costs, delta) / epsilon).isBetween(1.0 - 1e-9, 1.5);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void moreMechanismsGiveMoreAway(Neighbours neighbours) {
    List<MechanismCost> costs = new ArrayList<>();
    double previous = 0.0;
    for (String list : List.of("1xP:64:50", "1xG:0.1", "1xA:0.05:1e-9", "1xL:0.1", "2xP:3:40")) {
      costs.addAll(parse(list));
      double epsilon = Composition.of(neighbours, costs).epsilon(1e-6);
      assertThat(epsilon).isGreaterThan(previous * 1.001);
      previous = epsilon;
    }
    costs.add(WISHART);
    assertThat(Composition.of(neighbours, costs).epsilon(1e-6)).isGreaterThan(previous * 1.1);
    // Basic composition is a bound.
    double apart =
        Composition.of(neighbours, costs).delta(previous + 3.0)
            - Composition.of(neighbours, costs.subList(0, costs.size() - 1)).delta(previous)
            - Composition.of(neighbours, List.of(WISHART)).delta(3.0) * Math.exp(previous);
    assertThat(apart).isLessThan(0.0);
  }

  /** Wherever the arguments are, the result is a bound: nothing fails, nothing is NaN. */
  @Thorough
  @Test
  void extremesAreBounded() {
    List<MechanismCost> wild =
        List.of(
            new MechanismCost.Projection(1, 1e-100),
            new MechanismCost.Projection(1 << 20, 1e100),
            new MechanismCost.Laplace(1e-12),
            new MechanismCost.Laplace(100.0),
            new MechanismCost.Gaussian(1e-9),
            new MechanismCost.Approximate(0.0, 1.0),
            new MechanismCost.Wishart(new WishartNoise(1, 3, 1e-18)),
            new MechanismCost.Wishart(new WishartNoise(1, 3, 1e18)));
    MechanismCost tame = new MechanismCost.Laplace(0.5);
    for (Neighbours neighbours : Neighbours.values()) {
      for (MechanismCost cost : wild) {
        Composition two = Composition.of(neighbours, List.of(cost, tame));
        double least = -Math.expm1(0.5 * (0.2 - 0.5));
        assertThat(two.delta(0.2)).isBetween(least * (1.0 - 1e-15), 1.0);
        assertThat(two.epsilon(1e-6)).isGreaterThan(0.499);
      }
    }
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Composition.of(Neighbours.ADD_REMOVE, List.of()))
        .withMessage("costs must not be empty. Provided value: []");
    Composition composition = Composition.of(Neighbours.ADD_REMOVE, List.of(WISHART));
    for (double epsilon : new double[] {Double.NaN, -1.0, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> composition.delta(epsilon))
          .withMessage(
              "epsilon must be in [0, " + Double.MAX_VALUE + "]. Provided value: " + epsilon);
    }
    for (double delta : new double[] {Double.NaN, 0.0, 1.0}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> composition.epsilon(delta))
          .withMessage("delta must be in (0, 1). Provided value: " + delta);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GaussianDp.epsilon(delta, 1.0))
          .withMessage("delta must be in (0, 1). Provided value: " + delta);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiDp.divergence(2.0, Neighbours.ADD_REMOVE, WISHART))
        .withMessageStartingWith("cost must be Gaussian, Laplace or Projection.");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RenyiDp.divergence(1.0, Neighbours.ADD_REMOVE, WISHART))
        .withMessage("alpha must be > 1 and finite. Provided value: 1.0");
  }

  /** Copies x kind : parameters, as in the script that made the reference. */
  static List<MechanismCost> parse(String list) {
    List<MechanismCost> costs = new ArrayList<>();
    for (String item : list.trim().split(" ", -1)) {
      String[] parts = item.split("[x:]", -1);
      double first = Double.parseDouble(parts[2]);
      double second = parts.length > 3 ? Double.parseDouble(parts[3]) : Double.NaN;
      MechanismCost cost =
          switch (parts[1]) {
            case "G" -> new MechanismCost.Gaussian(first);
            case "L" -> new MechanismCost.Laplace(first);
            case "A" -> new MechanismCost.Approximate(first, second);
            case "P" -> new MechanismCost.Projection((int) first, second);
            case "W" -> new MechanismCost.Wishart(new WishartNoise(3, (int) first + 2, second));
            default -> throw new IllegalArgumentException(item);
          };
      costs.addAll(Collections.nCopies(Integer.parseInt(parts[0]), cost));
    }
    return costs;
  }
}

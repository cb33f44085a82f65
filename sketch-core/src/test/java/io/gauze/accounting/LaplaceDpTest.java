package io.gauze.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.testing.Alpha;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LaplaceDpTest {
  @Test
  void scaleIsNeverBelowTheQuotient() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 10_000; i++) {
      double epsilon = Math.exp(random.nextDouble(-7, 4));
      double sensitivity = Math.exp(random.nextDouble(-9, 20));
      double scale = LaplaceDp.scale(epsilon, sensitivity);
      BigDecimal product = new BigDecimal(scale).multiply(new BigDecimal(epsilon));
      assertThat(product).isGreaterThanOrEqualTo(new BigDecimal(sensitivity));
      assertThat(scale * epsilon / sensitivity).isCloseTo(1.0, within(1e-15));
    }
  }

  /**
   * The delta of one Laplace mechanism below its epsilon, against 1e6 draws of the privacy loss
   * {@code (|x - Delta| - |x|) / scale}: z-tests of five means that fail together with chance 1e-6.
   * An epsilon that is off by 5 % is noticed.
   */
  @ParameterizedTest
  @CsvSource({"0.1, 0.5", "0.05, 0.3", "0.5, 1", "1, 2", "2, 5"})
  void agreesWithTheSimulatedPrivacyLoss(double epsilon, double pure) {
    SimulatedLoss.Estimate estimate =
        SimulatedLoss.delta(
            epsilon,
            20260106,
            random -> {
              double size = -Math.log(1.0 - random.nextDouble());
              double x = random.nextBoolean() ? size : -size;
              return Math.abs(x + pure) - Math.abs(x);
            });
    assertThat(Math.abs(estimate.z(delta(epsilon, pure)))).isLessThan(Alpha.z(5));
    assertThat(Math.abs(estimate.z(delta(epsilon, 1.05 * pure)))).isGreaterThan(Alpha.z(5) + 5.0);
  }

  private static double delta(double epsilon, double pure) {
    return Composition.of(Neighbours.REPLACE_ONE, List.of(new MechanismCost.Laplace(pure)))
        .delta(epsilon);
  }

  @Test
  void sensitivitiesAreThoseOfTheTable() {
    assertThat(LaplaceDp.entrySensitivity(10, Neighbours.ADD_REMOVE)).isEqualTo(55.0);
    assertThat(LaplaceDp.entrySensitivity(10, Neighbours.REPLACE_ONE)).isEqualTo(110.0);
    assertThat(LaplaceDp.normSensitivity(10, 2.0, Neighbours.ADD_REMOVE))
        .isBetween(22.0, 22.0 + 1e-13);
    assertThat(LaplaceDp.normSensitivity(10, 2.0, Neighbours.REPLACE_ONE))
        .isBetween(44.0, 44.0 + 1e-13);
    // B^2 = D is where both are the same.
    assertThat(LaplaceDp.sensitivity(10, 2.0, Neighbours.ADD_REMOVE))
        .isEqualTo(LaplaceDp.normSensitivity(10, 2.0, Neighbours.ADD_REMOVE));
    assertThat(LaplaceDp.sensitivity(10, 4.0, Neighbours.REPLACE_ONE)).isEqualTo(110.0);
  }

  /** No row exceeds the bounds, and equal entries attain them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 30})
  void noRowIsAboveTheSensitivity(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    for (int i = 0; i < 2000; i++) {
      double[] row = random.doubles(columns, -1, 1).toArray();
      double norm = Math.sqrt(Arrays.stream(row).map(x -> x * x).sum());
      assertThat(moments(row))
          .isLessThan(LaplaceDp.sensitivity(columns, norm, Neighbours.ADD_REMOVE) * (1 + 1e-14));
    }
    double[] ones = new double[columns];
    Arrays.fill(ones, -1.0);
    assertThat(moments(ones)).isEqualTo(LaplaceDp.entrySensitivity(columns, Neighbours.ADD_REMOVE));
    double bound = LaplaceDp.normSensitivity(columns, Math.sqrt(columns), Neighbours.ADD_REMOVE);
    assertThat(moments(ones) / bound).isCloseTo(1.0, within(1e-15));
  }

  private static double moments(double[] row) {
    double sum = 0.0;
    for (int i = 0; i < row.length; i++) {
      for (int j = i; j < row.length; j++) {
        sum += Math.abs(row[i] * row[j]);
      }
    }
    return sum;
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaplaceDp.scale(0.0, 1.0))
        .withMessage("epsilon must be in (0, 100.0]. Provided value: 0.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaplaceDp.scale(1.0, Double.NaN))
        .withMessage("sensitivity must be > 0 and finite. Provided value: NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaplaceDp.scale(1e-300, 1e300))
        .withMessage("scale must be > 0 and finite. Provided value: Infinity");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaplaceDp.entrySensitivity(0, Neighbours.ADD_REMOVE))
        .withMessage("columns must be in [1, 1048576]. Provided value: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LaplaceDp.normSensitivity(3, -1.0, Neighbours.ADD_REMOVE))
        .withMessage("norm must be in [1.0E-100, 1.0E100]. Provided value: -1.0");
  }
}

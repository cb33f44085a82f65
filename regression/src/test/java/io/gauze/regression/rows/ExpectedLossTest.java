package io.gauze.regression.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gauze.regression.Loss;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Closed forms against sums over a fine grid, derivatives against differences. */
class ExpectedLossTest {
  private static final List<Loss> LOSSES =
      List.of(Loss.ABSOLUTE, new Loss.Quantile(0.1), new Loss.Huber(0.7));

  private static double plain(Loss loss, double u) {
    if (loss instanceof Loss.Huber huber) {
      double c = huber.threshold();
      return Math.abs(u) <= c ? 0.5 * u * u : c * (Math.abs(u) - 0.5 * c);
    }
    double tau = ((Loss.Quantile) loss).tau();
    return (tau == 0.5 ? 2.0 : 1.0) * u * (tau - (u < 0.0 ? 1.0 : 0.0));
  }

  private static double expected(double m, double v, DoubleUnaryOperator f) {
    double step = 1e-4;
    double sum = 0.0;
    for (double z = -9.0; z < 9.0; z += step) {
      double at = z + 0.5 * step;
      sum += step * ExpectedLoss.density(at) * f.applyAsDouble(m + Math.sqrt(v) * at);
    }
    return sum;
  }

  /** Midpoints of 1e-4 about a kink are off by less than 1e-7. */
  @Test
  void values() {
    for (Loss loss : LOSSES) {
      ExpectedLoss law = ExpectedLoss.of(loss);
      for (double m : new double[] {-2.0, -0.3, 0.0, 0.8}) {
        for (double v : new double[] {0.01, 0.5, 3.0}) {
          double value = expected(m, v, u -> plain(loss, u));
          assertThat(law.at(m, v).value()).isCloseTo(value, within(1e-6));
          double score =
              expected(
                  m, v, u -> Math.pow((plain(loss, u + 1e-6) - plain(loss, u - 1e-6)) / 2e-6, 2));
          assertThat(law.scoreSquare(m, v)).isCloseTo(score, within(1e-3));
        }
      }
    }
  }

  @Test
  void derivatives() {
    double h = 1e-5;
    for (Loss loss : LOSSES) {
      ExpectedLoss law = ExpectedLoss.of(loss);
      for (double m : new double[] {-2.0, -0.3, 0.0, 0.8}) {
        for (double v : new double[] {0.1, 0.5, 3.0}) {
          ExpectedLoss.Derivatives at = law.at(m, v);
          ExpectedLoss.Derivatives up = law.at(m + h, v);
          ExpectedLoss.Derivatives down = law.at(m - h, v);
          assertThat(at.first()).isCloseTo((up.value() - down.value()) / (2 * h), within(1e-6));
          assertThat(at.second()).isCloseTo((up.first() - down.first()) / (2 * h), within(1e-6));
          assertThat(at.third()).isCloseTo((up.second() - down.second()) / (2 * h), within(1e-6));
          assertThat(at.fourth()).isCloseTo((up.third() - down.third()) / (2 * h), within(1e-6));
          double inVariance = (law.at(m, v + h).value() - law.at(m, v - h).value()) / (2 * h);
          assertThat(0.5 * at.second()).isCloseTo(inVariance, within(1e-6));
        }
      }
    }
  }

  @Test
  void squaresHaveNone() {
    assertThatThrownBy(() -> ExpectedLoss.of(Loss.SQUARED)).hasMessageContaining("loss must be");
  }
}

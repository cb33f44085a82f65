package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ObjectiveSolverTest {
  private static final MathContext DIGITS = new MathContext(60);

  private static ObjectivePerturbation mechanism(int features, ModelLoss loss, double epsilon) {
    return ObjectivePerturbation.of(
        ObjectiveSpec.of(features, 1.25, loss, new Budget(epsilon, 1e-6, Neighbours.REPLACE_ONE)));
  }

  /** An intercept, features of deviation 1/3, and a response with gross outliers. */
  static ModelRows rows(ObjectivePerturbation mechanism, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ModelRows rows = mechanism.rows();
    double[] features = new double[rows.features()];
    for (int i = 0; i < count; i++) {
      double response = 0.05 * random.nextGaussian();
      features[0] = 0.5;
      for (int j = 1; j < features.length; j++) {
        features[j] = random.nextGaussian() / 3.0;
        response += features[j] * (j % 2 == 0 ? 0.3 : -0.2);
      }
      rows.add(features, random.nextInt(20) == 0 ? 1.0 + random.nextDouble() : response);
    }
    return rows;
  }

  static Stream<ModelLoss> losses() {
    return Stream.of(new ModelLoss.Huber(0.05), new ModelLoss.Logistic());
  }

  /** The gradient is that of 60 digits: exactly, or within the error of scores that are rounded. */
  @ParameterizedTest
  @MethodSource("losses")
  void gradientsAreExact(ModelLoss loss) {
    int p = 4;
    ObjectivePerturbation mechanism = mechanism(p, loss, 1.0);
    ModelRows rows = rows(mechanism, 4100, 7); // more than a block
    double[] point = {0.1, -0.2234375, 1e-9, 0.31};
    double[] linear = {0.3, -1.0 / 3.0, 1e-12, 7.0};
    double lambda = mechanism.calibration().lambda();
    FixedVector theta = FixedVector.of(point);
    PerturbedObjective objective =
        new PerturbedObjective(rows, FixedPointScore.of(loss), lambda, new double[p], linear);

    BigDecimal[] expected = naive(rows, loss, theta, lambda, linear);
    double error = rows.size() * 1.25 * FixedPointScore.of(loss).error();
    PerturbedObjective.Gradient gradient = objective.gradient(theta);
    BigDecimal square = BigDecimal.ZERO;
    for (int j = 0; j < p; j++) {
      double[] unit = new double[p];
      unit[j] = 1.0;
      assertThat(gradient.dot(unit))
          .isCloseTo(expected[j].doubleValue(), within(error + 1e-15 * rows.size()));
      square = square.add(expected[j].pow(2));
    }
    double norm = square.sqrt(DIGITS).doubleValue();
    double slack = Math.max(Math.ulp(norm), 2.0 * error);
    assertThat(gradient.isWithin(norm + slack)).isTrue();
    assertThat(gradient.isWithin(norm - slack)).isFalse();
  }

  private static BigDecimal[] naive(
      ModelRows rows, ModelLoss loss, FixedVector theta, double lambda, double... linear) {
    int p = theta.size();
    BigDecimal step = BigDecimal.valueOf(Math.scalb(1.0, -rows.gridBits()));
    BigDecimal[] gradient = new BigDecimal[p];
    for (int j = 0; j < p; j++) {
      gradient[j] =
          exact(PerturbedObjective.units(linear[j], 60).doubleValue(), 60)
              .add(coefficient(theta, j).multiply(new BigDecimal(lambda)));
    }
    rows.forEach(
        block -> {
          for (int i = 0; i < block.rows(); i++) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int j = 0; j < p; j++) {
              sum =
                  sum.add(
                      coefficient(theta, j)
                          .multiply(BigDecimal.valueOf(block.features[i * p + j]))
                          .multiply(step));
            }
            BigDecimal score = score(loss, exact((double) block.responses[i], 30), sum);
            for (int j = 0; j < p; j++) {
              gradient[j] =
                  gradient[j].subtract(
                      score.multiply(BigDecimal.valueOf(block.features[i * p + j])).multiply(step));
            }
          }
        });
    return gradient;
  }

  private static BigDecimal exact(double units, int bits) {
    return new BigDecimal(units).multiply(new BigDecimal(Math.scalb(1.0, -bits)));
  }

  private static BigDecimal coefficient(FixedVector theta, int j) {
    return new BigDecimal(theta.units(j)).multiply(new BigDecimal(Math.scalb(1.0, -60)));
  }

  private static BigDecimal score(ModelLoss loss, BigDecimal response, BigDecimal product) {
    if (loss instanceof ModelLoss.Logistic) {
      double sign = response.signum() > 0 ? 1.0 : -1.0;
      double margin = sign * product.doubleValue();
      return new BigDecimal(sign / (1.0 + Math.exp(margin)));
    }
    BigDecimal most = new BigDecimal(((ModelLoss.Huber) loss).threshold());
    return response.subtract(product).min(most).max(most.negate());
  }

  /** The Hessian is the derivative of the gradient, by differences away from corners. */
  @ParameterizedTest
  @MethodSource("losses")
  void hessiansAreDerivatives(ModelLoss loss) {
    int p = 3;
    ObjectivePerturbation mechanism = mechanism(p, loss, 1.0);
    ModelRows rows = rows(mechanism, 500, 3);
    PerturbedObjective objective =
        new PerturbedObjective(
            rows,
            FixedPointScore.of(loss),
            mechanism.calibration().lambda(),
            new double[p],
            new double[p]);
    FixedVector theta = FixedVector.of(0.02, -0.1, 0.2);
    double[] hessian = objective.hessian(theta);
    double h = 1e-7;
    for (int j = 0; j < p; j++) {
      double[] unit = new double[p];
      unit[j] = 1.0;
      PerturbedObjective.Gradient up = objective.gradient(theta.plus(h, unit));
      PerturbedObjective.Gradient down = objective.gradient(theta.plus(-h, unit));
      for (int i = 0; i <= j; i++) {
        double[] other = new double[p];
        other[i] = 1.0;
        double difference = (up.dot(other) - down.dot(other)) / (2.0 * h);
        assertThat(hessian[i * p + j]).isCloseTo(difference, within(1e-6 * rows.size()));
      }
    }
  }

  /** Whatever the rows and b, the exact gradient is small in the end, after some tens of passes. */
  @ParameterizedTest
  @MethodSource("losses")
  void theSolverEnds(ModelLoss loss) {
    for (double epsilon : new double[] {0.1, 1.0, 10.0}) {
      ObjectivePerturbation mechanism = mechanism(6, loss, epsilon);
      for (int count : new int[] {0, 1, 3, 50, 3000}) {
        ModelRows rows = rows(mechanism, count, count);
        for (double size : new double[] {0.0, 1.0, 100.0}) {
          double[] b = {size, -size, 0.3 * size, 0.0, 0.1 * size, size};
          ends(mechanism, rows, b);
        }
      }
    }
  }

  private static void ends(ObjectivePerturbation mechanism, ModelRows rows, double... b) {
    ObjectiveSolver solver = mechanism.minimiser(rows, b);
    PerturbedObjective again =
        new PerturbedObjective(
            rows,
            FixedPointScore.of(mechanism.calibration().spec().loss()),
            mechanism.calibration().lambda(),
            new double[b.length],
            b);
    assertThat(again.gradient(solver.theta()).isWithin(mechanism.calibration().tolerance()))
        .isTrue();
    assertThat(solver.passes()).isLessThan(300);
  }

  /**
   * Equal rows in one direction, responses at the ends of their clamp, huge leverage of a corner.
   */
  @Test
  void degenerateRowsEndToo() {
    ObjectivePerturbation mechanism = mechanism(3, new ModelLoss.Huber(0.01), 20.0);
    ModelRows rows = mechanism.rows();
    for (int i = 0; i < 2000; i++) {
      rows.add(new double[] {1.0, 1.0, 1.0}, i % 2 == 0 ? 1e9 : -1e9);
      rows.add(new double[] {0.0, 0.0, 0.0}, i);
      rows.add(new double[] {1e-5, 0.0, -1e-9}, 1.0);
    }
    ends(mechanism, rows, 0.1, -3.0, 50.0);
    ends(mechanism, rows, 0.0, 0.0, 0.0);
  }

  @Test
  void fixedVectorsAddExactly() {
    FixedVector theta = FixedVector.of(-0x1p-60, 1.5, -3.25);
    assertThat(theta.units(0)).isEqualTo(-1L);
    assertThat(theta.plus(2.0, 0x1p-60, -1.0, 0x1p-59).units(0)).isEqualTo(1L);
    assertThat(theta.plus(2.0, 0.0, -1.0, 0.0).units(1).doubleValue()).isEqualTo(-0x1p59);
    assertThat(theta.norm()).isCloseTo(Math.sqrt(1.5 * 1.5 + 3.25 * 3.25), within(1e-8));
    assertThat(Arrays.stream(theta.low())).allMatch(low -> low >= 0L && low < 1L << 30);
  }
}

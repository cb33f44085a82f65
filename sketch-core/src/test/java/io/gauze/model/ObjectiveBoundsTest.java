package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.ObjectivePrivacy;
import io.gauze.testing.Effort;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A search for data sets that break the bounds of the proof: densities of the minimiser in closed
 * form, k = B_x = 1, random rows and points, half of them at corners of a loss.
 */
@Tag("numerical")
final class ObjectiveBoundsTest {
  private static final int DATA_SETS = Effort.of(3_000, 100_000);
  private static final int POINTS = 40;

  /** Rows in p dimensions, with the derivative clip(r, -1, 1) + tilt. */
  private static final class Data {
    private final double[][] features;
    private final double[] responses;
    private final double tilt;

    Data(double[][] features, double[] responses, double tilt) {
      this.features = features;
      this.responses = responses;
      this.tilt = tilt;
    }

    static Data random(SplittableRandom random, int p, int rows, double tilt) {
      double[][] features = new double[rows][];
      double[] responses = new double[rows];
      for (int i = 0; i < rows; i++) {
        features[i] = direction(random, p, random.nextInt(3) == 0 ? random.nextDouble() : 1.0);
        responses[i] = random.nextGaussian() * Math.pow(6.0, random.nextInt(3));
      }
      return new Data(features, responses, tilt);
    }

    Data with(double[] feature, double response) {
      double[][] more = Arrays.copyOf(features, features.length + 1);
      double[] other = Arrays.copyOf(responses, responses.length + 1);
      more[features.length] = feature;
      other[responses.length] = response;
      return new Data(more, other, tilt);
    }

    /** b as a function of theta. */
    double[] linear(double lambda, double... theta) {
      double[] b = new double[theta.length];
      for (int j = 0; j < b.length; j++) {
        b[j] = -lambda * theta[j];
      }
      for (int i = 0; i < responses.length; i++) {
        double residual = responses[i] - dot(features[i], theta);
        double score = Math.max(-1.0, Math.min(1.0, residual)) + tilt;
        for (int j = 0; j < b.length; j++) {
          b[j] += score * features[i][j];
        }
      }
      return b;
    }

    double logDeterminant(double lambda, double... theta) {
      int p = theta.length;
      double[][] a = new double[p][p];
      for (int j = 0; j < p; j++) {
        a[j][j] = lambda;
      }
      for (int i = 0; i < responses.length; i++) {
        boolean inside = Math.abs(responses[i] - dot(features[i], theta)) < 1.0;
        for (int j = 0; inside && j < p; j++) {
          for (int k = 0; k < p; k++) {
            a[j][k] += features[i][j] * features[i][k];
          }
        }
      }
      double log = 0.0;
      for (int k = 0; k < p; k++) {
        log += Math.log(a[k][k]);
        for (int i = k + 1; i < p; i++) {
          for (int j = k + 1; j < p; j++) {
            a[i][j] -= a[i][k] * a[k][j] / a[k][k];
          }
        }
      }
      return log;
    }
  }

  private static double[] direction(SplittableRandom random, int p, double length) {
    double[] vector = new double[p];
    for (int j = 0; j < p; j++) {
      vector[j] = random.nextGaussian();
    }
    double norm = Math.sqrt(dot(vector, vector));
    for (int j = 0; j < p; j++) {
      vector[j] *= length / norm;
    }
    return vector;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0.0;
    for (int j = 0; j < a.length; j++) {
      sum += a[j] * b[j];
    }
    return sum;
  }

  /** A random point, every other one where the row's residual is just inside of the threshold. */
  private static double[] point(SplittableRandom random, int at, double[] feature, double y) {
    double[] theta = new double[feature.length];
    double size = Math.pow(4.0, random.nextInt(4) - 1);
    for (int j = 0; j < theta.length; j++) {
      theta[j] = size * random.nextGaussian();
    }
    if (at % 2 == 0) {
      double side = random.nextBoolean() ? 1.0 : -1.0;
      double move = (y - side * (1.0 - 1e-9) - dot(feature, theta)) / dot(feature, feature);
      for (int j = 0; j < theta.length; j++) {
        theta[j] += move * feature[j];
      }
    }
    return theta;
  }

  /**
   * Pure noise: removal costs the determinant and the gradient, addition the gradient, replacement
   * both. Each bound is nearly reached, or the search would have seen nothing.
   */
  @ParameterizedTest
  @CsvSource({"1, 0.0", "2, 0.0", "3, 0.0", "2, 0.8"})
  void noOutcomeSaysMoreThanItsBound(int p, double tilt) {
    SplittableRandom random = new SplittableRandom(71 + p);
    double gradient = 0.7;
    double determinant = 0.3;
    double lambda = ObjectivePrivacy.strength(determinant);
    double slope = 1.0 + tilt;
    double removal = 0.0;
    double addition = 0.0;
    double replacement = 0.0;
    for (int set = 0; set < DATA_SETS; set++) {
      Data common = Data.random(random, p, random.nextInt(4), tilt);
      double[] u = direction(random, p, 1.0);
      double[] v = random.nextBoolean() ? u : direction(random, p, 1.0);
      double y = random.nextGaussian() * Math.pow(5.0, random.nextInt(3));
      Data first = common.with(u, y);
      Data second = common.with(v, 50.0 * random.nextGaussian());
      for (int i = 0; i < POINTS; i++) {
        double[] theta = point(random, i, u, y);
        double loss = loss(first, common, lambda, slope / gradient, theta);
        removal = Math.max(removal, loss);
        addition = Math.max(addition, -loss);
        double replaced = loss(first, second, lambda, 2.0 * slope / gradient, theta);
        replacement = Math.max(replacement, replaced);
      }
    }
    double rounding = 1e-12;
    assertThat(removal).isBetween(0.98, gradient + determinant + rounding);
    assertThat(addition).isBetween(0.98 * gradient, gradient + rounding);
    assertThat(replacement).isBetween(0.97, gradient + determinant + rounding);
  }

  private static double loss(
      Data first, Data second, double lambda, double scale, double... theta) {
    double[] b = first.linear(lambda, theta);
    double[] other = second.linear(lambda, theta);
    return (Math.sqrt(dot(other, other)) - Math.sqrt(dot(b, b))) / scale
        + first.logDeterminant(lambda, theta)
        - second.logDeterminant(lambda, theta);
  }

  /**
   * Gaussian noise in one dimension, deltas by integration piece by piece between corners: for
   * add-remove the bound is reached, from the side without the row.
   */
  @Test
  void noDeltaIsAboveItsBound() {
    SplittableRandom random = new SplittableRandom(81);
    double removed = 0.0;
    double added = 0.0;
    double replaced = 0.0;
    for (int set = 0; set < Effort.of(150, 5_000); set++) {
      double ratio = 0.25 * Math.pow(2.0, random.nextInt(3));
      double epsilon = 0.3 + random.nextDouble();
      double determinant = random.nextBoolean() ? 0.3 : 2.0;
      double lambda = ObjectivePrivacy.strength(determinant);
      Data common = Data.random(random, 1, random.nextInt(3), 0.0);
      Data with = common.with(new double[] {1.0}, random.nextGaussian() * random.nextInt(3));
      Data other = common.with(new double[] {1.0}, 4.0 * random.nextGaussian() * random.nextInt(3));
      double one = ObjectivePrivacy.changedDelta(epsilon, ratio);
      double two = ObjectivePrivacy.replacedDelta(epsilon, determinant, ratio);
      removed = Math.max(removed, delta(with, common, lambda, ratio, epsilon + determinant) / one);
      added = Math.max(added, delta(common, with, lambda, ratio, epsilon) / one);
      replaced = Math.max(replaced, delta(with, other, lambda, ratio, epsilon + determinant) / two);
    }
    assertThat(removed).isBetween(0.1, 1.0);
    assertThat(added).isBetween(0.98, 1.0 + 1e-3);
    assertThat(replaced).isBetween(0.1, 1.0);
  }

  /** The integral of (f - exp(epsilon) f')+, sigma = 1 / ratio. */
  private static double delta(
      Data first, Data second, double lambda, double ratio, double epsilon) {
    TreeSet<Double> edges = new TreeSet<>();
    double end = (9.0 / ratio + first.responses.length + 1.0) / lambda;
    edges.add(-end);
    edges.add(end);
    for (Data data : new Data[] {first, second}) {
      for (int i = 0; i < data.responses.length; i++) {
        for (double side : new double[] {-1.0, 1.0}) {
          double corner = (data.responses[i] + side) / data.features[i][0];
          if (Math.abs(corner) < end) {
            edges.add(corner);
          }
        }
      }
    }
    DoubleUnaryOperator excess =
        theta ->
            Math.max(
                0.0,
                density(first, lambda, ratio, theta)
                    - Math.exp(epsilon) * density(second, lambda, ratio, theta));
    double sum = 0.0;
    double from = edges.first();
    for (double to : edges.tailSet(from, false)) {
      int steps = 1000;
      double step = (to - from) / steps;
      for (int i = 0; i < steps; i++) {
        sum += step * excess.applyAsDouble(from + (i + 0.5) * step);
      }
      from = to;
    }
    return sum;
  }

  private static double density(Data data, double lambda, double ratio, double theta) {
    double z = ratio * data.linear(lambda, theta)[0];
    return ratio
        / Math.sqrt(2.0 * Math.PI)
        * Math.exp(-0.5 * z * z + data.logDeterminant(lambda, theta));
  }
}

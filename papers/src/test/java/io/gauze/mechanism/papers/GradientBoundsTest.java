package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class GradientBoundsTest {
  private static final int FEATURES = 5;

  /** Random rows, rows at their ends, and rows along the worst directions, for random models. */
  @Test
  void noRowExceedsTheBounds() {
    SplittableRandom random = new SplittableRandom(3);
    double nearest = 0.0;
    double inBall = 0.0;
    for (int trial = 0; trial < 60_000; trial++) {
      double rowBound = random.nextDouble(0.6, 2.5);
      double featureBound = random.nextDouble(0.5, 1.0) * rowBound;
      List<Double> ends = new ArrayList<>();
      IntStream.range(0, FEATURES).forEach(k -> ends.add(random.nextDouble(0.05, 1.0)));
      double end = random.nextDouble(0.05, 1.0);
      GradientBounds bounds =
          new GradientBounds(rowBound, featureBound, ends, end, Neighbours.ADD_REMOVE, 1);
      double[] theta = new double[FEATURES];
      for (int k = 0; k < FEATURES; k++) {
        theta[k] = random.nextInt(3) == 0 ? 0.0 : random.nextDouble(-2.0, 2.0);
      }
      double[] row = row(random, trial % 3, bounds, theta);
      double residual = row[FEATURES];
      for (int k = 0; k < FEATURES; k++) {
        residual -= row[k] * theta[k];
      }
      double[] gradient = new double[FEATURES];
      for (int k = 0; k < FEATURES; k++) {
        gradient[k] = Math.abs(row[k] * residual);
      }
      double length = Math.sqrt(Arrays.stream(theta).map(t -> t * t).sum());
      double whole = Math.sqrt(Arrays.stream(gradient).map(g -> g * g).sum());
      assertThat(whole).isLessThanOrEqualTo(bounds.row(length));
      inBall = Math.max(inBall, whole / bounds.row(length));
      double features = Arrays.stream(row).limit(FEATURES).map(x -> x * x).sum();
      assertThat(features).isLessThanOrEqualTo(bounds.squaredFeatures());
      double largest = Arrays.stream(gradient).max().orElseThrow();
      assertThat(largest).isLessThanOrEqualTo(bounds.entry(theta));
      nearest = Math.max(nearest, largest / bounds.entry(theta));
      for (int size = 1; size < FEATURES; size++) {
        double[] others = Arrays.copyOfRange(gradient, 1, FEATURES);
        Arrays.sort(others);
        double square = gradient[0] * gradient[0];
        double sum = 0.0;
        double[] sizes = Arrays.stream(row).limit(FEATURES).map(Math::abs).sorted().toArray();
        for (int k = 0; k < size; k++) {
          square += Math.pow(others[others.length - 1 - k], 2);
        }
        for (int k = 0; k <= size; k++) {
          sum += sizes[FEATURES - 1 - k];
        }
        assertThat(Math.sqrt(square)).isLessThanOrEqualTo(bounds.entries(size, theta));
        assertThat(sizes[FEATURES - 1] * sum).isLessThanOrEqualTo(bounds.curvature(size));
      }
    }
    assertThat(nearest).isGreaterThan(0.999);
    assertThat(inBall).isGreaterThan(0.99);
  }

  /** A row within all bounds: random, at its ends against the model, or along the model. */
  private static double[] row(
      SplittableRandom random, int kind, GradientBounds bounds, double... theta) {
    double[] row = new double[FEATURES + 1];
    for (int k = 0; k <= FEATURES; k++) {
      double end = k < FEATURES ? bounds.ends().get(k) : bounds.responseEnd();
      double against = k < FEATURES ? -theta[k] : 1.0;
      row[k] =
          switch (kind) {
            case 0 -> end * random.nextDouble(-1.0, 1.0);
            case 1 -> end * (against < 0.0 ? -1.0 : 1.0);
            default -> Math.max(-end, Math.min(end, 0.2 * against));
          };
    }
    double features = Math.sqrt(Arrays.stream(row).limit(FEATURES).map(x -> x * x).sum());
    double factor = Math.min(1.0, bounds.featureBound() / features);
    for (int k = 0; k < FEATURES; k++) {
      row[k] *= factor;
    }
    double norm = Math.sqrt(Arrays.stream(row).map(x -> x * x).sum());
    return Arrays.stream(row).map(x -> x * Math.min(1.0, bounds.rowBound() / norm)).toArray();
  }

  @Test
  void replacedRowsAndUsersCountTwiceAndAllTheirRows() {
    List<Double> ends = List.of(0.5, 1.0, 1.0);
    GradientBounds one = new GradientBounds(1.5, 1.5, ends, 1.0, Neighbours.ADD_REMOVE, 1);
    GradientBounds all = new GradientBounds(1.5, 1.5, ends, 1.0, Neighbours.REPLACE_ONE, 3);
    double[] theta = {0.1, -0.4, 0.7};
    assertThat(all.entry(theta)).isCloseTo(6.0 * one.entry(theta), within(1e-12));
    assertThat(all.entries(1, theta)).isCloseTo(6.0 * one.entries(1, theta), within(1e-12));
    assertThat(all.curvature(1)).isCloseTo(6.0 * one.curvature(1), within(1e-12));
  }

  /** A response that is clipped apart leaves the features a bound of their own. */
  @Test
  void aResponseThatIsClippedApartLowersTheBounds() {
    RowSchema together = Fixtures.numbers(20, 0.5, 1.5);
    RowSchema apart = together.withResponses(new ResponseBound(List.of("x19"), 0.5));
    Map<String, String> options = Map.of("response", "x19");
    assertThat(bounds(apart, options).featureBound()).isCloseTo(Math.sqrt(2.0), within(1e-9));
    assertThat(bounds(apart, options).responseEnd()).isEqualTo(0.5);
    assertThat(bounds(together, options).featureBound()).isCloseTo(1.5, within(1e-9));
    assertThat(bounds(apart, Map.of("response", "x3")).featureBound()).isCloseTo(1.5, within(1e-9));
  }

  private static GradientBounds bounds(RowSchema schema, Map<String, String> options) {
    SketchRequest sketch = new SketchRequest("s", FrankWolfe.NAME, 1.0, options);
    StreamRequest stream = Fixtures.request(schema, Fixtures.BUDGET, sketch);
    return GradientBounds.of(stream, ModelColumns.of(schema, sketch));
  }

  /** Moments of any size, against sums of whole numbers without a limit. */
  @Test
  void gradientsAndCurvaturesAreExact() {
    RowSchema schema = Fixtures.numbers(9, 0.5, 2.0);
    SketchRequest sketch =
        new SketchRequest("s", FrankWolfe.NAME, 1.0, Map.of("features", "x1,x2,x4,x7"));
    ModelColumns columns = ModelColumns.of(schema, sketch);
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    SplittableRandom random = new SplittableRandom(5);
    for (int trial = 0; trial < 200; trial++) {
      long[] state = new long[spec.stateLength()];
      Arrays.setAll(state, i -> random.nextLong() >> random.nextInt(1, 40));
      ExactGradient exact = new ExactGradient(spec, columns, state);
      long[] theta = new long[5];
      Arrays.setAll(theta, k -> random.nextLong(-(1L << 30), 1L << 30) * random.nextInt(2));
      BigInteger[] gradient = exact.at(theta);
      BigInteger curvature = BigInteger.ZERO;
      for (int j = 0; j < 5; j++) {
        int column = columns.features().get(j);
        BigInteger sum =
            BigInteger.valueOf(state[spec.index(column, columns.response())]).shiftLeft(24);
        List<BigInteger> others = new ArrayList<>();
        for (int k = 0; k < 5; k++) {
          BigInteger moment =
              BigInteger.valueOf(state[spec.index(column, columns.features().get(k))]);
          sum = sum.subtract(moment.multiply(BigInteger.valueOf(theta[k])));
          if (k != j) {
            others.add(moment.abs());
          }
        }
        assertThat(gradient[j]).isEqualTo(sum);
        others.sort(null);
        BigInteger own = BigInteger.valueOf(state[spec.index(column, column)]).abs();
        curvature = curvature.max(own.add(others.get(3)).add(others.get(2)));
      }
      assertThat(exact.curvature(2)).isEqualTo(curvature);
    }
  }

  /** Also of models whose coefficients are spread over many features. */
  @Test
  void noModelInABallExceedsItsBound() {
    SplittableRandom random = new SplittableRandom(9);
    double nearest = 0.0;
    for (int trial = 0; trial < 20_000; trial++) {
      double rowBound = random.nextDouble(0.6, 2.5);
      List<Double> ends = new ArrayList<>();
      IntStream.range(0, FEATURES).forEach(k -> ends.add(random.nextDouble(0.05, 1.0)));
      GradientBounds bounds =
          new GradientBounds(
              rowBound, 0.9 * rowBound, ends, random.nextDouble(), Neighbours.ADD_REMOVE, 1);
      double intercept = random.nextDouble(3.0);
      double radius = random.nextDouble(5.0);
      int kept = random.nextInt(1, FEATURES);
      double[] theta = new double[FEATURES];
      double square = 0.0;
      for (int k = 1; k <= kept; k++) {
        theta[k] = random.nextBoolean() ? ends.get(k) : random.nextDouble(-1.0, 1.0);
        square += theta[k] * theta[k];
      }
      for (int k = 1; k <= kept; k++) {
        theta[k] *= radius / Math.sqrt(square);
      }
      theta[0] = intercept;
      int size = random.nextInt(1, FEATURES);
      double most = bounds.mostEntries(size, intercept, radius, kept);
      assertThat(bounds.entries(size, theta)).isLessThanOrEqualTo(most);
      nearest = Math.max(nearest, bounds.entries(size, theta) / most);
    }
    assertThat(nearest).isCloseTo(1.0, within(1e-3));
  }
}

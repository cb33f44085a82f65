package io.gauze.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.testing.Effort;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Searches for rows that change moments by more than the bounds, and for rows that reach them. */
final class WeightedSensitivityTest {
  private static final int RESTARTS = Effort.of(60, 600);

  /** Rows as free numbers: p of the features, the response, the weight. */
  private record Search(int features, double featureBound, double responseBound) {
    /** The upper triangle without the square of the response, entries off the diagonal doubled. */
    double[] moments(int from, double... numbers) {
      double square = 0.0;
      for (int j = 0; j < features; j++) {
        square += numbers[from + j] * numbers[from + j];
      }
      double factor = featureBound / Math.max(1.0, Math.sqrt(square));
      double[] row = new double[features + 1];
      for (int j = 0; j < features; j++) {
        row[j] = factor * numbers[from + j];
      }
      row[features] = responseBound * Math.max(-1.0, Math.min(1.0, numbers[from + features]));
      double weight = Math.min(1.0, Math.abs(numbers[from + features + 1]));
      double[] upper = new double[(features + 1) * (features + 2) / 2 - 1];
      int next = 0;
      for (int i = 0; i < features; i++) {
        for (int j = i; j <= features; j++) {
          upper[next++] = weight * row[i] * row[j];
        }
      }
      return upper;
    }

    double absolute(double... upper) {
      return Arrays.stream(upper).map(Math::abs).sum();
    }

    double euclidean(double... upper) {
      double sum = 0.0;
      int next = 0;
      for (int i = 0; i < features; i++) {
        for (int j = i; j <= features; j++) {
          sum += (i == j ? 1.0 : 2.0) * upper[next] * upper[next];
          next++;
        }
      }
      return Math.sqrt(sum);
    }

    double[] change(double... numbers) {
      double[] first = moments(0, numbers);
      double[] second = moments(features + 2, numbers);
      for (int i = 0; i < first.length; i++) {
        first[i] -= second[i];
      }
      return first;
    }

    /** Climbs from random starts by random steps that become shorter. */
    double largest(SplittableRandom random, ToDoubleFunction<double[]> goal) {
      double largest = 0.0;
      for (int restart = 0; restart < RESTARTS; restart++) {
        double[] place = normal(random, 2 * (features + 2), 2.0);
        double height = goal.applyAsDouble(place);
        for (double step = 1.0; step > 1e-6; step *= 0.995) {
          double[] move = normal(random, place.length, step);
          for (int i = 0; i < move.length; i++) {
            move[i] = place[i] + (random.nextInt(3) == 0 ? move[i] : 0.0);
          }
          double other = goal.applyAsDouble(move);
          if (other > height) {
            height = other;
            place = move;
          }
        }
        largest = Math.max(largest, height);
      }
      return largest;
    }
  }

  private static double[] normal(SplittableRandom random, int size, double scale) {
    double[] values = new double[size];
    for (int i = 0; i < size; i++) {
      values[i] = scale * random.nextGaussian();
    }
    return values;
  }

  /**
   * One row more or less; a row replaced in its cell; a row that moves. All rows are searched, also
   * short ones and those of small weight. Leaving out the square of the response lowers the first
   * Euclidean bound, but not the second.
   */
  @ParameterizedTest
  @CsvSource({"1, 1.0, 1.0", "2, 1.0, 1.0", "2, 1.25, 0.5", "3, 0.5, 1.0", "3, 1.5, 1.5"})
  void noRowsChangeMomentsByMoreAndSomeByAsMuch(int p, double featureBound, double responseBound) {
    SplittableRandom random = new SplittableRandom(17 + p);
    Search search = new Search(p, featureBound, responseBound);
    WeightedSensitivity bounds = new WeightedSensitivity(p, featureBound, responseBound);
    int other = p + 2;

    double added = bounds.euclidean(Neighbours.ADD_REMOVE);
    assertThat(search.largest(random, x -> search.euclidean(search.moments(0, x))))
        .isBetween(0.999 * added, added);
    double replaced = bounds.euclidean(Neighbours.REPLACE_ONE);
    assertThat(search.largest(random, x -> search.euclidean(search.change(x))))
        .isBetween(0.999 * replaced, replaced);
    assertThat(
            search.largest(
                random,
                x ->
                    Math.hypot(
                        search.euclidean(search.moments(0, x)),
                        search.euclidean(search.moments(other, x)))))
        .isBetween(0.999 * Math.sqrt(2.0) * added, replaced);

    double absolute = bounds.absolute(Neighbours.ADD_REMOVE);
    assertThat(search.largest(random, x -> search.absolute(search.moments(0, x))))
        .isBetween(0.99 * absolute, absolute);
    double twice = bounds.absolute(Neighbours.REPLACE_ONE);
    assertThat(search.largest(random, x -> search.absolute(search.change(x))))
        .isLessThanOrEqualTo(twice);
    assertThat(
            search.largest(
                random,
                x ->
                    search.absolute(search.moments(0, x))
                        + search.absolute(search.moments(other, x))))
        .isBetween(0.99 * twice, twice);
  }

  /**
   * On a grid of a few steps, under any model: the integers keep the bounds of the reals, since the
   * row is rounded and not its products.
   */
  @Test
  void integersKeepTheBoundsOnCoarseGrids() {
    SplittableRandom random = new SplittableRandom(5);
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    double closest = 0.0;
    for (int trial = 0; trial < Effort.of(4_000, 100_000); trial++) {
      int p = 1 + random.nextInt(3);
      IrlsSpec spec =
          new IrlsSpec(
              p, 1.0, 1.0, 0.05 + 3.0 * random.nextDouble(), 2, new IrlsNoise.Gaussian(budget));
      int bits = 1 + random.nextInt(4);
      WeightedMoments moments = new WeightedMoments(spec, bits);
      DoubleVector model = DoubleVector.of(normal(random, p, 0.5));
      double[] row = normal(random, p, 2.0);
      double response = random.nextInt(3) - 1.0;
      double[] first = encoded(moments, bits, spec, model, row, response);
      double side = random.nextBoolean() ? -1.0 : 0.5;
      double[] other =
          Arrays.stream(row).map(x -> side * x + random.nextGaussian() / 4.0).toArray();
      double[] second = encoded(moments, bits, spec, model, other, random.nextInt(3) - 1.0);
      Search search = new Search(p, 1.0, 1.0);
      assertThat(search.euclidean(first)).isLessThanOrEqualTo(Math.sqrt(3.0));
      assertThat(search.absolute(first)).isLessThanOrEqualTo(0.5 * (p + 1.0) + Math.sqrt(p));
      for (int i = 0; i < first.length; i++) {
        first[i] -= second[i];
      }
      double change = search.euclidean(first);
      assertThat(change).isLessThanOrEqualTo(Math.sqrt(8.0));
      closest = Math.max(closest, change);
    }
    assertThat(closest).isGreaterThan(2.6);
  }

  private static double[] encoded(
      WeightedMoments moments,
      int bits,
      IrlsSpec spec,
      DoubleVector model,
      double[] features,
      double response) {
    ModelRows rows = ModelRows.create(spec.features(), spec.featureBound());
    rows.add(features, response);
    long[] upper = moments.of(rows, model, spec.threshold());
    double[] values = new double[upper.length - 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.scalb((double) upper[i], -2 * bits);
    }
    return values;
  }
}

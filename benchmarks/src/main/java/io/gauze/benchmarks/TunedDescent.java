package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.linalg.Spectrum;
import io.gauze.regression.rows.ExactRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Least squares by noisy gradient descent: in each step the gradient of each row is shortened to a
 * length, and their sum has Gaussian noise. Step size, length and number of steps are those of a
 * grid whose error on the rows is least. NOT private: no mechanism sees that error. Nobody who has
 * to choose them does better on this grid.
 *
 * <p>The mechanism {@code gradient-steps} of the papers takes its gradients from exact moments,
 * where no single row can be shortened, so it is no base of this.
 */
final class TunedDescent {
  private static final int[] STEPS = {3, 10, 30, 100, 300, 1000};

  /** Of the clip in root mean square lengths of the first gradients. */
  private static final int[] CLIP_EXPONENTS = {-4, -3, -2, -1, 0, 1, 2};

  /** Of the step size in inverses of the largest curvature; as powers of 4. */
  private static final int[] SIZE_EXPONENTS = {-3, -2, -1, 0, 1, 2};

  private final KnownRows rows;
  private final double mu;
  private final double clipUnit;
  private final double sizeUnit;
  private final SplittableRandom random;

  /**
   * Creates a descent.
   *
   * @param rows of which the moments are taken
   * @param known the same rows
   * @param budget of all steps together; neighbours differ in a row that is replaced
   * @param random the source of noise
   */
  TunedDescent(ExactRows rows, KnownRows known, Budget budget, SplittableRandom random) {
    this.rows = known;
    this.mu = GaussianDp.mu(budget.epsilon(), budget.delta());
    this.random = random;
    this.clipUnit = known.gradientLength(new double[known.features()]);
    int[] features = IntStream.range(0, known.features()).toArray();
    this.sizeUnit = 1.0 / Spectrum.of(rows.moments().select(features)).largest();
  }

  /**
   * A point of the grid.
   *
   * @param size of a step
   * @param clip the length to which rows' gradients are shortened
   * @param steps their number
   */
  record Choice(double size, double clip, int steps) {
    /** The noise of each sum: replacing a row moves it by at most twice the clip. */
    double deviation(double mu) {
      return 2.0 * clip * Math.sqrt(steps) / mu;
    }
  }

  private record Tried(Choice choice, double excess) {}

  private List<Choice> grid() {
    List<Choice> grid = new ArrayList<>();
    for (int steps : STEPS) {
      for (int clip : CLIP_EXPONENTS) {
        for (int size : SIZE_EXPONENTS) {
          grid.add(new Choice(Math.scalb(sizeUnit, 2 * size), Math.scalb(clipUnit, clip), steps));
        }
      }
    }
    return grid;
  }

  /** Returns the least median excess over the fit without privacy, as a share. */
  double excess(int releases) {
    List<Choice> some = best(40, grid(), 1);
    return best(6, some, 5).stream()
        .mapToDouble(choice -> excess(choice, releases))
        .min()
        .orElseThrow();
  }

  /** Returns the best by the medians of a few runs of each, which save time and no more. */
  private List<Choice> best(int most, List<Choice> choices, int runs) {
    return choices.stream()
        .map(choice -> new Tried(choice, excess(choice, runs)))
        .sorted(Comparator.comparingDouble(Tried::excess))
        .limit(most)
        .map(Tried::choice)
        .toList();
  }

  private double excess(Choice choice, int releases) {
    double[] values = new double[releases];
    Arrays.setAll(values, k -> rows.excess(run(choice)));
    return MeasuredFits.median(values);
  }

  /** Returns the coefficients after all steps from 0. */
  double[] run(Choice choice) {
    double deviation = choice.deviation(mu);
    double[] theta = new double[rows.features()];
    for (int step = 0; step < choice.steps(); step++) {
      double[] sum = rows.descent(choice.clip(), theta);
      for (int j = 0; j < theta.length; j++) {
        theta[j] += choice.size() * (sum[j] + deviation * random.nextGaussian());
      }
    }
    return theta;
  }
}

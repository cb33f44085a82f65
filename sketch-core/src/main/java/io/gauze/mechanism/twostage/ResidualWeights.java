package io.gauze.mechanism.twostage;

import io.gauze.internal.Checks;
import io.gauze.row.ColumnBatch;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.ejml.data.DMatrixRMaj;

/**
 * A public linear model of the last entry of transformed rows: the weights u of their entries, and
 * the number of strata of u'z. A row alone decides its stratum.
 *
 * @param numbers u in units of a release
 * @param strata K
 */
public record ResidualWeights(List<Long> numbers, int strata) {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a weight is not in [-2^16, 2^16]
   */
  public ResidualWeights {
    numbers = List.copyOf(numbers);
    for (long number : numbers) {
      double most = TransformedStrata.MOST_WEIGHT;
      Checks.within("weight", number * TwoStageRelease.UNIT, -most, most);
    }
  }

  /** Returns a model of these weights, in units of a release. */
  public static ResidualWeights of(int strata, long... numbers) {
    return new ResidualWeights(LongStream.of(numbers).boxed().toList(), strata);
  }

  /**
   * Makes the model from the moments of a release: the residual of the last entry after what the
   * others tell of it, in units that place most residuals in [-1, 1]. O(D^3) time.
   *
   * @param constant of a row
   * @param deviation of the noise in the moments
   * @param moments the upper triangle, in units of a release
   */
  static ResidualWeights ofMoments(
      int dimension, double constant, double deviation, int strata, long... moments) {
    DMatrixRMaj matrix = TwoStageRelease.matrix(dimension, TwoStageRelease.values(moments));
    Whitening.Step step = new Whitening(matrix, deviation, constant).ofResponse(1.0);
    double scale = Math.sqrt(step.square()) / Tuning.REACH; // the residual's variance becomes 1
    double most = TransformedStrata.MOST_WEIGHT;
    long[] numbers = new long[dimension];
    for (int k = 0; k < dimension; k++) {
      double weight = scale * step.map().get(dimension - 1, k);
      numbers[k] = Math.round(Math.max(-most, Math.min(most, weight)) / TwoStageRelease.UNIT);
    }
    return of(strata, numbers);
  }

  /**
   * Writes the strata of the rows of a slab, in [0, K). A row of no numbers is in the first one.
   *
   * @param steps their entries, over {@code scale}
   * @param out receives a stratum for each row
   */
  public void strata(ColumnBatch steps, int slab, double scale, int[] out) {
    int rows = steps.rows(slab);
    double[] sums = new double[rows];
    Arrays.fill(sums, 0.5 * strata);
    for (int k = 0; k < numbers.size(); k++) {
      double weight = 0.5 * strata * scale * TwoStageRelease.UNIT * numbers.get(k);
      double[] column = steps.slab(slab)[k];
      for (int lane = 0; lane < rows; lane++) {
        sums[lane] += weight * column[lane];
      }
    }
    for (int lane = 0; lane < rows; lane++) {
      out[lane] = Math.max(0, Math.min(strata - 1, (int) Math.floor(sums[lane])));
    }
  }
}

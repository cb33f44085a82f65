package io.gauze.audit.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.SumsNoise;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.mechanism.twostage.TwoStageRelease;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import org.ejml.data.DMatrixRMaj;

/**
 * Noisy sums of one of two data sets of few rows, and the log-likelihood ratio of all of them. What
 * they would be without noise is computed in doubles, by other code than that of the mechanism.
 */
final class RatedSums implements RowSums {
  private final Neighbouring<?> both;
  private final SumsNoise plan;
  private final RowSums noisy;
  private double ratio;

  /**
   * Creates the sums of one release.
   *
   * @param plan the noise
   * @param noisy the sums of one of the data sets
   */
  RatedSums(Neighbouring<?> both, SumsNoise plan, RowSums noisy) {
    this.both = both;
    this.plan = plan;
    this.noisy = noisy;
  }

  /** The log-likelihood ratio of all sums so far. */
  double ratio() {
    return ratio;
  }

  @Override
  public SymmetricMatrix encoded() {
    SymmetricMatrix sums = noisy.encoded();
    int size = sums.dimension();
    double[] upper = new double[SymmetricMatrix.length(size)];
    int next = 0;
    for (int i = 0; i < size; i++) {
      for (int j = i; j < size; j++) {
        upper[next++] = sums.get(i, j);
      }
    }
    rate(upper, moments(both.first().rows()), moments(both.second().rows()), scale(plan.first()));
    return sums;
  }

  @Override
  public long[] norms(RowTransform transform, int round) {
    long[] counts = noisy.norms(transform, round);
    rateCounts(counts, rows -> counts(mapped(rows, transform)));
    return counts;
  }

  /** Takes noisy counts, which are these of the rows of a data set. */
  void rateCounts(long[] noisy, Function<double[][], double[]> of) {
    double deviation = TwoStagePlan.countDeviation(plan.norms());
    rate(
        inUnits(noisy),
        of.apply(both.first().rows()),
        of.apply(both.second().rows()),
        k -> deviation);
  }

  @Override
  public long[] moments(RowTransform transform, int round, boolean isLast) {
    long[] sums = noisy.moments(transform, round, isLast);
    rate(
        inUnits(sums),
        moments(shortened(mapped(both.first().rows(), transform))),
        moments(shortened(mapped(both.second().rows(), transform))),
        scale(plan.part(round, isLast)));
    return sums;
  }

  /** Takes noisy sums, which are these of both data sets without noise. */
  void rate(double[] sums, double[] first, double[] second, IntToDoubleFunction deviation) {
    for (int k = 0; k < sums.length; k++) {
      double change = second[k] - first[k];
      double middle = 0.5 * (first[k] + second[k]);
      double scale = deviation.applyAsDouble(k);
      ratio += change * (sums[k] - middle) / (scale * scale);
    }
  }

  /** The deviations of the noise in an upper triangle. */
  static IntToDoubleFunction scale(TwoStagePlan.Part part) {
    int length = SymmetricMatrix.length(part.noise().dimension());
    return k -> part.noise().scale(k, length) * part.unit();
  }

  /** Returns numbers of a release in the encoded scale. */
  static double[] inUnits(long... sums) {
    double[] values = new double[sums.length];
    for (int k = 0; k < values.length; k++) {
      values[k] = sums[k] * TwoStageRelease.UNIT;
    }
    return values;
  }

  private double[] moments(double[]... rows) {
    return moments(plan.first().noise().dimension(), rows);
  }

  /** The upper triangle of the second moments of rows of a size. */
  static double[] moments(int size, double[]... rows) {
    double[] upper = new double[SymmetricMatrix.length(size)];
    for (double[] row : rows) {
      int next = 0;
      for (int i = 0; i < size; i++) {
        for (int j = i; j < size; j++) {
          upper[next++] += row[i] * row[j];
        }
      }
    }
    return upper;
  }

  private static double[] counts(double[]... rows) {
    double[] counts = new double[NormCells.COUNT];
    for (double[] row : rows) {
      counts[NormCells.of(square(row))]++;
    }
    return counts;
  }

  /** The rows under a transform. */
  static double[][] mapped(double[][] rows, RowTransform transform) {
    DMatrixRMaj matrix = transform.matrix();
    double[][] mapped = new double[rows.length][matrix.getNumRows()];
    for (int r = 0; r < rows.length; r++) {
      for (int i = 0; i < mapped[r].length; i++) {
        for (int j = 0; j <= i; j++) {
          mapped[r][i] += matrix.get(i, j) * rows[r][transform.order().get(j)];
        }
      }
    }
    return mapped;
  }

  /** Returns the rows, which are changed, with norms of at most 1. */
  static double[][] shortened(double[]... rows) {
    for (double[] row : rows) {
      double factor = 1.0 / Math.max(1.0, Math.sqrt(square(row)));
      for (int i = 0; i < row.length; i++) {
        row[i] *= factor;
      }
    }
    return rows;
  }

  private static double square(double... row) {
    double sum = 0.0;
    for (double entry : row) {
      sum += entry * entry;
    }
    return sum;
  }
}

package io.gauze.audit.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;
import java.util.function.IntToDoubleFunction;
import org.ejml.data.DMatrixRMaj;

/**
 * Noisy sums of one of two data sets of few rows, and the log-likelihood ratio of all of them. What
 * they would be without noise is computed in doubles, by other code than that of the mechanism.
 */
final class RatedSums implements RowSums {
  private final Neighbouring both;
  private final RowSums noisy;
  private double ratio;

  /**
   * Creates the sums of one release.
   *
   * @param inSecond whether they are those of the second data set
   */
  RatedSums(Neighbouring both, boolean inSecond, Entropy entropy) {
    this.both = both;
    ModelRows rows = inSecond ? both.second().list() : both.first().list();
    this.noisy = both.mechanism().sums(rows, entropy);
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
    TwoStagePlan.Part part = both.mechanism().plan().first();
    rate(upper, moments(both.first().rows()), moments(both.second().rows()), scale(part));
    return sums;
  }

  @Override
  public long[] norms(RowTransform transform, int round) {
    long[] counts = noisy.norms(transform, round);
    double deviation = both.mechanism().plan().countDeviation();
    rate(
        inUnits(counts),
        counts(mapped(both.first().rows(), transform)),
        counts(mapped(both.second().rows(), transform)),
        k -> deviation);
    return counts;
  }

  @Override
  public long[] moments(RowTransform transform, int round, boolean isLast) {
    long[] sums = noisy.moments(transform, round, isLast);
    rate(
        inUnits(sums),
        moments(shortened(mapped(both.first().rows(), transform))),
        moments(shortened(mapped(both.second().rows(), transform))),
        scale(both.mechanism().plan().part(round, isLast)));
    return sums;
  }

  private void rate(double[] sums, double[] first, double[] second, IntToDoubleFunction deviation) {
    for (int k = 0; k < sums.length; k++) {
      double change = second[k] - first[k];
      double middle = 0.5 * (first[k] + second[k]);
      double scale = deviation.applyAsDouble(k);
      ratio += change * (sums[k] - middle) / (scale * scale);
    }
  }

  private static IntToDoubleFunction scale(TwoStagePlan.Part part) {
    int length = SymmetricMatrix.length(part.noise().dimension());
    return k -> part.noise().scale(k, length) * part.unit();
  }

  private static double[] inUnits(long... sums) {
    double[] values = new double[sums.length];
    for (int k = 0; k < values.length; k++) {
      values[k] = sums[k] * TwoStageRelease.UNIT;
    }
    return values;
  }

  private double[] moments(double[]... rows) {
    int size = both.mechanism().schema().dimension();
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

  private static double[][] mapped(double[][] rows, RowTransform transform) {
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

  private static double[][] shortened(double[]... rows) {
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

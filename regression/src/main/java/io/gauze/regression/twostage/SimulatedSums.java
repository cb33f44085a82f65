package io.gauze.regression.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitRandom;
import io.gauze.regression.moments.AdditiveLaw;
import java.util.function.DoubleUnaryOperator;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Noisy sums of normal rows of given moments, as far as these decide them: moments of rows that are
 * not shortened, and counts of norms by a Gamma law of the same mean and variance.
 */
final class SimulatedSums implements RowSums {
  private static final int DRAWS = 2000;

  private final TransformedMoments payload;
  private final DMatrixRMaj moments;
  private final double rows;
  private final FitRandom random;

  /**
   * Creates the sums of one release.
   *
   * @param moments of all rows, the constant first
   * @param rows their number
   */
  SimulatedSums(TransformedMoments payload, DMatrixRMaj moments, double rows, FitRandom random) {
    this.payload = payload;
    this.moments = moments;
    this.rows = rows;
    this.random = random;
  }

  @Override
  public SymmetricMatrix encoded() {
    return SymmetricMatrix.of(noisy(moments, payload.rounds().get(0)));
  }

  private DMatrixRMaj noisy(DMatrixRMaj exact, double deviation) {
    DMatrixRMaj noise = new AdditiveLaw(new MomentNoise.Gaussian(deviation)).sample(exact, random);
    CommonOps_DDRM.addEquals(noise, exact);
    return noise;
  }

  /** The moments of transformed rows. */
  DMatrixRMaj under(RowTransform transform) {
    return TransformedMatrix.under(transform.matrix(), moments);
  }

  @Override
  public long[] norms(RowTransform transform, int round) {
    DMatrixRMaj mean = under(transform);
    CommonOps_DDRM.scale(1.0 / rows, mean);
    return counts(mean, square -> square);
  }

  /**
   * Returns noisy counts of a function of the squared norm of rows.
   *
   * @param mean the second moments of a row, the constant first
   */
  long[] counts(DMatrixRMaj mean, DoubleUnaryOperator of) {
    double[] counts = new double[NormCells.COUNT];
    for (double drawn : squares(mean)) {
      counts[NormCells.of(of.applyAsDouble(drawn))] += rows / DRAWS;
    }
    return noisy(counts);
  }

  /** Returns counts with noise, in units of a release. */
  long[] noisy(double... counts) {
    long[] noisy = new long[counts.length];
    for (int cell = 0; cell < noisy.length; cell++) {
      noisy[cell] = units(counts[cell] + payload.counts() * random.nextGaussian());
    }
    return noisy;
  }

  // |z|^2 of normal rows with a constant has the mean tr M and the variance 2 tr C^2 + 4 m'C m for
  // second moments M = C + m m': 2 (tr M^2 - |m|^4) for the means m, the constant's included.
  /**
   * Returns drawn squared norms of rows.
   *
   * @param mean the second moments of a row, the constant first
   */
  double[] squares(DMatrixRMaj mean) {
    double square = 0.0;
    for (int k = 0; k < mean.getNumRows(); k++) {
      square += mean.get(k, 0) * mean.get(k, 0) / mean.get(0, 0);
    }
    double all = 0.0;
    for (double entry : mean.getData()) {
      all += entry * entry;
    }
    double variance = 2.0 * (all - square * square);
    double trace = CommonOps_DDRM.trace(mean);
    double shape = trace * trace / variance;
    double[] drawn = new double[DRAWS];
    for (int draw = 0; draw < DRAWS; draw++) {
      drawn[draw] = trace * random.nextGamma(shape) / shape;
    }
    return drawn;
  }

  @Override
  public long[] moments(RowTransform transform, int round, boolean isLast) {
    double deviation = isLast ? payload.deviation(round) : payload.rounds().get(round);
    DMatrixRMaj noisy = noisy(under(transform), deviation);
    long[] upper = new long[SymmetricMatrix.length(noisy.getNumRows())];
    int next = 0;
    for (int i = 0; i < noisy.getNumRows(); i++) {
      for (int j = i; j < noisy.getNumRows(); j++) {
        upper[next++] = units(noisy.get(i, j));
      }
    }
    return upper;
  }

  private static long units(double value) {
    return Math.round(value / TwoStageRelease.UNIT);
  }
}

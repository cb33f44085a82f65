package io.gauze.regression.strata;

import io.gauze.linalg.Spectrum;
import io.gauze.regression.Loss;
import io.gauze.regression.rows.RowsFit;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** The errors of a fit of strata that its bootstrap does not see. */
final class StrataErrors {
  /** The variance of a triangular law on [-1, 1]: what noise hides is bounded, and often small. */
  private static final double TRIANGULAR = 1.0 / 6.0;

  private static final double NEGLIGIBLE = 1e-13;

  private StrataErrors() {}

  /**
   * The excess of a fit of the strata without noise: rows of a stratum are not normal. It depends
   * on how much the features explain, for if they explain nothing their law does not matter.
   *
   * @param explained the share of the best constant's loss that the fit takes off
   */
  static double approximation(Loss loss, double explained) {
    return Math.pow(explained, Tuning.EXPLAINED_POWER) * loss.accept(new Size());
  }

  /**
   * The same for strata of the response's own residual. These are right where the fit stays at
   * least squares, and the further it goes from there, the more the law of the rows within a
   * stratum matters.
   *
   * @param apart the loss of the slopes of least squares over the least one, minus 1
   */
  static double ofResiduals(double apart) {
    return Tuning.APART * apart;
  }

  private static final class Size implements Loss.Reader<Double> {
    @Override
    public Double squared() {
      return 0.0;
    }

    @Override
    public Double quantile(Loss.Quantile quantile) {
      return Tuning.LOSS_OF_MEDIAN
          + Tuning.LOSS_OF_OUTER_QUANTILES * Math.abs(2.0 * quantile.tau() - 1.0);
    }

    @Override
    public Double huber(Loss.Huber huber) {
      return Tuning.LOSS_OF_HUBER;
    }

    @Override
    public Double logistic() {
      throw RowsFit.notFitted();
    }
  }

  /**
   * Returns the mean squared distance of coefficients that a loss has on average if it is above its
   * least one by {@code excess} and all directions have the same part in it.
   */
  static DMatrixRMaj distance(double excess, StrataObjective.Around around) {
    DMatrixRMaj distance = farthest(excess, around);
    CommonOps_DDRM.scale(Tuning.BIAS * Tuning.BIAS / distance.getNumRows(), distance);
    return distance;
  }

  // the loss rises by d'H d / 2 <= excess: (v'd)^2 <= 2 excess v'H^-1 v for each v
  /**
   * Returns the squares of the largest distances that coefficients can have, along each direction,
   * if the loss is above its least one by {@code excess}.
   */
  static DMatrixRMaj farthest(double excess, StrataObjective.Around around) {
    Spectrum spectrum = around.spectrum();
    double least = NEGLIGIBLE * Math.max(0.0, spectrum.largest());
    DMatrixRMaj inverse = spectrum.map(value -> value > least ? 1.0 / value : 0.0);
    CommonOps_DDRM.scale(2.0 * excess, inverse);
    return inverse;
  }

  // A release does not determine the coefficients b0 along a direction v where noise exceeds
  // signal. Their share in the response can hardly exceed the residual:
  //   (v'b0)^2 <= rss / max(w, sigma sqrt m), w the eigenvalue.
  // It is taken for triangular within that bound. The bootstrap treats the released b as the truth,
  // and does not see it.
  /** Adds what noise hides of the coefficients, along directions where it exceeds signal. */
  static void addUnseen(DMatrixRMaj distance, Spectrum features, double edge, Residual residual) {
    for (int k = 0; k < distance.getNumRows(); k++) {
      if (features.value(k) < edge) {
        DMatrixRMaj v = features.vector(k);
        double most = residual.square() / Math.max(features.value(k), residual.noise());
        CommonOps_DDRM.multAddTransB(TRIANGULAR * most, v, v, distance);
      }
    }
  }

  /**
   * The residual of least squares.
   *
   * @param square its sum of squares
   * @param noise the size of the noise
   */
  record Residual(double square, double noise) {}

  /**
   * Returns the coefficients that depend on directions where noise exceeds signal; all if too few
   * are left.
   */
  static Set<Integer> unknown(Spectrum features, double edge, int size) {
    double[] share = new double[size];
    for (int k = 0; k < size; k++) {
      if (features.value(k) < edge) {
        for (int j = 0; j < size; j++) {
          share[j] += features.vector(k).get(j) * features.vector(k).get(j);
        }
      }
    }
    Set<Integer> unknown = new HashSet<>();
    for (int j = 0; j < size; j++) {
      if (share[j] > Tuning.UNKNOWN) {
        unknown.add(j);
      }
    }
    return size - unknown.size() < Tuning.ENOUGH_KNOWN * size
        ? IntStream.range(0, size).boxed().collect(Collectors.toSet())
        : unknown;
  }
}

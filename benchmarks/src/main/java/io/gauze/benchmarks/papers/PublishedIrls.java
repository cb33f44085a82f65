package io.gauze.benchmarks.papers;

import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Iteratively reweighted least squares as M. Park and M. Welling (2016) published it, and without
 * noise. NOT PRIVATE, whatever its epsilon: Wishart noise of d + 1 degrees of freedom is positive
 * definite, and the Gaussian noise is calibrated by a theorem that does not compose as the paper
 * composes it. For comparison alone; noise from a fixed seed.
 *
 * <p>The paper divides sums by the number of rows and multiplies weights by its cap. Neither
 * changes the model.
 */
final class PublishedIrls {
  /** The delta of advanced composition and of Gaussian noise; the paper does not say which. */
  static final double DELTA = 1e-4;

  private static final int P = IrlsData.FEATURES;

  /** How the paper gets epsilon' of one of 2 J noises. */
  enum Accounting {
    /** Basic composition. */
    PLAIN {
      @Override
      double each(double epsilon, int times) {
        return epsilon / times;
      }
    },
    /** Advanced composition: {@code sqrt(2 k ln(1/delta)) e + k e (exp(e) - 1)}. */
    ADVANCED {
      @Override
      double each(double epsilon, int times) {
        double low = 0.0;
        double high = epsilon;
        for (int i = 0; i < 60; i++) {
          double e = 0.5 * (low + high);
          double spent =
              Math.sqrt(2.0 * times * Math.log(1.0 / DELTA)) * e + times * e * Math.expm1(e);
          low = spent <= epsilon ? e : low;
          high = spent <= epsilon ? high : e;
        }
        return low;
      }
    },
    /** Concentrated privacy. */
    CONCENTRATED {
      @Override
      double each(double epsilon, int times) {
        return Math.sqrt(2.0 * epsilon / times);
      }
    };

    abstract double each(double epsilon, int times);
  }

  private final double each;
  private final boolean gaussian;

  private PublishedIrls(double each, boolean gaussian) {
    this.each = each;
    this.gaussian = gaussian;
  }

  /** Returns the model of rounds without any noise. */
  static double[] withoutNoise(IrlsData data, double threshold, int rounds) {
    double[] model = new double[P];
    for (int round = 0; round < rounds; round++) {
      model = moments(data, model, round, threshold).solve();
    }
    return model;
  }

  /** Returns the model of the paper's rounds. */
  static double[] fit(
      IrlsData data,
      Accounting accounting,
      boolean gaussian,
      IrlsFigure.Setting setting,
      long seed) {
    PublishedIrls paper =
        new PublishedIrls(accounting.each(setting.epsilon(), 2 * setting.rounds()), gaussian);
    SplittableRandom random = new SplittableRandom(seed);
    double[] model = new double[P];
    for (int round = 0; round < setting.rounds(); round++) {
      Moments moments = moments(data, model, round, setting.threshold());
      paper.addNoise(moments, random);
      model = moments.solve();
    }
    return model;
  }

  private void addNoise(Moments moments, SplittableRandom random) {
    for (int j = 0; j < P; j++) {
      moments.right.data[j] += gaussian ? normalNoise(random) : laplaceNoise(random);
    }
    double deviation = Math.sqrt(0.5 / each);
    double[] z = new double[P];
    for (int k = 0; k <= P; k++) {
      for (int j = 0; j < P; j++) {
        z[j] = deviation * random.nextGaussian();
      }
      for (int i = 0; i < P; i++) {
        for (int j = 0; j < P; j++) {
          moments.left.add(i, j, z[i] * z[j]);
        }
      }
    }
  }

  private double normalNoise(SplittableRandom random) {
    return Math.sqrt(2.0 * Math.log(1.25 / DELTA)) * 2.0 / each * random.nextGaussian();
  }

  private double laplaceNoise(SplittableRandom random) {
    double size = -Math.log1p(-random.nextDouble()) * 2.0 * Math.sqrt(P) / each;
    return random.nextBoolean() ? size : -size;
  }

  private static Moments moments(IrlsData data, double[] model, int round, double threshold) {
    Moments moments = new Moments();
    double[] left = moments.left.data;
    double[] row = new double[P];
    for (int i = 0; i < data.rows(); i++) {
      double size = Math.abs(data.residual(i, model));
      double weight = round == 0 || size <= threshold ? 1.0 : threshold / size;
      for (int j = 0; j < P; j++) {
        row[j] = data.feature(i, j);
      }
      double weighted = weight * data.response(i);
      for (int j = 0; j < P; j++) {
        double factor = weight * row[j];
        for (int k = j; k < P; k++) {
          left[j * P + k] += factor * row[k];
        }
        moments.right.data[j] += weighted * row[j];
      }
    }
    for (int j = 0; j < P; j++) {
      for (int k = 0; k < j; k++) {
        left[j * P + k] = left[k * P + j];
      }
    }
    return moments;
  }

  private static final class Moments {
    private final DMatrixRMaj left = new DMatrixRMaj(P, P);
    private final DMatrixRMaj right = new DMatrixRMaj(P, 1);

    double[] solve() {
      DMatrixRMaj model = new DMatrixRMaj(P, 1);
      if (!CommonOps_DDRM.solve(left, right, model)) {
        throw new IllegalStateException("moments must not be singular");
      }
      return model.data;
    }
  }
}

package io.gauze.regression.moments;

import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of noise that does not depend on the moments. Its entries are uncorrelated, of one
 * variance on the diagonal and another off it.
 *
 * @param noise its law
 */
public record AdditiveLaw(MomentNoise noise) implements NoiseLaw {
  @Override
  public double unit(int size) {
    return Math.sqrt(2.0 * noise.rowVariance(size));
  }

  @Override
  public double edge(int size) {
    return noise.edge(size);
  }

  @Override
  public double reach(int size) {
    return noise.reach(size);
  }

  // Cov((E u)_i, (E u)_j) = sum over k, l of u_k u_l Cov(E_ik, E_jl), not 0 where {i, k} = {j, l}:
  //   i = j:  sum_k u_k^2 v + u_i^2 (d - v)     (d on the diagonal, v off it)
  //   i /= j: k = j, l = i: u_j u_i v.
  // Together v (|u|^2 I + u u') + (d - 2 v) diag(u_i^2).
  @Override
  public DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u, double value) {
    int features = u.getNumRows() - 1;
    double v = noise.offDiagonalVariance();
    double norm2 = CommonOps_DDRM.dot(u, u);
    DMatrixRMaj covariance = new DMatrixRMaj(features, features);
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        covariance.set(i, j, v * u.get(i) * u.get(j));
      }
      covariance.add(i, i, v * norm2 + surplus() * u.get(i) * u.get(i));
    }
    return covariance;
  }

  // Cov(u'E u, w'E w) = d sum u_i^2 w_i^2 + 4 v sum over i < j of u_i u_j w_i w_j
  //                   = 2 v (u'w)^2 + (d - 2 v) sum u_i^2 w_i^2
  @Override
  public double formCovariance(DMatrixRMaj u, DMatrixRMaj w, double value) {
    double product = CommonOps_DDRM.dot(u, w);
    double fourth = 0;
    for (int i = 0; i < u.getNumRows(); i++) {
      fourth += u.get(i) * u.get(i) * w.get(i) * w.get(i);
    }
    return 2.0 * noise.offDiagonalVariance() * product * product + surplus() * fourth;
  }

  private double surplus() {
    return noise.diagonalVariance() - 2.0 * noise.offDiagonalVariance();
  }

  @Override
  public DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random) {
    return noise.accept(new Sampler(moments.getNumRows(), random));
  }

  /** Draws a matrix of noise less its mean. */
  private record Sampler(int size, FitRandom random) implements MomentNoise.Reader<DMatrixRMaj> {
    /** Draws an entry. */
    private interface Entry {
      double draw(boolean diagonal);
    }

    @Override
    public DMatrixRMaj gaussian(MomentNoise.Gaussian gaussian) {
      return independent(
          diagonal -> {
            double variance =
                diagonal ? gaussian.diagonalVariance() : gaussian.offDiagonalVariance();
            return Math.sqrt(variance) * random.nextGaussian();
          });
    }

    // The difference of two exponential variables is a Laplace variable; that of two Gamma
    // variables is a sum of Laplace variables.
    @Override
    public DMatrixRMaj laplace(MomentNoise.Laplace laplace) {
      return independent(
          diagonal -> {
            double scale = diagonal ? laplace.diagonalScale() : laplace.offDiagonalScale();
            double positive = random.nextGamma(laplace.terms());
            double negative = random.nextGamma(laplace.terms());
            return scale * (positive - negative);
          });
    }

    @Override
    public DMatrixRMaj wishart(MomentNoise.Wishart wishart) {
      DMatrixRMaj error = new DMatrixRMaj(size, size);
      DMatrixRMaj root = random.nextWishartRoot(size, wishart.degrees());
      CommonOps_DDRM.multTransA(wishart.scale(), root, root, error);
      for (int i = 0; i < size; i++) {
        error.add(i, i, -wishart.degrees() * wishart.scale());
      }
      return error;
    }

    private DMatrixRMaj independent(Entry law) {
      DMatrixRMaj error = new DMatrixRMaj(size, size);
      for (int i = 0; i < size; i++) {
        for (int j = i; j < size; j++) {
          double entry = law.draw(i == j);
          error.set(i, j, entry);
          error.set(j, i, entry);
        }
      }
      return error;
    }
  }
}

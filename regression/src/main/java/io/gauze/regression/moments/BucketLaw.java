package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of the error of debiased bucket rows. Over sketch and noise each of the r rows of Y has
 * mean 0 and covariance Q = M / r + sigma^2 I, and rows are independent (Gaussian projection) or
 * nearly so (CountSketch), so that E = Y'Y - r Q is a centred Wishart matrix, or close to one. It
 * contains the noise (N'N - r sigma^2 I), the noise times the sums (C'N + N'C), and the sketching
 * error (C'C - M; for a CountSketch exactly without the i = k terms, which are 1/n of it).
 *
 * @param buckets r
 * @param sigma standard deviation of each entry of N
 */
public record BucketLaw(int buckets, double sigma) implements NoiseLaw {
  @Override
  public double unit(int size) {
    return sigma * sigma * Math.sqrt(2.0 * buckets * size);
  }

  // Marchenko and Pastur: N'N ends at sigma^2 (sqrt r + sqrt size)^2, less its mean r sigma^2.
  @Override
  public double edge(int size) {
    return sigma * sigma * (2.0 * Math.sqrt((double) buckets * size) + size);
  }

  @Override
  public double reach(int size) {
    return sigma * sigma * MomentNoise.wishartReach(buckets, size);
  }

  // Wishart: Cov(E_ik, E_jl) = r (Q_ij Q_kl + Q_il Q_kj), so Cov(E u) = r (u'Q u Q + Q u u'Q) for a
  // fixed u. At fitted coefficients the first part contains their error over the rows of Y, whose
  // covariance is u'Q u Q_xx^-1 / (r - p - 1) and not / r. Between the inverses of the observed
  // moments, which spread by themselves, that is too much by a share of at most
  // (p + 1) / (r - p - 1). It is kept, on the safe side, since the pull of a ridge is estimated
  // from the same b.
  @Override
  public DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u, double value) {
    int features = u.getNumRows() - 1;
    DMatrixRMaj q = mean(moments);
    DMatrixRMaj image = new DMatrixRMaj(features + 1, 1);
    CommonOps_DDRM.mult(q, u, image);
    double residual = value + noise(CommonOps_DDRM.dot(u, u));
    double factor = residual * buckets / (buckets - features - 1.0);
    DMatrixRMaj covariance = new DMatrixRMaj(features, features);
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        covariance.set(i, j, factor * q.get(i, j) + buckets * image.get(i) * image.get(j));
      }
    }
    return covariance;
  }

  // Cov(u'E u, v'E v) = 2 r (u'Q v)^2
  @Override
  public double formCovariance(DMatrixRMaj u, DMatrixRMaj v, double value) {
    double product = value + noise(CommonOps_DDRM.dot(u, v));
    return 2.0 / buckets * product * product;
  }

  // |Y u|^2 of the noisy buckets Y has r - p degrees of freedom, r sigma^2 |u|^2 of it noise.
  @Override
  public double residual(double noisy, double norm2, int features) {
    double factor = buckets / ((double) buckets - features);
    return (noisy + noise(norm2)) * factor - noise(norm2);
  }

  private double noise(double norm2) {
    return buckets * sigma * sigma * norm2;
  }

  @Override
  public DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random) {
    int size = moments.getNumRows();
    DMatrixRMaj q = mean(moments);
    DMatrixRMaj rows = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(random.nextWishartRoot(size, buckets), Spectrum.root(q), rows);
    CommonOps_DDRM.scale(-buckets, q);
    CommonOps_DDRM.multAddTransA(rows, rows, q);
    return q;
  }

  private DMatrixRMaj mean(DMatrixRMaj moments) {
    DMatrixRMaj q = moments.copy();
    CommonOps_DDRM.divide(q, buckets);
    for (int i = 0; i < q.getNumRows(); i++) {
      q.add(i, i, sigma * sigma);
    }
    return q;
  }
}

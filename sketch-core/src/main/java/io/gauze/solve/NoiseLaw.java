package io.gauze.solve;

import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of the error E = G - M of released moments G around the moments M of the rows: mean 0,
 * symmetric.
 *
 * <p>Everything a fit says about the release's error follows from two covariances, those of {@code
 * E u} and of {@code u'E u} for a fixed vector u.
 */
sealed interface NoiseLaw {
  /**
   * Sigma such that noise of N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) off it is the part
   * of the error that does not shrink with the moments.
   */
  double scale();

  /** Where the eigenvalues of E end if there are no rows at all, for E of the given size. */
  double edge(int size);

  /**
   * The covariance of the first p entries of E u.
   *
   * @param moments M or an estimate, (p + 1) x (p + 1), positive semidefinite
   * @param u a column of p + 1 numbers
   */
  DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u);

  /**
   * The standard deviation of u'E u.
   *
   * @param value u'M u or an estimate, at least 0
   * @param norm2 |u|^2
   */
  double deviation(double value, double norm2);

  /** The law that belongs to released input. */
  static NoiseLaw of(MomentsInput input) {
    if (input instanceof ReleasedMoments released
        && released.noise() instanceof MomentNoise.Gaussian gaussian) {
      return new Symmetric(gaussian.sigma());
    }
    if (input instanceof ReleasedRows rows) {
      return new Buckets(rows.buckets(), rows.sigma());
    }
    throw new IllegalArgumentException(
        "input must be a release. Provided value: " + input.getClass().getSimpleName());
  }

  /**
   * Independent entries on and above the diagonal.
   *
   * @param sigma standard deviation on the diagonal; sigma / sqrt 2 off it
   */
  record Symmetric(double sigma) implements NoiseLaw {
    @Override
    public double scale() {
      return sigma;
    }

    // Wigner's semicircle has radius 2 sqrt(size) times the deviation off the diagonal
    @Override
    public double edge(int size) {
      return sigma * Math.sqrt(2.0 * size);
    }

    // Cov((E u)_i, (E u)_j) = sum over k, l of u_k u_l Cov(E_ik, E_jl), not 0 where {i, k} = {j,
    // l}:
    //   i = j:  sum_k u_k^2 sigma^2 / 2 + u_i^2 sigma^2 / 2   (the diagonal has twice the variance)
    //   i /= j: k = j, l = i: u_j u_i sigma^2 / 2.
    // Together sigma^2 / 2 (|u|^2 I + u u').
    @Override
    public DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u) {
      int features = u.getNumRows() - 1;
      double half = 0.5 * sigma * sigma;
      double norm2 = CommonOps_DDRM.dot(u, u);
      DMatrixRMaj covariance = new DMatrixRMaj(features, features);
      for (int i = 0; i < features; i++) {
        for (int j = 0; j < features; j++) {
          covariance.set(i, j, half * ((i == j ? norm2 : 0.0) + u.get(i) * u.get(j)));
        }
      }
      return covariance;
    }

    // Var(u'E u) = u' Cov(E u) u = sigma^2 / 2 (|u|^4 + |u|^4)
    @Override
    public double deviation(double value, double norm2) {
      return sigma * norm2;
    }

    /** One draw of E, of the given size. */
    DMatrixRMaj sample(int size, FitRandom random) {
      DMatrixRMaj noise = new DMatrixRMaj(size, size);
      for (int i = 0; i < size; i++) {
        noise.set(i, i, sigma * random.nextGaussian());
        for (int j = i + 1; j < size; j++) {
          double entry = Math.sqrt(0.5) * sigma * random.nextGaussian();
          noise.set(i, j, entry);
          noise.set(j, i, entry);
        }
      }
      return noise;
    }
  }

  /**
   * Bucket rows, debiased. Over hashes, signs and noise each of the r rows of Y has mean 0 and
   * covariance Q = M / r + sigma^2 I, and rows are nearly independent, so that E = Y'Y - r Q is
   * close to a centred Wishart matrix. It holds the noise (N'N - r sigma^2 I), the noise times the
   * sums (C'N + N'C), and the sketching error (C'C - M; exactly without the i = k terms, which are
   * 1/n of it).
   *
   * @param buckets r
   * @param sigma standard deviation of each entry of N
   */
  record Buckets(int buckets, double sigma) implements NoiseLaw {
    @Override
    public double scale() {
      return sigma * sigma * Math.sqrt(2.0 * buckets);
    }

    // Marchenko and Pastur: N'N ends at sigma^2 (sqrt r + sqrt size)^2, of which r sigma^2 is taken
    @Override
    public double edge(int size) {
      return sigma * sigma * (2.0 * Math.sqrt((double) buckets * size) + size);
    }

    // Wishart: Cov(E_ik, E_jl) = r (Q_ij Q_kl + Q_il Q_kj), so Cov(E u) = r (u'Q u Q + Q u u'Q).
    // u'Q u is the variance of a bucket's residual at coefficients that were fitted to these r
    // buckets: p degrees of freedom are gone, hence r / (r - p).
    @Override
    public DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u) {
      int size = u.getNumRows();
      DMatrixRMaj q = moments.copy();
      CommonOps_DDRM.divide(q, buckets);
      for (int i = 0; i < size; i++) {
        q.add(i, i, sigma * sigma);
      }
      DMatrixRMaj image = new DMatrixRMaj(size, 1);
      CommonOps_DDRM.mult(q, u, image);
      double residual = CommonOps_DDRM.dot(u, image) * buckets / (buckets - (size - 1.0));
      DMatrixRMaj covariance = CommonOps_DDRM.extract(q, 0, size - 1, 0, size - 1);
      for (int i = 0; i < size - 1; i++) {
        for (int j = 0; j < size - 1; j++) {
          double entry = residual * q.get(i, j) + image.get(i) * image.get(j);
          covariance.set(i, j, buckets * entry);
        }
      }
      return covariance;
    }

    // Var(u'E u) = 2 r (u'Q u)^2
    @Override
    public double deviation(double value, double norm2) {
      return Math.sqrt(2.0 / buckets) * (value + buckets * sigma * sigma * norm2);
    }
  }
}

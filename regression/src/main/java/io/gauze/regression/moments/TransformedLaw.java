package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of {@code R E R'} for noise E of {@link MomentNoise.Gaussian}, which depends on {@code K
 * = R R'} alone, since the law of E is that of {@code U E U'} for every orthogonal U.
 */
public final class TransformedLaw implements NoiseLaw {
  private final MomentNoise.Gaussian noise;
  private final DMatrixRMaj shape;
  private final DMatrixRMaj root;

  /**
   * Creates a law.
   *
   * @param noise the law of E
   * @param shape K, symmetric and positive semidefinite
   */
  public TransformedLaw(MomentNoise.Gaussian noise, DMatrixRMaj shape) {
    this.noise = noise;
    this.shape = shape.copy();
    this.root = Spectrum.root(shape);
  }

  /** That of the noise if all directions had the mean one of K. */
  @Override
  public double unit(int size) {
    return Math.sqrt(2.0 * noise.rowVariance(size)) * CommonOps_DDRM.trace(shape) / order();
  }

  private int order() {
    return shape.getNumRows();
  }

  @Override
  public double edge(int size) {
    return noise.edge(size);
  }

  @Override
  public double reach(int size) {
    return noise.reach(size);
  }

  // With S = K^(-1/2) for these columns, S R E R'S is noise of the law of E.
  @Override
  public DMatrixRMaj isotropic(DMatrixRMaj moments) {
    int size = moments.getNumRows();
    DMatrixRMaj map =
        Spectrum.of(CommonOps_DDRM.extract(shape, 0, size, 0, size))
            .map(value -> 1.0 / Math.sqrt(Math.max(Double.MIN_NORMAL, value)));
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    DMatrixRMaj result = new DMatrixRMaj(size, size);
    CommonOps_DDRM.mult(map, moments, half);
    CommonOps_DDRM.mult(half, map, result);
    return result;
  }

  // Cov(R E R'u) = R Cov(E w) R' for w = R'u, and Cov(E w) = v (|w|^2 I + w w').
  @Override
  public DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u, double value) {
    int features = u.getNumRows() - 1;
    DMatrixRMaj image = times(u);
    double square = CommonOps_DDRM.dot(u, image);
    DMatrixRMaj covariance = CommonOps_DDRM.extract(shape, 0, features, 0, features);
    CommonOps_DDRM.scale(square, covariance);
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        covariance.add(i, j, image.get(i) * image.get(j));
      }
    }
    CommonOps_DDRM.scale(noise.offDiagonalVariance(), covariance);
    return covariance;
  }

  @Override
  public double formCovariance(DMatrixRMaj u, DMatrixRMaj w, double value) {
    double product = CommonOps_DDRM.dot(u, times(w));
    return 2.0 * noise.offDiagonalVariance() * product * product;
  }

  private DMatrixRMaj times(DMatrixRMaj u) {
    DMatrixRMaj image = new DMatrixRMaj(order(), 1);
    CommonOps_DDRM.mult(shape, u, image);
    return image;
  }

  @Override
  public DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random) {
    DMatrixRMaj half = new DMatrixRMaj(order(), order());
    DMatrixRMaj sample = new DMatrixRMaj(order(), order());
    CommonOps_DDRM.mult(root, new AdditiveLaw(noise).sample(moments, random), half);
    CommonOps_DDRM.multTransB(half, root, sample);
    return sample;
  }
}

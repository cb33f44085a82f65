package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitRandom;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of a sum of independent noises {@code R E R'}, each E of {@link MomentNoise.Gaussian}. It
 * depends on the products {@code K = R R'} alone, since the law of E is that of {@code U E U'} for
 * every orthogonal U.
 *
 * @param parts at least one
 */
public record TransformedLaw(List<Part> parts) implements NoiseLaw {
  /**
   * One noise.
   *
   * @param noise the law of E
   * @param shape K, symmetric and positive semidefinite; not changed
   */
  public record Part(MomentNoise.Gaussian noise, DMatrixRMaj shape) {}

  public TransformedLaw {
    parts = List.copyOf(parts);
  }

  private double variance() {
    return parts.stream().mapToDouble(part -> part.noise.offDiagonalVariance()).sum();
  }

  /** The mean of the shapes, by the variances of the noises. */
  private DMatrixRMaj shape(int size) {
    DMatrixRMaj mean = new DMatrixRMaj(size, size);
    for (Part part : parts) {
      CommonOps_DDRM.addEquals(
          mean,
          part.noise.offDiagonalVariance() / variance(),
          CommonOps_DDRM.extract(part.shape, 0, size, 0, size));
    }
    return mean;
  }

  /** Noise of the variances of all, without a direction. */
  private MomentNoise.Gaussian all() {
    return new MomentNoise.Gaussian(Math.sqrt(2.0 * variance()));
  }

  /** That of the noise if all directions had the mean one. */
  @Override
  public double unit(int size) {
    double mean = CommonOps_DDRM.trace(shape(size)) / size;
    return Math.sqrt(2.0 * all().rowVariance(size)) * mean;
  }

  @Override
  public double edge(int size) {
    return all().edge(size);
  }

  @Override
  public double reach(int size) {
    return all().reach(size);
  }

  // With S = K^(-1/2) for these columns, S R E R'S is noise of the law of E.
  @Override
  public DMatrixRMaj isotropic(DMatrixRMaj moments) {
    int size = moments.getNumRows();
    DMatrixRMaj map =
        Spectrum.of(shape(size)).map(value -> 1.0 / Math.sqrt(Math.max(Double.MIN_NORMAL, value)));
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
    DMatrixRMaj covariance = new DMatrixRMaj(features, features);
    for (Part part : parts) {
      double v = part.noise.offDiagonalVariance();
      DMatrixRMaj image = times(part, u);
      double square = CommonOps_DDRM.dot(u, image);
      for (int i = 0; i < features; i++) {
        for (int j = 0; j < features; j++) {
          covariance.add(i, j, v * (square * part.shape.get(i, j) + image.get(i) * image.get(j)));
        }
      }
    }
    return covariance;
  }

  @Override
  public double formCovariance(DMatrixRMaj u, DMatrixRMaj w, double value) {
    double sum = 0.0;
    for (Part part : parts) {
      double product = CommonOps_DDRM.dot(u, times(part, w));
      sum += 2.0 * part.noise.offDiagonalVariance() * product * product;
    }
    return sum;
  }

  private static DMatrixRMaj times(Part part, DMatrixRMaj u) {
    DMatrixRMaj image = new DMatrixRMaj(u.getNumRows(), 1);
    CommonOps_DDRM.mult(part.shape, u, image);
    return image;
  }

  @Override
  public DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random) {
    int size = moments.getNumRows();
    DMatrixRMaj sum = new DMatrixRMaj(size, size);
    for (Part part : parts) {
      DMatrixRMaj root = Spectrum.root(part.shape);
      DMatrixRMaj half = new DMatrixRMaj(size, size);
      DMatrixRMaj sample = new DMatrixRMaj(size, size);
      CommonOps_DDRM.mult(root, new AdditiveLaw(part.noise).sample(moments, random), half);
      CommonOps_DDRM.multTransB(half, root, sample);
      CommonOps_DDRM.addEquals(sum, sample);
    }
    return sum;
  }
}

package io.gauze.regression.moments;

import io.gauze.linalg.Spectrum;
import io.gauze.regression.FitRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * The law of the error of inverse Wishart moments: E = g V - X with X = M + psi I and {@code V^-1}
 * of the law W(X^-1, nu), where g = nu - D - 1. A block of m columns has the same g: its degrees of
 * freedom are g + m + 1.
 *
 * @param freedom g, at least 3
 * @param psi the number that was added to the diagonal of the moments
 */
// Moments of the law: D. von Rosen, Moments for the inverted Wishart distribution, Scandinavian
// Journal of Statistics 15 (1988): E V = X / g and
//   Cov(V_ij, V_kl) = [2 X_ij X_kl + g (X_ik X_jl + X_il X_jk)] / [(g + 1) g^2 (g - 2)].
public record InverseLaw(int freedom, double psi) implements NoiseLaw {
  // Without rows an entry off the diagonal has variance psi^2 g / [(g + 1) (g - 2)].
  @Override
  public double unit(int size) {
    return psi * Math.sqrt(2.0 * size * freedom / ((freedom + 1.0) * (freedom - 2.0)));
  }

  // g V ends at g psi over the least eigenvalue of W(I, nu), (sqrt nu - sqrt m)^2.
  @Override
  public double edge(int size) {
    return excess(size, 0.0);
  }

  // Tracy and Widom's law at the lower end, like MomentNoise.wishartReach at the upper end.
  @Override
  public double reach(int size) {
    return excess(size, 3.3);
  }

  private double excess(int size, double t) {
    double root = Math.sqrt(freedom + size + 1.0);
    double gap = root - Math.sqrt(size);
    double spread = gap * Math.cbrt(1.0 / Math.sqrt(size) - 1.0 / root);
    // With few degrees of freedom the law leaves no room; a tenth of its end is used then.
    double least = Math.max(gap * gap - t * spread, 0.1 * gap * gap);
    return psi * (freedom / least - 1.0);
  }

  // From the covariance above, Cov(E u) = [g u'X u X + (g + 2) X u u'X] / [(g + 1) (g - 2)] for a
  // fixed u. At fitted coefficients the first part contains their error over the nu rows of V^-1,
  // the regression of the response there: given the others it is normal with covariance u'X u
  // X_xx^-1 over a chi-square of nu degrees of freedom, on average over nu - 2 = g + p.
  @Override
  public DMatrixRMaj covariance(DMatrixRMaj moments, DMatrixRMaj u, double value) {
    int features = u.getNumRows() - 1;
    DMatrixRMaj x = shifted(moments);
    DMatrixRMaj image = new DMatrixRMaj(features + 1, 1);
    CommonOps_DDRM.mult(x, u, image);
    double residual = (value + psi * CommonOps_DDRM.dot(u, u)) / (freedom + features);
    double factor = (freedom + 2.0) / ((freedom + 1.0) * (freedom - 2.0));
    DMatrixRMaj covariance = new DMatrixRMaj(features, features);
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        covariance.set(i, j, residual * x.get(i, j) + factor * image.get(i) * image.get(j));
      }
    }
    return covariance;
  }

  // From the covariance above, Cov(u'E u, v'E v) =
  //   [2 (u'X u) (v'X v) + 2 g (u'X v)^2] / [(g + 1) (g - 2)],
  // and 2 (u'X u)^2 / (g - 2) for u = v. (u'X v)^2 takes the place of (u'X u) (v'X v), which is a
  // g-th of the whole.
  @Override
  public double formCovariance(DMatrixRMaj u, DMatrixRMaj v, double value) {
    double product = value + psi * CommonOps_DDRM.dot(u, v);
    return 2.0 * product * product / (freedom - 2.0);
  }

  // The residual of the response fitted to V is 1 / (V^-1)_yy, which is that of X over a chi-square
  // of nu degrees of freedom: on average over g + p, and not over g.
  @Override
  public double residual(double noisy, double norm2, int features) {
    double factor = (freedom + (double) features) / freedom;
    return (noisy + psi * norm2) * factor - psi * norm2;
  }

  // X = U'U, W = R'R of the law W(I, nu): V = U' W^-1 U, for V^-1 = U^-1 W U^-T.
  @Override
  public DMatrixRMaj sample(DMatrixRMaj moments, FitRandom random) {
    int size = moments.getNumRows();
    DMatrixRMaj x = shifted(moments);
    DMatrixRMaj root = random.nextWishartRoot(size, freedom + size + 1.0);
    CommonOps_DDRM.invert(root);
    DMatrixRMaj half = new DMatrixRMaj(size, size);
    CommonOps_DDRM.multTransA(root, Spectrum.root(x), half);
    CommonOps_DDRM.scale(-1.0, x);
    CommonOps_DDRM.multAddTransA(freedom, half, half, x);
    return x;
  }

  private DMatrixRMaj shifted(DMatrixRMaj moments) {
    DMatrixRMaj x = moments.copy();
    for (int i = 0; i < x.getNumRows(); i++) {
      x.add(i, i, psi);
    }
    return x;
  }
}

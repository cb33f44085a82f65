package io.gauze.mechanism.twostage;

import io.gauze.linalg.Spectrum;
import java.util.Arrays;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;

/**
 * Where noisy moments say that rows lie: their number, mean and covariance C, and the step of a
 * transform that centres and whitens them. A function of a release alone.
 *
 * <p>Directions that noise hides seem as wide as the noise: the step is made for C + rho I, rho the
 * edge of the noise's spectrum in C. Of a direction of variance w the transformed rows then have
 * the mean square w / (w + rho).
 */
final class Whitening {
  /** A direction that noise hides is taken for so much of the floor. */
  private static final double LEAST_SIGNAL = 0.05;

  /**
   * Of a direction that stands out from the noise, which is less wide than the direction itself.
   */
  private static final double CLEAR_SIGNAL = 0.5;

  /** The variance of a residual is taken for at least so much of that of the response. */
  private static final double LEAST_RESIDUAL = 0.05;

  private final double constant;
  private final double rows;
  private final double[] mean;
  private final DMatrixRMaj covariance;
  private final double deviation; // of an entry of the noise in the sums
  private final double floor; // rho
  private final double[] signals; // of the directions, falling

  /**
   * Reads moments.
   *
   * @param moments D x D, the constant first
   * @param deviation of their noise on the diagonal; divided by sqrt 2 off it
   * @param constant of a row, positive
   */
  // The number of rows is at least what noise alone shows, so that all else is finite.
  Whitening(DMatrixRMaj moments, double deviation, double constant) {
    DMatrixRMaj positive = Spectrum.of(moments).map(value -> Math.max(0.0, value));
    int size = moments.getNumRows() - 1;
    this.constant = constant;
    this.deviation = deviation;
    this.rows = Math.max(positive.get(0, 0), deviation) / (constant * constant);
    this.mean = new double[size];
    for (int k = 0; k < size; k++) {
      mean[k] = positive.get(0, k + 1) / (constant * rows);
    }
    this.covariance = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        covariance.set(i, j, positive.get(i + 1, j + 1) / rows - mean[i] * mean[j]);
      }
    }
    this.floor = Math.sqrt(2.0 * size) * deviation / rows;
    this.signals = signals(Spectrum.values(covariance));
  }

  private double[] signals(double... ascending) {
    double[] signals = new double[ascending.length];
    for (int k = 0; k < signals.length; k++) {
      double variance = Math.max(0.0, ascending[signals.length - 1 - k]);
      signals[k] = Math.max(LEAST_SIGNAL, variance / (variance + floor));
    }
    return signals;
  }

  /** The mean squared norm of the rows. */
  double meanSquare() {
    return constant * constant + squareOfMean() + CommonOps_DDRM.trace(covariance);
  }

  private double squareOfMean() {
    return Arrays.stream(mean).map(each -> each * each).sum();
  }

  /** Whether the mean is no farther away from the origin than rows are from the mean. */
  boolean isCentred() {
    return squareOfMean() <= CommonOps_DDRM.trace(covariance);
  }

  /** The variance of the last column over that of the last entry of rows after a step. */
  double lastSquare(Step step) {
    int last = mean.length;
    double scale = step.map().get(last, last);
    return Math.max(0.0, covariance.get(last - 1, last - 1)) * scale * scale * step.square();
  }

  /** Whether the mean direction stands out from the noise. */
  boolean isClear() {
    return CommonOps_DDRM.trace(covariance) > floor * mean.length;
  }

  /** An estimate of the number of rows, low if long ones were shortened. */
  double rows() {
    return rows;
  }

  /** Whether all directions of the rows stand out from the noise. */
  boolean seesAll() {
    return Arrays.stream(signals).allMatch(signal -> signal > CLEAR_SIGNAL);
  }

  /** Whether noise hides so little that another round is not worth its share. */
  boolean isEnough() {
    return inflation() < Tuning.ENOUGH;
  }

  /** How many times wider the mean direction seems than it is. */
  double inflation() {
    return Arrays.stream(signals).map(signal -> 1.0 / signal).average().orElse(1.0);
  }

  /** Returns the step that whitens all columns, whichever of them will be the response. */
  Step ofAll() {
    double constantAfter = Math.sqrt(Arrays.stream(signals).average().orElse(1.0));
    double[] features = Arrays.copyOf(signals, signals.length - 1);
    double square = constantAfter * constantAfter + Arrays.stream(signals).sum();
    return step(
        lower(covariance, signals.length),
        square,
        constantAfter,
        coefficients(constantAfter, features),
        Arrays.stream(features).sum() + 1.0);
  }

  /**
   * Returns the step that whitens the features and takes what they tell of the last column off it.
   *
   * @param weight of the residual, in multiples of a feature's variance
   */
  Step ofResponse(double weight) {
    int features = mean.length - 1;
    DMatrixRMaj root = new DMatrixRMaj(mean.length, mean.length);
    double[] theirs = {};
    double variance = covariance.get(features, features);
    double residual = variance;
    if (features > 0) {
      DMatrixRMaj block = CommonOps_DDRM.extract(covariance, 0, features, 0, features);
      theirs = signals(Spectrum.values(block));
      CommonOps_DDRM.insert(lower(block, features), root, 0, 0);
      residual += explain(root, block);
    }
    double kept = Math.max(residual, LEAST_RESIDUAL * variance);
    double scale = Math.sqrt(Math.max(0.0, kept) + deviation / rows);
    root.set(features, features, scale / Math.sqrt(weight));
    double sum = Arrays.stream(theirs).sum();
    double constantAfter = Math.sqrt((sum + 1.0) / mean.length);
    double square = constantAfter * constantAfter + sum + weight;
    double coefficients = coefficients(constantAfter, theirs) / weight;
    return step(root, square, constantAfter, coefficients, sum + 1.0);
  }

  // The last row of the root is l' = (L^-1 c)' for the products c of features and response. With
  // b = L^-T l = (C_x + rho I)^-1 c the last entry of L^-1 (a - m) is then the residual of b'x.
  /** Writes the last row of a root, and returns how much the residual's variance is changed. */
  private double explain(DMatrixRMaj root, DMatrixRMaj block) {
    return change(fit(root), block);
  }

  /** Writes the last row of a root, and returns b. */
  private double[] fit(DMatrixRMaj root) {
    int features = mean.length - 1;
    double[] l = new double[features];
    for (int i = 0; i < features; i++) {
      l[i] = covariance.get(i, features);
      for (int k = 0; k < i; k++) {
        l[i] -= root.get(i, k) * l[k];
      }
      l[i] /= root.get(i, i);
      root.set(features, i, l[i]);
    }
    double[] b = l.clone();
    for (int i = features - 1; i >= 0; i--) {
      for (int k = i + 1; k < features; k++) {
        b[i] -= root.get(k, i) * b[k];
      }
      b[i] /= root.get(i, i);
    }
    return b;
  }

  /** Returns the variance of the residual of b less that of the response. */
  private double change(double[] b, DMatrixRMaj block) {
    double change = 0.0;
    for (int i = 0; i < b.length; i++) {
      change -= 2.0 * b[i] * covariance.get(i, b.length);
      for (int k = 0; k < b.length; k++) {
        change += b[i] * block.get(i, k) * b[k];
      }
    }
    return change;
  }

  /** Returns L, lower triangular: L L' = C + rho I, C without its negative eigenvalues. */
  private DMatrixRMaj lower(DMatrixRMaj block, int size) {
    DMatrixRMaj wide = Spectrum.of(block).map(value -> Math.max(0.0, value) + floor);
    var cholesky = DecompositionFactory_DDRM.chol(size, true);
    if (!cholesky.decompose(wide)) {
      throw new IllegalStateException("a matrix with positive eigenvalues has no Cholesky factor");
    }
    return cholesky.getT(null);
  }

  private static double coefficients(double constantAfter, double... signals) {
    return 1.0 / (constantAfter * constantAfter)
        + Arrays.stream(signals).map(signal -> 1.0 / signal).sum();
  }

  // A direction that noise hides is hidden from a new map, too, however narrow it is.
  /**
   * Returns how many times more noise does to fits of rows as they are than to those of rows under
   * a new map, in the directions that stand out from the noise.
   *
   * @param weight of the residual in the new map
   */
  double excessNoise(double weight) {
    int features = mean.length - 1;
    double[] all = {};
    if (features > 0) {
      DMatrixRMaj block = CommonOps_DDRM.extract(covariance, 0, features, 0, features);
      all = signals(Spectrum.values(block));
    }
    double[] clear = Arrays.stream(all).filter(signal -> signal > CLEAR_SIGNAL).toArray();
    double constantAfter = Math.sqrt((Arrays.stream(all).sum() + 1.0) / mean.length);
    double square = ofResponse(weight).square();
    double anew = square * square * coefficients(constantAfter, clear) / weight;
    return asTheyAre(weight).noise() / anew;
  }

  // In the coordinates as they are, b is the fit of the last column and s its residual variance.
  // The noise of products is that of the features times (1, -b), so that of a direction of variance
  // w moves a fit by (1 + |b|^2) / (w s).
  /**
   * Returns the step that leaves rows as they are, but for their mean square.
   *
   * @param weight of the residual in a new map, which decides how many columns count
   */
  Step asTheyAre(double weight) {
    int features = mean.length - 1;
    double square = meanSquare();
    double variance = covariance.get(features, features);
    double residual = variance;
    double size = 1.0;
    double sum = square / (constant * constant);
    if (features > 0) {
      DMatrixRMaj block = CommonOps_DDRM.extract(covariance, 0, features, 0, features);
      DMatrixRMaj root = new DMatrixRMaj(mean.length, mean.length);
      CommonOps_DDRM.insert(lower(block, features), root, 0, 0);
      double[] b = fit(root);
      residual += change(b, block);
      size += Arrays.stream(b).map(each -> each * each).sum();
      for (double each : Spectrum.values(block)) {
        sum += each > floor ? square / each : 0.0; // of what noise hides a fit takes nothing
      }
    }
    double kept = Math.max(residual, LEAST_RESIDUAL * variance) + deviation / rows;
    DMatrixRMaj map = CommonOps_DDRM.identity(mean.length + 1);
    CommonOps_DDRM.scale(1.0 / Math.sqrt(square), map);
    return new Step(map, 1.0, sum * size * square / kept, ofResponse(weight).columns());
  }

  /** Returns z = L^-1 (a - m) with a new constant, divided so that |z|^2 is 1 on average. */
  private Step step(
      DMatrixRMaj root, double square, double constantAfter, double coefficients, double columns) {
    int size = mean.length;
    double[] inverse = root.getData().clone();
    TriangularSolver_DDRM.invertLower(inverse, size);
    DMatrixRMaj map = new DMatrixRMaj(size + 1, size + 1);
    double scale = 1.0 / Math.sqrt(square);
    map.set(0, 0, scale * constantAfter / constant);
    for (int i = 0; i < size; i++) {
      double shift = 0.0;
      for (int j = 0; j <= i; j++) {
        map.set(i + 1, j + 1, scale * inverse[i * size + j]);
        shift += inverse[i * size + j] * mean[j];
      }
      map.set(i + 1, 0, -scale * shift / constant);
    }
    return new Step(map, square, coefficients, columns);
  }

  /**
   * A step of a transform.
   *
   * @param map D x D, lower triangular, of rows whose first entry is the constant
   * @param square what |z|^2 would be on average, had it not been divided by it
   * @param coefficients the sum of the variances of coefficients, over the residual variance and
   *     that of an entry of the noise divided by the squared number of rows
   * @param columns the number of features and the response, as their mean squares are planned
   */
  record Step(DMatrixRMaj map, double square, double coefficients, double columns) {
    /** What noise of rows of mean square 1 does to fits, up to a factor. */
    double noise() {
      return square * square * coefficients;
    }
  }
}

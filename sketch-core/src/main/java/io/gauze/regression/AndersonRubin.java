package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.CoefficientTable.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.InverseErf;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.MatrixFeatures_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * Tests and intervals of combinations of coefficients from noisy moments: Anderson and Rubin's.
 *
 * <p>Let the rows have the moments M, and the release G = M + E. The coefficients b0 of the rows
 * solve (M_xx + l P) b0 = M_xy, so the scores s(b) = H u, H = (G_xx + l P, G_xy), u = (-b, 1), are
 * noise alone at b0. Their covariance C is taken to grow with the square of u:
 *
 * <pre>  T(b) = s' C(b)^-1 s = u'Q u / u'u,   Q = |v|^2 H' C^-1 H,  v the weights of the fit,</pre>
 *
 * <p>C that of the fit, and along directions that noise hides from the fit, what it is at most.
 *
 * <p>A combination w'b has a value if the least T of all b that have it is at most the quantile c
 * of chi-square with one degree of freedom. Such a test has its level even if nothing is known of
 * the other coefficients (P. Guggenberger, F. Kleibergen, S. Mavroeidis and L. Chen, On the
 * asymptotic sizes of subset Anderson-Rubin and Lagrange multiplier tests in linear instrumental
 * variables regression, Econometrica 80, 2012). Theirs is for scores with independent normal noise;
 * here the noise is symmetric, and parts of C do not grow with u, so that the level is measured
 * instead (docs/accuracy.md). Where all intervals are short they are those of the standard errors.
 *
 * @param form Q, of one more than the number of features
 * @param isDefinite whether G_xx + l P is positive definite. If not, noise exceeds signal in some
 *     direction, and no interval is bounded
 */
record AndersonRubin(SymmetricMatrix form, boolean isDefinite) {
  private static final int BISECTIONS = 100;

  /**
   * Returns the tests of a fit; empty if there is no noise.
   *
   * @param scores H, with a row for each feature
   * @param covariance C; not changed
   * @param weights u of the fit
   */
  static Optional<AndersonRubin> of(
      DMatrixRMaj scores, DMatrixRMaj covariance, DMatrixRMaj weights) {
    DMatrixRMaj scaled = new DMatrixRMaj(scores.getNumRows(), scores.getNumCols());
    LinearSolverDense<DMatrixRMaj> cholesky = LinearSolverFactory_DDRM.chol(scores.getNumRows());
    if (!cholesky.setA(covariance.copy())) {
      return Optional.empty();
    }
    cholesky.solve(scores, scaled);
    DMatrixRMaj form = new DMatrixRMaj(scores.getNumCols(), scores.getNumCols());
    CommonOps_DDRM.multTransA(CommonOps_DDRM.dot(weights, weights), scores, scaled, form);
    return MatrixFeatures_DDRM.hasUncountable(form)
        ? Optional.empty()
        : Optional.of(new AndersonRubin(SymmetricMatrix.of(form), isDefinite(scores)));
  }

  private static boolean isDefinite(DMatrixRMaj scores) {
    int features = scores.getNumRows();
    return DecompositionFactory_DDRM.chol(features, true)
        .decompose(CommonOps_DDRM.extract(scores, 0, features, 0, features));
  }

  /** Checks whether intervals of this level are bounded: either all are, or none is. */
  boolean isBounded(double level) {
    return inverse(quantile(level)).isPresent();
  }

  // u'(Q - c I) u <= 0 is an ellipsoid of b if the block K of the features is positive definite:
  //   b'K b - 2 k'b + r <= 0, around K^-1 k, and w'b within sqrt((k'K^-1 k - r) w'K^-1 w) of it.
  // Q has the eigenvalue 0, so it is not empty. Else b has a direction in which it has no end, and
  // so has each w'b.
  /**
   * Returns the intervals of combinations of coefficients plus a constant, of NaN if they are not
   * bounded. O(p^3) time.
   *
   * @param combinations each of p weights w and a constant
   * @param level the probability, in (0, 1)
   */
  List<Interval> intervals(List<DoubleVector> combinations, double level) {
    double quantile = quantile(level);
    return inverse(quantile)
        .map(inverse -> intervals(combinations, quantile, inverse))
        .orElseGet(
            () -> Collections.nCopies(combinations.size(), new Interval(Double.NaN, Double.NaN)));
  }

  private List<Interval> intervals(
      List<DoubleVector> combinations, double quantile, DMatrixRMaj inverse) {
    int features = features();
    DMatrixRMaj last = new DMatrixRMaj(features, 1);
    for (int i = 0; i < features; i++) {
      last.set(i, form.get(i, features));
    }
    DMatrixRMaj centre = new DMatrixRMaj(features, 1);
    CommonOps_DDRM.mult(inverse, last, centre);
    double square = CommonOps_DDRM.dot(last, centre) - (form.get(features, features) - quantile);
    SymmetricMatrix shape = SymmetricMatrix.of(inverse);
    List<Interval> intervals = new ArrayList<>();
    for (DoubleVector combination : combinations) {
      double[] weights = Arrays.copyOf(combination.toArray(), features);
      double half = Math.sqrt(Math.max(0.0, square * shape.quadraticForm(weights)));
      double middle =
          CommonOps_DDRM.dot(new DMatrixRMaj(weights), centre) + combination.get(features);
      intervals.add(new Interval(middle - half, middle + half));
    }
    return intervals;
  }

  /** Returns the inverse of the block of the features of Q - c I; empty if it is indefinite. */
  private Optional<DMatrixRMaj> inverse(double quantile) {
    int features = features();
    DMatrixRMaj block = new DMatrixRMaj(features, features);
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        block.set(i, j, form.get(i, j));
      }
      block.add(i, i, -quantile);
    }
    if (!isDefinite || !DecompositionFactory_DDRM.chol(features, true).decompose(block.copy())) {
      return Optional.empty();
    }
    CommonOps_DDRM.invert(block);
    return Optional.of(block);
  }

  // As u = (-b, 1), w'b + r = 0 is (w, -r)'u = 0. The least T there is the least eigenvalue of Q on
  // the complement of (w, -r): the least root of sum of a_i^2 / (l_i - T), which increases between
  // the two least eigenvalues l_i of Q, for the parts a_i of (w, -r) along the eigenvectors.
  /**
   * Returns the root of the least T of each combination being 0. It is the absolute value of a
   * normal variable if that is true, and where noise hides directions no larger. O(p^3) time.
   */
  DoubleVector distancesFromZero(List<DoubleVector> combinations) {
    int size = form.dimension();
    Spectrum spectrum = Spectrum.of(form.select(IntStream.range(0, size).toArray()));
    Integer[] order = new Integer[size];
    Arrays.setAll(order, k -> k);
    Arrays.sort(order, (a, b) -> Double.compare(spectrum.value(a), spectrum.value(b)));
    double[] values = new double[size];
    DMatrixRMaj vectors = new DMatrixRMaj(size, size);
    for (int k = 0; k < size; k++) {
      values[k] = spectrum.value(order[k]);
      DMatrixRMaj vector = spectrum.vector(order[k]);
      for (int i = 0; i < size; i++) {
        vectors.set(k, i, vector.get(i));
      }
    }
    return DoubleVector.generate(
        combinations.size(),
        k -> Math.sqrt(Math.max(0.0, least(values, parts(vectors, combinations.get(k))))));
  }

  private static double[] parts(DMatrixRMaj vectors, DoubleVector combination) {
    int size = vectors.getNumRows();
    double[] parts = new double[size];
    for (int k = 0; k < size; k++) {
      for (int i = 0; i < size; i++) {
        double weight = i == size - 1 ? -combination.get(i) : combination.get(i);
        parts[k] += vectors.get(k, i) * weight;
      }
    }
    return parts;
  }

  private static double least(double[] values, double... parts) {
    if (Double.isNaN(parts[0])) {
      return Double.NaN;
    }
    double low = values[0];
    double high = values[1];
    for (int step = 0; step < BISECTIONS && low < high; step++) {
      double middle = 0.5 * (low + high);
      double sum = 0.0;
      for (int k = 0; k < values.length; k++) {
        sum += parts[k] * parts[k] / (values[k] - middle);
      }
      if (sum > 0.0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }

  private int features() {
    return form.dimension() - 1;
  }

  private static double quantile(double level) {
    double z = Math.sqrt(2.0) * InverseErf.value(level);
    return z * z;
  }
}

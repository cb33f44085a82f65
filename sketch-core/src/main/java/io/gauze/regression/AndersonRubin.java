package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.regression.CoefficientTable.Interval;
import java.util.Collections;
import java.util.Comparator;
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
 * <p>C that of the fit, and along directions that noise hides from the fit, what it may be.
 *
 * <p>That w'b + r = t is (w, t - r)'u = 0. On the complement of that vector T has roots k1 at most
 * k2 and more: the eigenvalues of Q there. A combination has a value t if k1, the least T of all b
 * for which it does, is no larger than noise makes it with the given probability: a {@link
 * LeastRoot} beside k2. Such a test has its level even if nothing is known of the other
 * coefficients (P. Guggenberger, F. Kleibergen and S. Mavroeidis, A more powerful subvector
 * Anderson Rubin test in linear instrumental variables regression, Quantitative Economics 10,
 * 2019). Theirs is for scores with independent normal noise; here the noise is symmetric, and parts
 * of C do not grow with u, so that the level is measured instead (docs/accuracy.md). Where all
 * intervals are short they are those of the standard errors.
 *
 * @param values the eigenvalues of Q, ascending; the first is 0
 * @param vectors their eigenvectors, of unit length
 * @param isDefinite whether G_xx + l P is positive definite. If not, noise exceeds signal in some
 *     direction, and no interval is bounded
 */
record AndersonRubin(DoubleVector values, List<DoubleVector> vectors, boolean isDefinite) {
  /** A second root from which on intervals are at most .6 % longer if it is infinite. */
  private static final double LARGE = 100.0;

  private static final double TOLERANCE = 1e-9;

  private static final int STEPS = 100;

  AndersonRubin {
    vectors = List.copyOf(vectors);
  }

  /**
   * Returns the tests of a fit; empty if there is no noise. O(p^3) time.
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
    if (MatrixFeatures_DDRM.hasUncountable(form)) {
      return Optional.empty();
    }
    Spectrum spectrum = Spectrum.of(form);
    List<Integer> order =
        IntStream.range(0, form.getNumRows())
            .boxed()
            .sorted(Comparator.comparing(spectrum::value))
            .toList();
    // H has fewer rows than columns: the least eigenvalue is 0 but for rounding
    DoubleVector values =
        DoubleVector.generate(order.size(), k -> k == 0 ? 0.0 : spectrum.value(order.get(k)));
    List<DoubleVector> vectors =
        order.stream().map(k -> DoubleVector.of(spectrum.vector(k).getData())).toList();
    return Optional.of(new AndersonRubin(values, vectors, isDefinite(scores)));
  }

  private static boolean isDefinite(DMatrixRMaj scores) {
    int features = scores.getNumRows();
    return DecompositionFactory_DDRM.chol(features, true)
        .decompose(CommonOps_DDRM.extract(scores, 0, features, 0, features));
  }

  /** Checks whether intervals of this level are bounded: either all are, or none is. */
  boolean isBounded(double level) {
    double[] far = far();
    return isDefinite && LeastRoot.beyond(root(0, far), second(far)) < 1.0 - level;
  }

  /**
   * Returns the intervals of combinations of coefficients plus a constant, of NaN if they are not
   * bounded. O(p^2) time for each.
   *
   * @param combinations each of p weights w and a constant r
   * @param level the probability, in (0, 1)
   */
  List<Interval> intervals(List<DoubleVector> combinations, double level) {
    if (!isBounded(level)) {
      return Collections.nCopies(combinations.size(), new Interval(Double.NaN, Double.NaN));
    }
    double[] far = far();
    double z = Math.sqrt(2.0) * InverseErf.value(level);
    double most = Math.min(z, Math.sqrt((1.0 - TOLERANCE) * root(0, far)));
    return combinations.stream()
        .map(this::parts)
        .map(
            parts ->
                new Interval(
                    new End(-1.0, parts, far).of(z, most), new End(1.0, parts, far).of(z, most)))
        .toList();
  }

  /** An end of the interval of a combination: the largest or the least of its values t. */
  private final class End {
    private final double side; // 1 or -1
    private final double[] parts; // of (w, -r)
    private final double[] far; // of (0, 1)

    private End(double side, double[] parts, double... far) {
      this.side = side;
      this.parts = parts;
      this.far = far;
    }

    // It is where the distance of k1(t) beside k2(t) is z. The root y of k1 is at most z, and at
    // most that for an infinite t. The distance rises about as fast as y.
    private double of(double z, double most) {
      double low = 0.0;
      double high = most;
      double y = most;
      double step = most;
      double slope = 1.0;
      double before = Double.NaN;
      for (int i = 0; i < STEPS && Math.abs(step) > TOLERANCE * most; i++) {
        double surplus = LeastRoot.distance(y * y, second(at(value(y * y)))) - z;
        double secant = (surplus - before) / step;
        slope = secant > 0.0 ? secant : slope;
        low = surplus > 0.0 ? low : y;
        high = surplus > 0.0 ? y : high;
        double next = y - surplus / slope;
        next = next >= low && next <= high ? next : 0.5 * (low + high);
        step = next - y;
        before = surplus;
        y = next;
      }
      return value(y * y);
    }

    // k1(t) is a root T of sum of (parts_i + t far_i)^2 / (l_i - T). With T given that is a square
    // equation of t, of which the first coefficient is negative if T is below k1 at infinity.
    private double value(double root) {
      double square = 0.0;
      double linear = 0.0;
      double constant = 0.0;
      for (int k = 0; k < parts.length; k++) {
        double weight = 1.0 / (values.get(k) - root);
        square += weight * far[k] * far[k];
        linear += weight * far[k] * parts[k];
        constant += weight * parts[k] * parts[k];
      }
      double distance = Math.sqrt(Math.max(0.0, linear * linear - square * constant));
      return (linear + side * distance) / -square;
    }

    private double[] at(double value) {
      double[] at = new double[parts.length];
      for (int k = 0; k < at.length; k++) {
        at[k] = parts[k] + value * far[k];
      }
      return at;
    }
  }

  /**
   * Returns how far each combination is from 0: the absolute value of a normal variable if it is 0,
   * and where noise hides directions no larger. O(p^2) time for each.
   */
  DoubleVector distancesFromZero(List<DoubleVector> combinations) {
    return DoubleVector.generate(
        combinations.size(),
        k -> {
          double[] parts = parts(combinations.get(k));
          return Double.isNaN(parts[0])
              ? Double.NaN
              : LeastRoot.distance(root(0, parts), second(parts));
        });
  }

  /** Returns the parts of (w, -r) along the eigenvectors. */
  private double[] parts(DoubleVector combination) {
    int last = combination.size() - 1;
    double[] parts = new double[vectors.size()];
    for (int k = 0; k < parts.length; k++) {
      DoubleVector vector = vectors.get(k);
      parts[k] = -combination.get(last) * vector.get(last);
      for (int i = 0; i < last; i++) {
        parts[k] += combination.get(i) * vector.get(i);
      }
    }
    return parts;
  }

  /** Returns the parts of (0, 1): the combination has a value that is infinitely far away. */
  private double[] far() {
    return vectors.stream().mapToDouble(vector -> vector.get(vector.size() - 1)).toArray();
  }

  /** Returns k2, infinite if it is large or there is none: that makes k1 no less likely. */
  private double second(double... parts) {
    return parts.length == 2 || values.get(1) > LARGE ? Double.POSITIVE_INFINITY : root(1, parts);
  }

  // The roots of sum of a_i^2 / (l_i - T) are one between any two eigenvalues l_i that follow each
  // other; there the sum increases.
  private double root(int index, double... parts) {
    double low = values.get(index);
    double high = values.get(index + 1);
    for (int step = 0; step < STEPS && high - low > TOLERANCE * high; step++) {
      double middle = 0.5 * (low + high);
      double sum = 0.0;
      for (int k = 0; k < parts.length; k++) {
        sum += parts[k] * parts[k] / (values.get(k) - middle);
      }
      if (sum > 0.0) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return low;
  }
}

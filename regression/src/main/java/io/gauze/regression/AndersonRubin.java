package io.gauze.regression;

import io.gauze.internal.Bisection;
import io.gauze.linalg.DoubleVector;
import io.gauze.regression.CoefficientTable.Interval;
import io.gauze.regression.moments.NoisyScores;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.numbers.gamma.InverseErf;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.MatrixFeatures_DDRM;
import org.ejml.dense.row.decomposition.TriangularSolver_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;
import org.ejml.interfaces.decomposition.SingularValueDecomposition_F64;

/**
 * Tests and intervals of combinations of coefficients from noisy moments: Anderson and Rubin's.
 *
 * <p>Let the rows have the moments M, and the release G = M + E. The coefficients b0 of the rows
 * solve (M_xx + l P) b0 = M_xy, so the scores s(b) = H u, H = (G_xx + l P, G_xy), u = (-b, 1), are
 * noise alone at b0. Their covariance C is taken to grow with the square of u:
 *
 * <pre>  T(b) = s' C(b)^-1 s = u'Q u / u'u,   Q = |v|^2 H' C^-1 H,  v the weights of the fit,</pre>
 *
 * <p>C that of the fit, and along directions that noise hides from the fit, what it may be. H is
 * that of {@link NoisyScores}, with the drift.
 *
 * <p>A combination w'b has a value if the least T of all b that have it is at most the quantile c
 * of chi-square with one degree of freedom. Such a test has its level even if nothing is known of
 * the other coefficients (P. Guggenberger, F. Kleibergen, S. Mavroeidis and L. Chen, On the
 * asymptotic sizes of subset Anderson-Rubin and Lagrange multiplier tests in linear instrumental
 * variables regression, Econometrica 80, 2012). Theirs is for scores with independent normal noise;
 * here the noise is symmetric, and parts of C do not grow with u, so that the level is measured
 * instead (benchmarks/results/intervals.md). Where all intervals are short they are those of the
 * standard errors.
 *
 * @param values the eigenvalues l of Q, ascending; the first is 0
 * @param vectors their eigenvectors, of length 1; the first is along the u whose scores H u are 0.
 *     Of coefficients that are a function of the tested ones, what that makes of the eigenvectors
 * @param isDefinite whether the block of the features in H is positive definite. If not, noise
 *     exceeds signal in some direction, and no interval is bounded
 */
public record AndersonRubin(DoubleVector values, List<DoubleVector> vectors, boolean isDefinite) {
  private static final int BISECTIONS = 100;

  public AndersonRubin {
    vectors = List.copyOf(vectors);
  }

  // Singular values keep the digits of small eigenvalues beside large ones. Features of which one
  // has 1e12 times the size of another are told apart, with coefficients up to a hundred.
  /**
   * Returns the tests of a fit; empty if there is no noise. O(p^3) time.
   *
   * @param scores H, with a row for each feature
   * @param covariance C; not changed
   * @param weights u of the fit
   */
  public static Optional<AndersonRubin> of(
      DMatrixRMaj scores, DMatrixRMaj covariance, DMatrixRMaj weights) {
    int features = scores.getNumRows();
    CholeskyDecomposition_F64<DMatrixRMaj> cholesky =
        DecompositionFactory_DDRM.chol(features, true);
    if (!cholesky.decompose(covariance.copy())) {
      return Optional.empty();
    }
    DMatrixRMaj root = cholesky.getT(null);
    TriangularSolver_DDRM.invertLower(root.getData(), features);
    DMatrixRMaj white = new DMatrixRMaj(features, features + 1);
    CommonOps_DDRM.mult(Math.sqrt(CommonOps_DDRM.dot(weights, weights)), root, scores, white);
    SingularValueDecomposition_F64<DMatrixRMaj> decomposition =
        DecompositionFactory_DDRM.svd(features, features + 1, false, true, false);
    if (MatrixFeatures_DDRM.hasUncountable(white) || !decomposition.decompose(white)) {
      return Optional.empty();
    }
    double[] singular = Arrays.copyOf(decomposition.getSingularValues(), features + 1);
    singular[features] = 0.0; // H has a column more than rows
    DMatrixRMaj vectors = decomposition.getV(null, true);
    List<Integer> order =
        IntStream.rangeClosed(0, features)
            .boxed()
            .sorted(Comparator.comparing(k -> k == features ? -1.0 : singular[k]))
            .toList();
    return Optional.of(
        new AndersonRubin(
            DoubleVector.generate(
                features + 1, k -> singular[order.get(k)] * singular[order.get(k)]),
            order.stream()
                .map(k -> DoubleVector.generate(features + 1, i -> vectors.get(k, i)))
                .toList(),
            isDefinite(scores)));
  }

  private static boolean isDefinite(DMatrixRMaj scores) {
    int features = scores.getNumRows();
    return DecompositionFactory_DDRM.chol(features, true)
        .decompose(CommonOps_DDRM.extract(scores, 0, features, 0, features));
  }

  // The tested hypotheses are (w, t - r)'(-b, 1) = 0. With (-b', 1) = M (-b, 1) for b' = b0 + J b,
  // a hypothesis about b' has the parts along v that it has itself along M v.
  /**
   * Returns the tests of other coefficients, which are an affine function of these.
   *
   * @param jacobian J, the weights of these in each of the others
   * @param origin b0, the others where these are 0
   */
  public AndersonRubin of(DMatrixRMaj jacobian, DoubleVector origin) {
    return new AndersonRubin(
        values,
        vectors.stream().map(vector -> image(vector, jacobian, origin)).toList(),
        isDefinite);
  }

  private static DoubleVector image(DoubleVector v, DMatrixRMaj jacobian, DoubleVector origin) {
    int last = v.size() - 1;
    return DoubleVector.generate(
        origin.size() + 1,
        i -> {
          if (i == origin.size()) {
            return v.get(last);
          }
          double sum = -origin.get(i) * v.get(last);
          for (int k = 0; k < last; k++) {
            sum += jacobian.get(i, k) * v.get(k);
          }
          return sum;
        });
  }

  // With the parts g and h of (w, -r) and (0, 1) along the eigenvectors, the least T of all b with
  // w'b + r = t is at most c where sum of (g_i + t h_i)^2 / (l_i - c) is not negative. That is a
  // square equation of t. It is bounded if its first coefficient is negative, and c below l_1.
  /** Checks whether intervals of this level are bounded: either all are, or none is. */
  public boolean isBounded(double level) {
    double c = quantile(level);
    double[] far = far();
    return isDefinite && c < values.get(1) && sum(far, far, c) < 0.0;
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
    return combinations.stream().map(each -> interval(each, quantile(level))).toList();
  }

  // t is that of the b whose scores are 0, which has no part along the first eigenvector, plus what
  // the square equation gives: its last coefficient is then positive, and no digits are lost.
  private Interval interval(DoubleVector combination, double c) {
    double[] far = far();
    double middle = free(combination);
    double[] parts = parts(combination, middle);
    parts[0] = 0.0;
    double square = -sum(far, far, c);
    double linear = sum(parts, far, c);
    double distance = Math.sqrt(linear * linear + square * sum(parts, parts, c));
    return new Interval(
        middle + (linear - distance) / square, middle + (linear + distance) / square);
  }

  /** Returns the value of a combination for the b whose scores are 0. */
  private double free(DoubleVector combination) {
    DoubleVector u = vectors.get(0);
    int last = combination.size() - 1;
    double value = combination.get(last);
    for (int i = 0; i < last; i++) {
      value -= combination.get(i) * u.get(i) / u.get(last);
    }
    return value;
  }

  private double sum(double[] a, double[] b, double c) {
    double sum = 0.0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k] / (values.get(k) - c);
    }
    return sum;
  }

  /**
   * Returns the root of the least T of each combination being 0. It is the absolute value of a
   * normal variable if that is true, and where noise hides directions mostly smaller. O(p^2) time
   * for each.
   */
  DoubleVector distancesFromZero(List<DoubleVector> combinations) {
    return DoubleVector.generate(
        combinations.size(), k -> Math.sqrt(least(parts(combinations.get(k), 0.0))));
  }

  /** Returns the parts of (w, t - r) along the eigenvectors. */
  private double[] parts(DoubleVector combination, double value) {
    int last = combination.size() - 1;
    double[] parts = new double[vectors.size()];
    for (int k = 0; k < parts.length; k++) {
      DoubleVector vector = vectors.get(k);
      parts[k] = (value - combination.get(last)) * vector.get(last);
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

  // The sum above increases with c between the two least eigenvalues, and the least T is its root.
  private double least(double... parts) {
    if (Double.isNaN(parts[0])) {
      return Double.NaN;
    }
    return new Bisection(0.0, values.get(1))
        .narrow(
            BISECTIONS,
            ends -> ends.fails() < ends.holds(),
            middle -> sum(parts, parts, middle) >= 0.0)
        .fails();
  }

  private static double quantile(double level) {
    double z = Math.sqrt(2.0) * InverseErf.value(level);
    return z * z;
  }
}

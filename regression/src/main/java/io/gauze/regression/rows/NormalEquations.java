package io.gauze.regression.rows;

import io.gauze.linalg.Spectrum;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;
import org.ejml.interfaces.linsol.LinearSolverDense;

/**
 * The equations {@code (S + lambda P) b = s} of least squares with a ridge: S and s are blocks of
 * the joint moments of features and response, P is diagonal.
 */
public final class NormalEquations {
  /** Eigenvalues below this share of the largest are treated as rounding errors. */
  private static final double NEGLIGIBLE = 1e-13;

  /** The least square of a part that a coefficient has in a direction, above rounding errors. */
  private static final double PART = 1e-6;

  private final DMatrixRMaj gram;
  private final DMatrixRMaj cross;
  private final double square;
  private final double[] penalty;

  /**
   * Copies the blocks of the joint moments.
   *
   * @param joint moments of the p features, then the response
   * @param penalty the diagonal of P, p entries
   */
  public NormalEquations(DMatrixRMaj joint, double... penalty) {
    int features = penalty.length;
    this.gram = CommonOps_DDRM.extract(joint, 0, features, 0, features);
    this.cross = CommonOps_DDRM.extract(joint, 0, features, features, features + 1);
    this.square = joint.get(features, features);
    this.penalty = penalty.clone();
  }

  public int features() {
    return penalty.length;
  }

  /** Returns S, which must not be changed. */
  public DMatrixRMaj gram() {
    return gram;
  }

  /** Returns s, which must not be changed. */
  public DMatrixRMaj cross() {
    return cross;
  }

  /** Returns the sum of squares of the responses. */
  double square() {
    return square;
  }

  /** Returns P v. */
  public DMatrixRMaj penalized(DMatrixRMaj vector) {
    DMatrixRMaj scaled = vector.copy();
    for (int i = 0; i < penalty.length; i++) {
      scaled.set(i, penalty[i] * vector.get(i));
    }
    return scaled;
  }

  /** Returns S + lambda P, plus {@code jitter} times the mean of S's diagonal on the diagonal. */
  public DMatrixRMaj system(double lambda, double jitter) {
    DMatrixRMaj system = gram.copy();
    double shift = jitter * Math.abs(CommonOps_DDRM.trace(gram)) / penalty.length;
    for (int i = 0; i < penalty.length; i++) {
      system.add(i, i, lambda * penalty[i] + shift);
    }
    return system;
  }

  /** Returns ||y - X b||^2 from the moments. */
  public double residual(DMatrixRMaj b) {
    return square + explained(b);
  }

  /** Returns ||y - X b||^2 - ||y||^2 from the moments: b'S b - 2 b's. */
  public double explained(DMatrixRMaj b) {
    return quadratic(b) - 2.0 * CommonOps_DDRM.dot(b, cross);
  }

  /** Returns b'S b. */
  public double quadratic(DMatrixRMaj b) {
    DMatrixRMaj image = new DMatrixRMaj(penalty.length, 1);
    CommonOps_DDRM.mult(gram, b, image);
    return CommonOps_DDRM.dot(b, image);
  }

  /** Solves for b. The system may be destroyed. Returns false if it is not positive definite. */
  public boolean solveInto(DMatrixRMaj system, DMatrixRMaj b) {
    LinearSolverDense<DMatrixRMaj> cholesky = LinearSolverFactory_DDRM.chol(penalty.length);
    if (!cholesky.setA(system)) {
      return false;
    }
    cholesky.solve(cross, b);
    return true;
  }

  /**
   * Returns the solution and the inverse of the system; directions that the moments do not
   * determine get 0.
   */
  public Solution solve(double lambda, double jitter) {
    DMatrixRMaj system = system(lambda, jitter);
    DMatrixRMaj b = new DMatrixRMaj(penalty.length, 1);
    Solution solution = inverted(system, b, lambda);
    if (solution.missed() > 0 || !solveInto(system, b)) {
      CommonOps_DDRM.mult(solution.inverse(), cross, b);
    }
    return solution;
  }

  /**
   * Returns given coefficients, with the inverse of the block of {@code system} of the active ones.
   */
  static Solution restricted(DMatrixRMaj system, DMatrixRMaj b, double lambda, int... active) {
    int size = b.getNumElements();
    DMatrixRMaj inverse = new DMatrixRMaj(size, size);
    if (active.length == 0) {
      return new Solution(b, inverse, lambda, 1.0, 0);
    }
    DMatrixRMaj block = new DMatrixRMaj(active.length, active.length);
    CommonOps_DDRM.extract(system, active, active.length, active, active.length, block);
    Solution inner = inverted(block, b, lambda);
    CommonOps_DDRM.insert(inner.inverse(), inverse, active, active.length, active, active.length);
    return new Solution(b, inverse, lambda, inner.condition(), inner.missed());
  }

  /**
   * Returns the features whose coefficients S does not determine: some combination of them with
   * others is the same in all rows. O(p^3) time.
   */
  Set<Integer> open() {
    double largest = Math.max(0.0, Spectrum.of(gram).largest());
    double floor = Math.max(NEGLIGIBLE * penalty.length * largest, Double.MIN_NORMAL);
    DMatrixRMaj hidden = Spectrum.of(gram).map(value -> value < floor ? 1.0 : 0.0);
    return IntStream.range(0, penalty.length)
        .filter(k -> hidden.get(k, k) > PART)
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Solution inverted(DMatrixRMaj system, DMatrixRMaj b, double lambda) {
    double[] values = Spectrum.values(system); // ascending
    double largest = values[values.length - 1];
    double floor = NEGLIGIBLE * values.length * Math.max(0.0, largest);
    double least = Math.max(floor, Double.MIN_NORMAL);
    int missed = (int) Arrays.stream(values).filter(value -> value < least).count();
    double condition = missed > 0 ? Double.POSITIVE_INFINITY : largest / values[0];
    return new Solution(b, inverse(system, floor, missed), lambda, condition, missed);
  }

  private static DMatrixRMaj inverse(DMatrixRMaj system, double floor, int missed) {
    int size = system.getNumRows();
    LinearSolverDense<DMatrixRMaj> cholesky = LinearSolverFactory_DDRM.chol(size);
    if (missed > 0 || !cholesky.setA(system.copy())) {
      return Spectrum.of(system).map(value -> value > floor ? 1.0 / value : 0.0);
    }
    DMatrixRMaj inverse = new DMatrixRMaj(size, size);
    cholesky.invert(inverse);
    return inverse;
  }

  /**
   * The result.
   *
   * @param b the coefficients, a column
   * @param inverse of the system, a pseudo-inverse if directions are missed
   * @param lambda the penalty
   * @param condition largest over smallest eigenvalue of the system
   * @param missed the number of directions in which the system is not positive
   */
  public record Solution(
      DMatrixRMaj b, DMatrixRMaj inverse, double lambda, double condition, int missed) {
    public Solution withLambda(double other) {
      return new Solution(b, inverse, other, condition, missed);
    }
  }
}

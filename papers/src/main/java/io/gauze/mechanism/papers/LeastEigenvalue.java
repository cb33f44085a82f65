package io.gauze.mechanism.papers;

import io.gauze.internal.Bisection;
import io.gauze.row.Grid;
import io.gauze.sketch.SecondMomentsSpec;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.decomposition.chol.CholeskyDecompositionInner_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.EigenDecomposition_F64;

/**
 * The least eigenvalue of exact second moments, computed in doubles. The error bound holds for
 * every data set of at most {@link Grid#MAX_ROWS} rows; the results of neighbours may be farther
 * apart than their eigenvalues by twice the bound.
 *
 * <p>The result of an eigenvalue routine is only a guess, since the bounds on its error are known
 * up to a constant. Two Cholesky factorizations, whose constant is known, verify the guess; if it
 * is wrong, bisection by such factorizations finds the eigenvalue. O(D^3) time.
 */
// Let u = 2^-53, g = (D + 2) u / (1 - (D + 2) u) and t = tr A, for a symmetric A of D columns. A
// step takes one rounding more than usual, since rows are multiplied by 1 / r_ii.
//
// Success. If the factorization of A succeeds, R'R = A + E with |E| <= g |R'| |R| (N. Higham,
// Accuracy and Stability of Numerical Algorithms, second edition, theorem 10.3). So
//   tr R'R <= t / (1 - g),
//   the norm of E is at most g times that of |R'| |R|, which is at most g t / (1 - g),
//   the least eigenvalue L(A) >= -g t / (1 - g).
//
// Failure. Let the factorization stop at column k, since the computed pivot p <= 0. Let R be the
// factor of the columns before k, a the entries above a_kk, and r the computed column above p. By
// the same theorem
//   R'R = A_(k-1) + E,  R'r = a + e,  p = a_kk - r'r + f,
//   |E| <= g t / (1 - g),  |e| <= g sqrt(t / (1 - g)) |r|,  |f| <= g (a_kk + |r|^2).
// The matrix of A_(k-1) + E, a + e and a_kk + f has the Schur complement p, so it is not positive
// definite, and L(A) <= max(|E|, |f|) + |e|. Were L(A) > 4 g t, then A_(k-1) + E >= 0.74 A_(k-1)
// and a'A_(k-1)^-1 a <= a_kk, so that |r|^2 <= 1.36 a_kk, and
//   L(A) <= g (2.36 + 1.17) t (1 + 2 g) < 4 g t.
// So L(A) <= 4 g t for t > 0; for t <= 0, L(A) <= t / D <= 4 g t.
//
// A stands for M - x I, where x is in [-2 c, tr M + 2 c]. The entries in doubles have a relative
// error of u, in norm at most u tr M, and the subtraction adds an error of u (tr M + 2 c) on the
// diagonal. As tr M <= MAX_ROWS B^2 < 2^63 in steps, c = 4 (D + 4) u 2^63 covers both: success
// proves L(M) >= x - c, and failure L(M) <= x + c. D + 4 in place of D + 2 also covers that x is
// rounded and that t may be tr M + 2 c D. Underflow causes errors of 2^-1074, far below c.
public final class LeastEigenvalue {
  /** The largest squared norm of a row, in steps of the moments. */
  private static final double LARGEST_SQUARE = (double) Grid.MAX_ROW_STEPS * Grid.MAX_ROW_STEPS;

  private LeastEigenvalue() {}

  /** The error c of one factorization, in steps of the moments. */
  private static double margin(int columns) {
    return 4.0 * (columns + 4) * 0x1p-53 * 0x1p33 * LARGEST_SQUARE;
  }

  /** The largest error of a result, in steps of the moments: {@code (D + 4) 2^13}. */
  public static double error(int columns) {
    return 2.0 * margin(columns);
  }

  /**
   * The amount that computing and rounding down may add to the distance of two results, in steps.
   */
  public static double spread(int columns) {
    return 2.0 * error(columns) + 1.0;
  }

  /**
   * Returns the least eigenvalue of M without one column, in steps of the state, within {@link
   * #error} of the exact value.
   *
   * @param without the index of the column that is left out; -1 for none
   */
  public static double of(SecondMomentsSpec spec, long[] state, int without) {
    int size = spec.dimension() - (without < 0 ? 0 : 1);
    DMatrixRMaj matrix = new DMatrixRMaj(size, size);
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        matrix.set(i, j, (double) state[spec.index(skip(i, without), skip(j, without))]);
      }
    }
    return verified(matrix, guess(matrix.copy()));
  }

  /** Converts an index among the columns that are left to an index among all columns. */
  static int skip(int index, int without) {
    return without >= 0 && index >= without ? index + 1 : index;
  }

  private static double guess(DMatrixRMaj matrix) {
    EigenDecomposition_F64<DMatrixRMaj> eigen =
        DecompositionFactory_DDRM.eig(matrix.numRows, false, true);
    if (!eigen.decompose(matrix)) {
      return Double.NaN;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int k = 0; k < matrix.numRows; k++) {
      least = Math.min(least, eigen.getEigenvalue(k).getReal());
    }
    return least;
  }

  /**
   * Returns the guess if it is proved to be within {@link #error}, else the result of bisection.
   */
  static double verified(DMatrixRMaj matrix, double guess) {
    double margin = margin(matrix.numRows);
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < matrix.numRows; i++) {
      least = Math.min(least, matrix.get(i, i));
    }
    if (guess >= -margin
        && guess <= least + margin
        && isPositive(matrix, guess - margin)
        && !isPositive(matrix, guess + margin)) {
      return guess;
    }
    // Moments are positive semidefinite, and it is at most the least entry of the diagonal.
    Bisection ends =
        new Bisection(least + margin, -margin)
            .narrow(Bisection.MOST, wide -> wide.width() > margin, x -> isPositive(matrix, x));
    return 0.5 * (ends.holds() + ends.fails());
  }

  /** Checks whether {@code M - x I} has a Cholesky factor in doubles. */
  private static boolean isPositive(DMatrixRMaj matrix, double x) {
    DMatrixRMaj shifted = matrix.copy();
    for (int i = 0; i < matrix.numRows; i++) {
      shifted.add(i, i, -x);
    }
    return new CholeskyDecompositionInner_DDRM(true).decompose(shifted);
  }
}

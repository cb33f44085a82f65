package io.gauze.accounting;

import io.gauze.internal.Checks;
import io.gauze.noise.CumulativeNoise;
import java.util.Objects;

/**
 * The weights of correlated Gaussian noise for K releases of one growing sum. Release k contains
 * the data of epochs 0 to k.
 *
 * <p>Statement. Let {@code z_0, ..., z_(K-1)} be independent N(0, s^2 I), and release k the sum so
 * far plus {@code f_0 z_k + f_1 z_(k-1) + ... + f_k z_0}. If a unit's data are in one epoch, and
 * change that epoch's sum by at most Delta in l2 norm, then all K releases together are as private
 * as one Gaussian mechanism with {@code mu = Delta columnNorm / s}, also if later data are chosen
 * after earlier releases. The sum must only grow: a unit whose data change in several epochs is not
 * covered. K is fixed beforehand. {@link CumulativeNoise} samples the noise.
 *
 * <p>M. Henzinger, J. Upadhyay and S. Upadhyay, Almost tight error bounds on differentially private
 * continual counting, SODA 2023, with the factorisation of H. Fichtenberger, M. Henzinger and J.
 * Upadhyay, Constant matters: fine-grained error bound on differentially private continual
 * observation, ICML 2023.
 */
public final class SquareRootToeplitz {
  private static final int MOST_RELEASES = 1 << 20;

  private final double[] weights;
  private final double squares;

  private SquareRootToeplitz(double[] weights, double squares) {
    this.weights = weights;
    this.squares = squares;
  }

  // Proof. Let x_k be the sum of epoch k, A the lower triangle of ones, so that A x are the running
  // sums, and F the lower triangular Toeplitz matrix with column f. The series
  // (1 - t)^(-1/2) = sum f_k t^k has
  //   f_0 = 1, f_k = (1 - 1/(2k)) f_(k-1),
  // and its square is (1 - t)^-1 = sum t^k: so F F = A. The releases A x + F z = F (F x + z) are a
  // function of F x + z. A unit's data, in epoch j alone, change F x by column j of F times at most
  // Delta: the norm is at most Delta times that of column 0, which is the longest. So F x + z is a
  // Gaussian mechanism. Theorem 2.1 of S. Denisov, B. McMahan, K. Rush, A. Smith and A. Guha
  // Thakurta, Improved differential privacy for SGD via optimal private linear operators on
  // adaptive streams, NeurIPS 2022, covers data that are chosen after earlier releases, since F is
  // lower triangular.

  /**
   * Returns the weights for K releases. O(K) time and memory.
   *
   * @param releases K, in [1, 2^20]
   * @throws IllegalArgumentException if it is out of range
   */
  public static SquareRootToeplitz of(int releases) {
    Checks.within("releases", releases, 1, MOST_RELEASES);
    double[] weights = new double[releases];
    double squares = 0.0;
    double weight = 1.0;
    for (int k = 0; k < releases; k++) {
      weight *= k == 0 ? 1.0 : 1.0 - 0.5 / k;
      weights[k] = weight;
      squares += weight * weight;
    }
    return new SquareRootToeplitz(weights, squares);
  }

  /** K, the number of releases. */
  public int releases() {
    return weights.length;
  }

  /**
   * Returns f_k, the weight in each release of the noise drawn k epochs before.
   *
   * @throws IndexOutOfBoundsException if k is not in [0, K)
   */
  public double weight(int k) {
    return weights[Objects.checkIndex(k, weights.length)];
  }

  /**
   * Returns the norm of f: the factor by which one unit changes {@code F x} more than one epoch's
   * sum. Rounded up: f and the sum of its squares have a relative error of at most K 2^-50.
   */
  public double columnNorm() {
    return Math.sqrt(squares) * (1.0 + weights.length * 0x1p-50);
  }

  /**
   * Returns the standard deviation of a release's noise over that of one release alone with the
   * same promise. It grows to {@link #noiseFactor()} at the last release. O(release) time.
   *
   * @param release k, in [0, K)
   * @throws IndexOutOfBoundsException if it is not
   */
  public double noiseFactor(int release) {
    double sum = 0.0;
    for (int k = 0; k <= Objects.checkIndex(release, weights.length); k++) {
      sum += weights[k] * weights[k];
    }
    return columnNorm() * Math.sqrt(sum);
  }

  /**
   * Returns the standard deviation of the last release's noise over that of one release alone with
   * the same promise: the square of the norm of f. About {@code (ln K + 3.35) / pi} for large K;
   * with fresh noise in each release it would be {@code sqrt K}.
   */
  public double noiseFactor() {
    return columnNorm() * columnNorm();
  }
}

package io.gauze.accounting;

import io.gauze.internal.Checks;

/**
 * The privacy of mechanisms of bounded range: on any two neighbours, the log-likelihood ratios of
 * any two outputs differ by at most the range. The exponential mechanism is one: if neighbours
 * change each score by at most delta, {@code exp(score / scale)} has the range {@code 2 delta /
 * scale} (D. Durfee and R. Rogers, <a href="https://arxiv.org/abs/1905.04273">Practical
 * differentially private top-k selection with pay-what-you-get composition</a>, NeurIPS 2019).
 *
 * <p>A mechanism of range r is {@code r sqrt(2 pi) / 4}-Gaussian-DP, so that selections and
 * Gaussian noise compose exactly. Published accounts use {@code r^2 / 8}-concentrated DP (M. Cesar
 * and R. Rogers, ALT 2021) instead, whose conversion to epsilon and delta is not exact.
 */
public final class BoundedRange {
  /** At least {@code sqrt(2 pi) / 4}. */
  // Let P and Q be the laws of the output on two neighbours, and L = dP/dQ.
  // - Two points suffice. L is in [e^-u, e^(r-u)] for some u, and has mean 1 under Q. Of all such
  //   variables that with the ends alone is the largest in convex order, so the pair of two-point
  //   laws with these ratios is at least as easy to tell apart (D. Blackwell, 1953). Its second
  //   outcome has probability p under Q and q under P, and logit q - logit p = r, whatever u.
  // - Its trade-off function has one corner, (p, 1 - q), and is linear elsewhere. That of
  //   N(0, 1) against N(mu, 1) is convex, hence below it if it is at the corner: if
  //   mu >= z(q) - z(p), z the quantile function of the standard normal law.
  // - dz / d(logit p) = p (1 - p) / phi(z(p)), and Phi(z) Phi(-z) <= exp(-z^2 / 2) / 4: the square
  //   of half-width |z| contains the disc of that radius, so for two independent normals
  //   (2 Phi(|z|) - 1)^2 >= 1 - exp(-z^2 / 2), and 4 Phi(z) Phi(-z) = 1 - (2 Phi(|z|) - 1)^2.
  //   So the derivative is at most sqrt(2 pi) / 4, and z(q) - z(p) <= r sqrt(2 pi) / 4.
  private static final double SLOPE = Math.nextUp(Math.sqrt(2.0 * Math.PI) / 4.0 * (1.0 + 0x1p-50));

  private BoundedRange() {}

  /**
   * Returns the mu of a mechanism of bounded range, rounded up.
   *
   * @param range finite, above 0
   */
  public static double mu(double range) {
    return Math.nextUp(SLOPE * Checks.positiveFinite("range", range));
  }

  /**
   * Returns a range that spends at most mu, and less by rounding alone.
   *
   * @param mu finite, above 0
   */
  public static double range(double mu) {
    return Checks.positiveFinite("mu", mu) / SLOPE * (1.0 - 0x1p-51);
  }
}

package io.gauze.solve;

import java.util.Objects;

/**
 * Second moments with symmetric Gaussian noise: independent N(0, sigma^2) on the diagonal and N(0,
 * sigma^2 / 2) above it, which is the law of (Z + Z') / 2 for Z full of N(0, sigma^2).
 *
 * @param moments the noisy sums, in encoded units
 * @param sigma standard deviation on the diagonal, in encoded units; positive
 * @param intercept the constant c0 that rows carry at index 0; positive
 */
public record ReleasedMoments(SymmetricMatrix moments, double sigma, double intercept)
    implements MomentsInput {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if sigma or intercept is not positive and finite
   */
  public ReleasedMoments {
    Objects.requireNonNull(moments, "moments");
    Checks.positiveFinite("sigma", sigma);
    Checks.positiveFinite("intercept", intercept);
  }

  /**
   * The moments of the rows of both releases, whose noises are independent.
   *
   * @throws IllegalArgumentException if dimension or intercept differ
   */
  public ReleasedMoments plus(ReleasedMoments other) {
    Merge.check(this, other);
    return new ReleasedMoments(
        moments.plus(other.moments), Math.hypot(sigma, other.sigma), intercept);
  }
}

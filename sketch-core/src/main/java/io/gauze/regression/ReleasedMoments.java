package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import java.util.Objects;

/**
 * Second moments with noise of a known law that does not depend on them.
 *
 * @param moments the noisy sums, in encoded units; unbiased
 * @param noise the law of their error
 * @param intercept the constant c0 that rows carry at index 0; positive
 */
public record ReleasedMoments(SymmetricMatrix moments, MomentNoise noise, double intercept)
    implements MomentsInput {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if intercept is not positive and finite, or Wishart noise has
   *     fewer degrees of freedom than there are columns
   */
  public ReleasedMoments {
    Objects.requireNonNull(moments, "moments");
    Objects.requireNonNull(noise, "noise");
    Checks.positiveFinite("intercept", intercept);
    if (noise instanceof MomentNoise.Wishart wishart) {
      Checks.atLeast("degrees", wishart.degrees(), moments.dimension());
    }
  }

  /**
   * Moments with {@link MomentNoise.Gaussian} noise.
   *
   * @throws IllegalArgumentException if sigma or intercept is not positive and finite
   */
  public ReleasedMoments(SymmetricMatrix moments, double sigma, double intercept) {
    this(moments, new MomentNoise.Gaussian(sigma), intercept);
  }

  /**
   * Moments to which Wishart noise was added, as they were released: its mean is taken off here.
   *
   * @param raw the moments of the rows, and of {@code degrees} rows N(0, scale I)
   * @param noise its law
   * @throws IllegalArgumentException if intercept is not positive and finite, or there are fewer
   *     degrees of freedom than columns
   */
  public static ReleasedMoments debiased(
      SymmetricMatrix raw, MomentNoise.Wishart noise, double intercept) {
    SymmetricMatrix moments = raw.plusDiagonal(-noise.degrees() * noise.scale());
    return new ReleasedMoments(moments, noise, intercept);
  }

  /**
   * The moments of the rows of both releases, whose noises are independent.
   *
   * @throws IllegalArgumentException if dimension, intercept or kind of noise differ
   */
  public ReleasedMoments plus(ReleasedMoments other) {
    Merge.check(this, other);
    return new ReleasedMoments(moments.plus(other.moments), noise.plus(other.noise), intercept);
  }
}

package io.gauze.regression.moments;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.FitInput;
import io.gauze.regression.Merge;
import java.util.Objects;

/**
 * Second moments with noise of a known law that does not depend on the moments.
 *
 * @param moments the noisy sums, in encoded units; unbiased
 * @param noise the law of their error
 * @param intercept the constant c0 at index 0 of every row; positive
 */
public record ReleasedMoments(SymmetricMatrix moments, MomentNoise noise, double intercept)
    implements NoisyMomentsInput {
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
    noise.checkColumns(moments.dimension());
  }

  /**
   * Creates moments with {@link MomentNoise.Gaussian} noise.
   *
   * @throws IllegalArgumentException if sigma or intercept is not positive and finite
   */
  public ReleasedMoments(SymmetricMatrix moments, double sigma, double intercept) {
    this(moments, new MomentNoise.Gaussian(sigma), intercept);
  }

  /**
   * Returns moments as they were released, less the mean of their noise.
   *
   * @param raw the moments of the rows, with the noise and its mean
   * @param noise its law
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if intercept is not positive and finite, or there are fewer
   *     degrees of freedom than columns
   */
  public static ReleasedMoments debiased(SymmetricMatrix raw, MomentNoise noise, double intercept) {
    return new ReleasedMoments(raw.plusDiagonal(-noise.mean()), noise, intercept);
  }

  @Override
  public NoiseLaw law(int... columns) {
    return new AdditiveLaw(noise);
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns the moments of the rows of both releases, whose noises are independent.
   *
   * @throws IllegalArgumentException if dimension, intercept or kind of noise differ
   */
  @Override
  public ReleasedMoments plus(FitInput input) {
    ReleasedMoments other = Merge.same(ReleasedMoments.class, this, input);
    return new ReleasedMoments(moments.plus(other.moments), noise.plus(other.noise), intercept);
  }
}

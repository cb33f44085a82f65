package io.gauze.regression.papers;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.moments.InverseLaw;
import io.gauze.regression.moments.NoiseLaw;
import io.gauze.regression.moments.NoisyMomentsInput;
import java.util.Objects;

/**
 * A sample V of the inverse Wishart law around moments M: {@code V^-1} is W((M + psi I)^-1, nu).
 * With D columns {@code (nu - D - 1) V - psi I} is unbiased for M, in any of its blocks.
 *
 * <p>Two samples cannot be added: their sum does not have such a law. Immutable.
 */
public final class ReleasedInverse implements NoisyMomentsInput {
  private final SymmetricMatrix moments;
  private final int degrees;
  private final double psi;
  private final double intercept;

  private ReleasedInverse(SymmetricMatrix moments, int degrees, double psi, double intercept) {
    this.moments = moments;
    this.degrees = degrees;
    this.psi = psi;
    this.intercept = intercept;
  }

  /**
   * Returns the sample of one release.
   *
   * @param sample V, in encoded units squared
   * @param degrees nu, in [D + 4, 2^24]: with fewer the error has no variance
   * @param psi the number that was added to the diagonal of M; positive
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static ReleasedInverse of(
      SymmetricMatrix sample, int degrees, double psi, double intercept) {
    Objects.requireNonNull(sample, "sample");
    Checks.within("degreesOfFreedom", degrees, sample.dimension() + 4, 1 << 24);
    Checks.positiveFinite("psi", psi);
    Checks.positiveFinite("intercept", intercept);
    double factor = degrees - sample.dimension() - 1.0;
    return new ReleasedInverse(sample.times(factor).plusDiagonal(-psi), degrees, psi, intercept);
  }

  @Override
  public NoiseLaw law(int... columns) {
    return new InverseLaw(degrees - dimension() - 1, psi);
  }

  /** The degrees of freedom nu. */
  public int degrees() {
    return degrees;
  }

  /** The number that was added to the diagonal of the moments. */
  public double psi() {
    return psi;
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public SymmetricMatrix moments() {
    return moments;
  }
}

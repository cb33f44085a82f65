package io.gauze.privacy;

/**
 * Samples of the chi-square law with a whole number of degrees of freedom, for mechanisms whose
 * proof is over the reals ({@code idealised}).
 *
 * <p>Implements G. Marsaglia and W. W. Tsang, <a href="https://doi.org/10.1145/358407.358414">A
 * simple method for generating gamma variables</a>, ACM TOMS 26 (2000), with {@link
 * StandardNormal}; one degree of freedom is a square. Differs from the paper: the acceptance
 * exponent is summed so that nothing cancels for many degrees. Normal numbers are on a grid and
 * rejection is decided in doubles, so that no bound on the distance from the law is claimed.
 * Samples are on no grid: they are parts of samplers that end on one. Immutable.
 */
public final class ChiSquare {
  /** The most degrees of freedom. */
  public static final int MOST_DEGREES = 1 << 24;

  private final int degrees;
  private final double shift; // the paper's d
  private final double slope; // the paper's c

  private ChiSquare(int degrees) {
    this.degrees = degrees;
    shift = 0.5 * degrees - 1.0 / 3.0;
    slope = 1.0 / Math.sqrt(9.0 * shift);
  }

  /**
   * A sampler.
   *
   * @param degrees in [1, 2^24]
   * @throws IllegalArgumentException if it is outside its range
   */
  public static ChiSquare of(int degrees) {
    PrivacyChecks.range("degrees", degrees, 1, MOST_DEGREES);
    return new ChiSquare(degrees);
  }

  /** The degrees of freedom, which are the mean. */
  public int degrees() {
    return degrees;
  }

  /** One sample, above 0; 0 if the entropy is noise-free. */
  public double sample(Entropy entropy) {
    if (entropy.noiseFree()) {
      return 0.0;
    }
    while (true) {
      double normal = StandardNormal.sample(entropy);
      double sample = degrees == 1 ? normal * normal : tried(normal, entropy);
      if (sample > 0.0) {
        return sample;
      }
    }
  }

  // v = (1 + t)^3, t = c x, is accepted if ln u < x^2/2 + d (1 - v + ln v)
  //                                            = x^2/2 + d (3 (ln(1 + t) - t) - 3 t^2 - t^3).
  /** A sample, or 0 if it is rejected. */
  private double tried(double normal, Entropy entropy) {
    double t = slope * normal;
    double uniform = ((entropy.nextLong() >>> 11) + 0.5) * 0x1p-53;
    if (t <= -1.0) {
      return 0.0;
    }
    double bracket = 3.0 * (Math.log1p(t) - t) - t * t * (3.0 + t);
    boolean accepted = Math.log(uniform) < 0.5 * normal * normal + shift * bracket;
    return accepted ? 2.0 * shift * (1.0 + t) * (1.0 + t) * (1.0 + t) : 0.0;
  }

  @Override
  public String toString() {
    return "ChiSquare[degrees=" + degrees + "]";
  }
}

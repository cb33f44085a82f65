package io.gauze.noise;

/**
 * Samples of N(0, 1) for mechanisms whose proof is over the reals ({@code idealised}): doubles of
 * size below 13.
 *
 * <p>A sample is within {@link RoundedGaussian#TOTAL_VARIATION}, 2^-100, of the double that is
 * nearest to a standard normal Z: there is such a Z with {@code |sample - Z| <= 2^-53 |Z| + 2^-104}
 * unless an event of that probability happens. All low bits of a double are in it; a multiple of
 * 2^-40, say, would show to whoever can compute it back from a release, see {@link OutputGrid}.
 */
public final class StandardNormal {
  private static final double STEP = 0x1p-40;

  private static final RoundedGaussian SAMPLER = RoundedGaussian.of(1.0 / STEP);

  private StandardNormal() {}

  /** One sample; 0 if the entropy is noise-free. */
  public static double sample(Entropy entropy) {
    return SAMPLER.real(entropy) * STEP;
  }
}

package io.gauze.noise;

/**
 * Samples N(0, 1) for mechanisms whose proof is over the reals ({@code idealised}): doubles of size
 * below 13.
 *
 * <p>A sample is within {@link RoundedGaussian#TOTAL_VARIATION}, 2^-100, of the double that is
 * nearest to a standard normal Z: there is such a Z with {@code |sample - Z| <= 2^-53 |Z| + 2^-104}
 * except for an event of that probability. A sample uses all low bits of a double. If it were a
 * multiple of 2^-40, an adversary could recognise it in a release, see {@link OutputGrid}.
 */
public final class StandardNormal {
  private static final double STEP = 0x1p-40;

  private static final RoundedGaussian SAMPLER = RoundedGaussian.of(1.0 / STEP);

  private StandardNormal() {}

  /** Returns one sample; 0 if the entropy is noise-free. */
  public static double sample(Entropy entropy) {
    return SAMPLER.real(entropy) * STEP;
  }
}

package io.gauze.privacy;

/**
 * Samples of N(0, 1) for mechanisms whose proof is over the reals ({@code idealised}): multiples of
 * 2^-40 of size below 2^4.
 *
 * <p>A sample is {@code round(2^40 Z) / 2^40}, see {@link RoundedGaussian}, within {@link
 * RoundedGaussian#TOTAL_VARIATION} of its law. It is exact in a double; what is computed from it is
 * not, which is why such mechanisms are idealised.
 */
public final class StandardNormal {
  /** All samples are multiples of it. */
  public static final double STEP = 0x1p-40;

  private static final RoundedGaussian SAMPLER = RoundedGaussian.of(0x1p40);

  private StandardNormal() {}

  /** One sample; 0 if the entropy is noise-free. */
  public static double sample(Entropy entropy) {
    return SAMPLER.sample(entropy) * STEP;
  }
}

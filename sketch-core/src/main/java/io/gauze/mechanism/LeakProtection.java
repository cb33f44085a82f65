package io.gauze.mechanism;

import io.gauze.noise.Entropy;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A mechanism that adds its noise twice, independently: to the state at its creation, and again at
 * the release. An adversary who sees both a stolen state and the release learns no more than the
 * budget allows.
 *
 * @param inner the mechanism whose noise is added
 */
// Let S be the sums of the rows before the state is stolen, and R those of the rows after it. The
// adversary sees S + Z1 and S + R + Z1 + Z2. This is equivalent to S + Z1 and R + Z2: two Gaussian
// mechanisms with independent noises. A row is in one of S and R, so that both together have the
// sensitivity of one. Of the k rows of a unit, j may be in S and k - j in R. With sensitivity d
// each, sqrt(j^2 + (k - j)^2) d <= k d; for moments, |V|^2 + |W|^2 <= 2 k^2 B^4 over the blocks of
// both, for counts of ranges 2 k^2 m. A replaced row that moves from S to R changes each by one
// row, like a row that moves to
// another cell. For whole x, x + round(Z1) + round(Z2) = round(round(x + Z1) + Z2).
public record LeakProtection(AdditiveMechanism inner) implements DerivedMechanism {
  public LeakProtection {
    Objects.requireNonNull(inner, "inner");
  }

  @Override
  public boolean noiseInState() {
    return true;
  }

  /** The standard deviation of the sum of both noises. */
  @Override
  public double sigma() {
    return Math.sqrt(2.0) * inner.sigma();
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    inner.addNoise(block, from, entropy);
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    inner.addNoise(state, 0, entropy);
    return state;
  }

  /**
   * Returns the inner parameters and the number of checkpointLeaks. Here sigma is sqrt 2 times
   * sensitivity / mu.
   */
  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>(inner.parameters());
    parameters.put("checkpointLeaks", 1.0);
    return parameters;
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "the sum of two independent noises, one from the beginning and one of the release, each of"
            + " them: %s; together of sqrt 2 times these standard deviations, at most %s",
        inner.noiseLaw(),
        sigma() * stepSize());
  }
}

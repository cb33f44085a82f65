package io.gauze.release;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.PrivacyCost;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A mechanism whose noise would be in the state from its creation, over an exact state: each
 * release of it gets fresh noise. For snapshots of a table, of which there are many while the state
 * stays.
 *
 * @param inner the mechanism
 */
public record AtRelease(Mechanism inner) implements Mechanism {
  /** Nothing is missing. */
  public AtRelease {
    Objects.requireNonNull(inner, "inner");
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public SketchSpec spec() {
    return inner.spec();
  }

  @Override
  public PrivacyCost cost() {
    return inner.cost();
  }

  @Override
  public boolean isBorn() {
    return false;
  }

  @Override
  public double unit() {
    return inner.unit();
  }

  @Override
  public double sigma() {
    return inner.sigma();
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec().stateLength());
  }

  // x + round(Z) is the same whenever Z is drawn, as long as it is drawn once a release.
  @Override
  public long[] release(long[] state, Entropy entropy) {
    long[] noisy = state.clone();
    inner.addNoise(noisy, 0, entropy);
    return inner.release(noisy, entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return inner.parameters();
  }

  @Override
  public Map<String, String> settings() {
    return inner.settings();
  }

  @Override
  public List<Integer> shape() {
    return inner.shape();
  }

  @Override
  public String noiseLaw() {
    return inner.noiseLaw();
  }
}

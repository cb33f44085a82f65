package io.gauze.privacy;

import io.gauze.row.Neighbours;
import java.util.List;
import java.util.Objects;

/**
 * Several mechanisms run on the same rows, adaptively too.
 *
 * <p>Gaussians alone compose exactly, see {@link GaussianDp}.
 */
public final class Composition {
  private final double mu;

  private Composition(double mu) {
    this.mu = mu;
  }

  /**
   * The composition of some mechanisms.
   *
   * @param neighbours the relation of all of them
   * @param costs at least one
   * @throws IllegalArgumentException if there is none
   */
  public static Composition of(Neighbours neighbours, List<PrivacyCost> costs) {
    Objects.requireNonNull(neighbours, "neighbours");
    if (costs.isEmpty()) {
      throw new IllegalArgumentException("costs must not be empty. Provided value: []");
    }
    return new Composition(
        GaussianDp.compose(
            costs.stream().mapToDouble(cost -> ((PrivacyCost.Gaussian) cost).mu()).toArray()));
  }

  /** The delta at which all of them together are (epsilon, delta)-private; never too small. */
  public double delta(double epsilon) {
    return GaussianDp.delta(epsilon, mu);
  }
}

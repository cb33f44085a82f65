package io.gauze.accounting;

import io.gauze.internal.Checks;
import java.io.Serializable;

/**
 * The privacy cost of one mechanism: the law of its privacy loss on the worst neighbours. {@link
 * Composition} needs nothing else. Immutable.
 */
public sealed interface MechanismCost extends Serializable {
  /**
   * The cost of Gaussian noise: that of N(mu, 1) against N(0, 1), see {@link GaussianDp}.
   *
   * @param mu l2 sensitivity over standard deviation; finite, above 0
   */
  record Gaussian(double mu) implements MechanismCost {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Gaussian {
      GaussianDp.checkPositive("mu", mu);
    }
  }

  /**
   * The cost of Laplace noise, see {@link LaplaceDp}.
   *
   * @param epsilon l1 sensitivity over scale, in (0, 100]
   */
  record Laplace(double epsilon) implements MechanismCost {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public Laplace {
      GaussianDp.checkRange("epsilon", epsilon, Budget.LARGEST_EPSILON);
    }
  }

  /**
   * The cost of a Gaussian projection, or of the inverse Wishart mechanism, see {@link
   * ProjectionPrivacy}.
   *
   * @param rows published rows r, or degrees of freedom, in [1, 2^20]
   * @param ridge {@code w^2 / B^2}, in [1e-100, 1e100]
   */
  record Projection(int rows, double ridge) implements MechanismCost {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of range
     */
    public Projection {
      Checks.within("rows", rows, 1, ProjectionPrivacy.MOST_ROWS);
      Checks.within(
          "ridge", ridge, ProjectionPrivacy.SMALLEST_RIDGE, ProjectionPrivacy.LARGEST_RIDGE);
    }
  }

  /**
   * The cost of additive Wishart noise, see {@link WishartPrivacy}.
   *
   * @param noise its law
   */
  record Wishart(WishartNoise noise) implements MechanismCost {}

  /**
   * The cost of a mechanism of which only epsilon and delta are known.
   *
   * @param epsilon in [0, 100]
   * @param delta in [0, 1]
   */
  record Approximate(double epsilon, double delta) implements MechanismCost {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of range
     */
    public Approximate {
      Checks.within("epsilon", epsilon, 0.0, Budget.LARGEST_EPSILON);
      Checks.within("delta", delta, 0.0, 1.0);
    }
  }
}

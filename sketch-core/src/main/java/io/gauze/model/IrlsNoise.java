package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.WishartNoise;
import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.Objects;

/**
 * The noise of a private iteratively reweighted fit, and the promise that all of its rounds keep
 * together. Under replace-one the row may also move to another cell of the same spec.
 */
public sealed interface IrlsNoise extends Serializable {
  /** The relation of the promise. */
  Neighbours neighbours();

  /** The name in texts. */
  String label();

  /**
   * Laplace noise, each round with its part of epsilon: pure epsilon. Delta pays for the distance
   * of samplers from their laws alone.
   */
  record Pure(Budget budget) implements IrlsNoise {
    @Override
    public Neighbours neighbours() {
      return budget.neighbours();
    }

    @Override
    public String label() {
      return "laplace, pure";
    }
  }

  /**
   * Laplace noise, (epsilon, delta) by the exact composition of pure rounds. Less noise than {@link
   * Pure} from some fifteen rounds on.
   */
  record Composed(Budget budget) implements IrlsNoise {
    @Override
    public Neighbours neighbours() {
      return budget.neighbours();
    }

    @Override
    public String label() {
      return "laplace, composed";
    }
  }

  /** Gaussian noise, (epsilon, delta); rounds compose exactly. The least noise. */
  record Gaussian(Budget budget) implements IrlsNoise {
    @Override
    public Neighbours neighbours() {
      return budget.neighbours();
    }

    @Override
    public String label() {
      return "gaussian";
    }
  }

  /**
   * Additive Wishart noise, (epsilon, delta) by the composition of its exact losses. Idealised: its
   * law is continuous.
   *
   * @param budget the promise
   * @param degrees of freedom; at least the columns, response included, and two
   */
  record Wishart(Budget budget, int degrees) implements IrlsNoise {
    /** The default number of degrees of freedom beyond the columns. */
    private static final int MORE_DEGREES = 4096;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the degrees are out of range
     */
    public Wishart {
      Objects.requireNonNull(budget, "budget");
      Checks.within("degreesOfFreedom", degrees, 4, WishartNoise.MOST_DEGREES);
    }

    /**
     * Returns noise of the default degrees of freedom.
     *
     * @param features p, the intercept included
     */
    public static Wishart of(Budget budget, int features) {
      return new Wishart(budget, features + 1 + MORE_DEGREES);
    }

    @Override
    public Neighbours neighbours() {
      return budget.neighbours();
    }

    @Override
    public String label() {
      return "wishart";
    }
  }

  /**
   * Noise under concentrated differential privacy: all rounds together are rho-zCDP (M. Bun and T.
   * Steinke, <a href="https://arxiv.org/abs/1605.02065">Concentrated differential privacy</a>, TCC
   * 2016), up to the distance of samplers from their laws.
   *
   * @param rho in [1e-6, 100]
   * @param neighbours the relation
   * @param law of the noise
   */
  record Concentrated(double rho, Neighbours neighbours, Law law) implements IrlsNoise {
    /** The law of the noise. */
    public enum Law {
      /** Gaussian noise, for which zCDP is exact. */
      GAUSSIAN,
      /** Laplace noise of pure rounds: epsilon_0^2 / 2 each. */
      LAPLACE
    }

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if rho is out of range
     */
    public Concentrated {
      Checks.within("rho", rho, 1e-6, 100.0);
      Objects.requireNonNull(neighbours, "neighbours");
      Objects.requireNonNull(law, "law");
    }

    @Override
    public String label() {
      return law == Law.GAUSSIAN ? "gaussian, concentrated" : "laplace, concentrated";
    }
  }
}

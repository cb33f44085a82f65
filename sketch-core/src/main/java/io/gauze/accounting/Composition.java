package io.gauze.accounting;

import io.gauze.internal.Bisection;
import io.gauze.internal.Checks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Several mechanisms run on the same rows. They may be chosen adaptively: each may depend on the
 * outputs of the others, as long as its cost is fixed before; that of Gaussian mechanisms among
 * themselves need not be, see PROOF-composition.md.
 *
 * <p>Gaussian mechanisms alone compose exactly, see {@link GaussianDp}, and count as one. A single
 * mechanism has its own exact delta. In all other cases the laws of the privacy losses are put on a
 * lattice so that no delta falls ("connect the dots") and added up by Fourier transforms: V.
 * Doroshenko, B. Ghazi, P. Kamath, R. Kumar and P. Manurangsi, <a
 * href="https://doi.org/10.56553/popets-2022-0122">Connect the dots: tighter discrete
 * approximations of privacy loss distributions</a>, PoPETs 2022; Y. Zhu, J. Dong and Y.-X. Wang, <a
 * href="https://proceedings.mlr.press/v151/zhu22c.html">Optimal accounting of differential privacy
 * via characteristic function</a>, AISTATS 2022. Differs from the papers: the law is tilted
 * exponentially towards the epsilon in question, so that small deltas keep their digits, and a
 * bound on every numerical error is added.
 *
 * <p>The results are upper bounds. On all lists that were tried, of up to 1000 mechanisms, epsilon
 * in [0.1, 10] and delta in [1e-12, 1e-3], they are above the optimum by less than 1 %, mostly by
 * less than 0.1 %. Wishart noise of fewer than about ten degrees of freedom beyond the columns and
 * of a scale above 1e3 may be further above. For {@link MechanismCost.Wishart} and {@link
 * Neighbours#REPLACE_ONE} the optimum is that of the bound in two steps of {@link WishartPrivacy},
 * and for {@link MechanismCost.Approximate} that of the worst mechanism. Takes a few hundredths of
 * a second for a handful of different costs (Wishart noise of few degrees of freedom: up to
 * seconds), and memory for about 2^18 numbers each at most; equal costs count as one. Immutable.
 */
public final class Composition {
  private static final int BISECTIONS = 60;
  private static final int REFINEMENTS = 4;

  private final Neighbours neighbours;
  private final Optional<MechanismCost> only;
  private final List<PldComposition> sums;

  private Composition(
      Neighbours neighbours, Optional<MechanismCost> only, Map<MechanismCost, Integer> costs) {
    this.neighbours = neighbours;
    this.only = only;
    sums = PldComposition.of(neighbours, costs);
  }

  /**
   * Creates the composition of some mechanisms.
   *
   * @param neighbours the relation of all of them
   * @param costs at least one
   * @throws IllegalArgumentException if there is none
   */
  public static Composition of(Neighbours neighbours, List<MechanismCost> costs) {
    return of(neighbours, counted(costs));
  }

  /**
   * Creates the composition of some mechanisms, each run once or several times. Takes no longer
   * than for one of each.
   *
   * @param neighbours the relation of all of them
   * @param costs at least one, each with how often it was run, at least once
   * @throws IllegalArgumentException if there is none, or a number is below 1
   */
  public static Composition of(Neighbours neighbours, Map<MechanismCost, Integer> costs) {
    Objects.requireNonNull(neighbours, "neighbours");
    if (costs.isEmpty()) {
      throw new IllegalArgumentException("costs must not be empty. Provided value: []");
    }
    costs.values().forEach(times -> Checks.within("times", times, 1, Integer.MAX_VALUE));
    Map<MechanismCost, Integer> merged = mergeGaussians(costs);
    boolean one = merged.size() == 1 && merged.values().iterator().next() == 1;
    Optional<MechanismCost> only =
        one ? Optional.of(merged.keySet().iterator().next()) : Optional.empty();
    return new Composition(neighbours, only, merged);
  }

  /** Creates a composition that is always computed numerically, even if a formula exists. */
  static Composition numerical(Neighbours neighbours, List<MechanismCost> costs) {
    return new Composition(neighbours, Optional.empty(), counted(costs));
  }

  /** Counts equal costs, in the order in which they first occur. */
  static Map<MechanismCost, Integer> counted(List<MechanismCost> costs) {
    Map<MechanismCost, Integer> counts = new LinkedHashMap<>();
    costs.forEach(cost -> counts.merge(Objects.requireNonNull(cost, "cost"), 1, Integer::sum));
    return counts;
  }

  /** Merges all Gaussian costs into one, which comes first. */
  static Map<MechanismCost, Integer> mergeGaussians(Map<MechanismCost, Integer> costs) {
    Map<MechanismCost, Integer> merged = new LinkedHashMap<>();
    Map<Double, Integer> mus = new LinkedHashMap<>();
    costs.forEach((cost, times) -> cost.gaussianMu().ifPresent(mu -> mus.put(mu, times)));
    boolean alone = mus.size() == 1 && mus.values().iterator().next() == 1;
    if (alone) {
      merged.put(new MechanismCost.Gaussian(mus.keySet().iterator().next()), 1);
    } else if (!mus.isEmpty()) {
      // Squares, multiples, additions and the root each have an error of half a unit in the last
      // place: (n + 1) / 2 + 1 units for n numbers, and one for this product.
      double mu = GaussianDp.compose(mus) * (1.0 + (mus.size() + 2) * 0x1p-53);
      merged.put(new MechanismCost.Gaussian(mu), 1);
    }
    costs.forEach(
        (cost, times) -> {
          if (cost.gaussianMu().isEmpty()) {
            merged.put(cost, times);
          }
        });
    return merged;
  }

  /**
   * Returns an upper bound on the least delta at which all mechanisms together are (epsilon,
   * delta)-private.
   *
   * @param epsilon finite, at least 0
   * @return in [0, 1]
   * @throws IllegalArgumentException if epsilon is outside its range
   */
  public double delta(double epsilon) {
    Checks.within("epsilon", epsilon, 0.0, Double.MAX_VALUE);
    if (exact(epsilon)) {
      return only.get().delta(epsilon, neighbours);
    }
    return delta(epsilon, plans(epsilon));
  }

  /** Returns the plans for computing delta at an epsilon, one for each direction. */
  List<PldDiscretization> plans(double epsilon) {
    return sums.stream().map(sum -> PldDiscretization.atEpsilon(sum, epsilon)).toList();
  }

  /**
   * Returns an upper bound on delta. The plans may have been made for another composition of as
   * many mechanisms of the same kinds: for fixed plans the bound is a smooth function of the
   * mechanisms' sizes.
   */
  double delta(double epsilon, List<PldDiscretization> plans) {
    double largest = 0.0;
    for (int i = 0; i < sums.size(); i++) {
      PldComposition sum = sums.get(i);
      double delta =
          epsilon >= sum.largestSum()
              ? sum.infinite()
              : new TiltedConvolution(sum, plans.get(i)).delta(epsilon);
      largest = Math.max(largest, delta);
    }
    return largest;
  }

  /**
   * Returns an upper bound on the least epsilon at which all mechanisms together are (epsilon,
   * delta)-private.
   *
   * @param delta in (0, 1)
   * @return at least 0; infinity if a total failure of privacy has at least this probability
   * @throws IllegalArgumentException if delta is outside its range
   */
  public double epsilon(double delta) {
    if (!(delta > 0.0 && delta < 1.0)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "delta must be in (0, 1). Provided value: %s", delta));
    }
    if (only.isPresent()) {
      OptionalDouble mu = only.get().gaussianMu();
      if (mu.isPresent()) {
        return GaussianDp.epsilon(delta, mu.getAsDouble());
      }
      if (only.get().delta(Budget.LARGEST_EPSILON, neighbours) <= delta) {
        return leastEpsilon(only.get(), delta);
      }
    }
    double largest = 0.0;
    for (PldComposition sum : sums) {
      largest = Math.max(largest, numericalEpsilon(sum, delta));
    }
    return largest;
  }

  private static double numericalEpsilon(PldComposition sum, double delta) {
    PldDiscretization plan = PldDiscretization.atDelta(sum, delta);
    double epsilon = new TiltedConvolution(sum, plan).epsilon(delta);
    for (int i = 0; i < REFINEMENTS && plan.isFarFrom(sum, epsilon); i++) {
      plan = PldDiscretization.atEpsilon(sum, Math.min(epsilon, sum.largestSum()));
      epsilon = Math.min(epsilon, new TiltedConvolution(sum, plan).epsilon(delta));
    }
    return epsilon;
  }

  private double leastEpsilon(MechanismCost cost, double delta) {
    if (cost.delta(0.0, neighbours) <= delta) {
      return 0.0;
    }
    double low = 0.0;
    double high = 1.0;
    while (cost.delta(high, neighbours) > delta) {
      low = high;
      high = Math.min(Budget.LARGEST_EPSILON, 2.0 * high);
    }
    return new Bisection(low, high)
        .narrow(
            BISECTIONS,
            ends -> ends.width() > 1e-13 * ends.holds(),
            middle -> cost.delta(middle, neighbours) <= delta)
        .holds();
  }

  /** Returns true if a formula exists, since there is only one mechanism. */
  boolean exact(double epsilon) {
    return only.isPresent()
        && (epsilon <= Budget.LARGEST_EPSILON || only.get().gaussianMu().isPresent());
  }
}

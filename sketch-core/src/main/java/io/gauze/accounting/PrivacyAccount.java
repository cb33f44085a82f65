package io.gauze.accounting;

import io.gauze.internal.Bisection;
import io.gauze.internal.Checks;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * An account of the spendings on the same rows, composed sequentially: each may depend on the
 * releases of the others. So may its cost if all costs are Gaussian, or where the plain sums keep
 * the limit, but not otherwise, see {@link Composition}. Equal spendings are counted, so that
 * thousands of them take no longer than one. Immutable.
 *
 * <p>Two bounds hold, and the smaller one is used: the composition of the mechanisms, see {@link
 * Composition}, and the plain sums of the promised epsilons and deltas (C. Dwork and A. Roth, <a
 * href="https://doi.org/10.1561/0400000042">The algorithmic foundations of differential
 * privacy</a>, 2014, theorem 3.16). The sums are exact where the composition is rounded up, so that
 * one spending always fits its own promise.
 */
public final class PrivacyAccount {
  private static final int STEPS = 40;

  private final List<Spend> spendings;
  private final Map<Spend, Integer> counts = new LinkedHashMap<>();

  private PrivacyAccount(List<Spend> spendings) {
    this.spendings = spendings;
    spendings.forEach(spending -> counts.merge(spending, 1, Integer::sum));
  }

  /**
   * Creates an account. An empty list is an account on which nothing is spent.
   *
   * @throws IllegalArgumentException if units or relations differ, since such spendings do not
   *     compose
   */
  public static PrivacyAccount of(List<Spend> spendings) {
    List<Spend> all = List.copyOf(spendings);
    PrivacyAccount account = new PrivacyAccount(all);
    account.counts.keySet().forEach(spending -> checkSame(all.get(0), spending));
    return account;
  }

  private static void checkSame(Spend first, Spend other) {
    String one = first.unit() + ", " + first.budget().neighbours().label();
    String two = other.unit() + ", " + other.budget().neighbours().label();
    if (!one.equals(two)) {
      throw new IllegalArgumentException(
          "unit and relation of what adds up must be equal. Provided value: "
              + one
              + " and "
              + two);
    }
  }

  /**
   * Returns the account after one more spending.
   *
   * @throws IllegalArgumentException if its unit or relation differs
   */
  public PrivacyAccount plus(Spend spending) {
    List<Spend> more = new ArrayList<>(spendings);
    more.add(spending);
    return of(more);
  }

  /**
   * Returns how often {@code more} can be spent, one after the other, before a limit is overdrawn.
   *
   * @param more the spending
   * @param limit the limit
   * @param most the end of the search, at least 1
   * @return in [0, most]
   * @throws IllegalArgumentException if its unit or relation differs from those of the account, or
   *     its relation from the limit's
   */
  public int times(Spend more, Budget limit, int most) {
    int fits = 0;
    int tooMany = 1;
    while (tooMany <= most && plus(more, tooMany).fits(limit)) {
      fits = tooMany;
      tooMany = tooMany > most / 2 ? (tooMany == most ? most + 1 : most) : 2 * tooMany;
    }
    while (tooMany - fits > 1) {
      int middle = fits + (tooMany - fits) / 2;
      if (plus(more, middle).fits(limit)) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return fits;
  }

  /** Returns the account after several equal spendings. Takes no longer for many than for one. */
  private PrivacyAccount plus(Spend more, int times) {
    PrivacyAccount account = plus(more);
    account.counts.merge(more, times - 1, Integer::sum);
    return account;
  }

  /** The spendings; immutable. */
  public List<Spend> spendings() {
    return spendings;
  }

  /**
   * Returns true if all randomness was fit for privacy. If not, the account shows what would hold
   * if it had been.
   */
  public boolean isPrivate() {
    return spendings.stream().allMatch(Spend::isPrivate);
  }

  /**
   * Returns a delta at which everything together is (epsilon, delta)-private.
   *
   * @param epsilon in [0, 100]
   * @return in [0, 1]; 0 if nothing is spent
   * @throws IllegalArgumentException if epsilon is out of range
   */
  public double delta(double epsilon) {
    Checks.within("epsilon", epsilon, 0.0, Budget.LARGEST_EPSILON);
    if (spendings.isEmpty()) {
      return 0.0;
    }
    double composed = composition().delta(epsilon) + samplers(epsilon);
    boolean sums = promisedEpsilon().compareTo(new BigDecimal(epsilon)) <= 0;
    return Math.min(1.0, sums ? Math.min(composed, up(promisedDelta())) : composed);
  }

  /**
   * Returns an epsilon at which everything together is (epsilon, delta)-private.
   *
   * @param delta in (0, 0.1]
   * @return at least 0, and 0 if nothing is spent; infinite if there is none in [0, 100]
   * @throws IllegalArgumentException if delta is out of range
   */
  public double epsilon(double delta) {
    GaussianDp.checkRange("delta", delta, Budget.LARGEST_DELTA);
    if (spendings.isEmpty()) {
      return 0.0;
    }
    boolean sums = promisedDelta().compareTo(new BigDecimal(delta)) <= 0;
    double promised = sums ? up(promisedEpsilon()) : Double.POSITIVE_INFINITY;
    return Math.min(
        promised <= Budget.LARGEST_EPSILON ? promised : Double.POSITIVE_INFINITY,
        composedEpsilon(delta));
  }

  /**
   * Checks whether everything together keeps a limit.
   *
   * @throws IllegalArgumentException if the limit is for another relation
   */
  public boolean fits(Budget limit) {
    if (!spendings.isEmpty() && neighbours() != limit.neighbours()) {
      throw new IllegalArgumentException(
          "relation of the limit must be "
              + neighbours().label()
              + ". Provided value: "
              + limit.neighbours().label());
    }
    if (delta(limit.epsilon()) <= limit.delta()) {
      return true;
    }
    // The delta that the samplers' distance costs grows with epsilon. Spendings that keep a smaller
    // epsilon keep the limit, too. The delta of the mechanisms falls with epsilon: where it alone
    // is too large, no smaller epsilon helps.
    return !spendings.isEmpty()
        && samplers(limit.epsilon()) > 0.0
        && composition().delta(limit.epsilon()) <= limit.delta()
        && epsilon(limit.delta()) <= limit.epsilon();
  }

  /**
   * Returns the part of a limit that is left: the largest epsilon, to 9 digits, for which Gaussian
   * noise of that epsilon and the limit's delta still fits.
   *
   * @return in [0, the limit's epsilon]
   * @throws IllegalArgumentException if the limit is for another relation
   */
  public double left(Budget limit) {
    if (spendings.isEmpty()) {
      return limit.epsilon();
    }
    return new Bisection(limit.epsilon(), 0.0)
        .narrow(
            STEPS,
            ends -> ends.width() > 1e-9 * ends.fails(),
            epsilon -> plus(gaussian(epsilon, limit)).fits(limit))
        .holds();
  }

  private Spend gaussian(double epsilon, Budget limit) {
    return new Spend(
        spendings.get(0).unit(),
        new Budget(epsilon, limit.delta(), limit.neighbours()),
        List.of(new MechanismCost.Gaussian(GaussianDp.mu(epsilon, limit.delta()))),
        0.0,
        true);
  }

  private Neighbours neighbours() {
    return spendings.get(0).budget().neighbours();
  }

  private BigDecimal promisedEpsilon() {
    return sum(Budget::epsilon);
  }

  private BigDecimal promisedDelta() {
    return sum(Budget::delta);
  }

  private BigDecimal sum(ToDoubleFunction<Budget> part) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Map.Entry<Spend, Integer> each : counts.entrySet()) {
      BigDecimal one = new BigDecimal(part.applyAsDouble(each.getKey().budget()));
      sum = sum.add(one.multiply(BigDecimal.valueOf(each.getValue())));
    }
    return sum;
  }

  /** Returns the least double that is not below {@code value}. */
  private static double up(BigDecimal value) {
    double near = value.doubleValue();
    return new BigDecimal(near).compareTo(value) < 0 ? Math.nextUp(near) : near;
  }

  /** Returns the amount that the samplers' distance from their laws adds to delta. */
  private double samplers(double epsilon) {
    // Let eta be the sum of the distances of all spendings: it bounds the distance of all their
    // noises together from their laws. For sampled P, P' and exact Q, Q':
    //   P(E) <= Q(E) + eta <= e^eps Q'(E) + delta' + eta <= e^eps (P'(E) + eta) + delta' + eta.
    double eta = 0.0;
    for (Map.Entry<Spend, Integer> each : counts.entrySet()) {
      eta += each.getValue() * each.getKey().distance();
    }
    return (1.0 + Math.exp(epsilon)) * eta * (1.0 + 1e-12);
  }

  private double composedEpsilon(double delta) {
    double epsilon = leastEpsilon(delta / 2.0);
    if (!(samplers(epsilon) <= delta / 2.0)) {
      return Double.POSITIVE_INFINITY;
    }
    // Below that epsilon the samplers' distance costs no more than at it.
    return leastEpsilon(Math.nextDown(delta - samplers(epsilon)));
  }

  private double leastEpsilon(double delta) {
    double epsilon = composition().epsilon(delta);
    return epsilon <= Budget.LARGEST_EPSILON ? epsilon : Double.POSITIVE_INFINITY;
  }

  private Composition composition() {
    Map<MechanismCost, Integer> costs = new LinkedHashMap<>();
    counts.forEach(
        (spending, times) ->
            spending.costs().forEach(cost -> costs.merge(cost, times, Integer::sum)));
    return Composition.of(neighbours(), costs);
  }
}

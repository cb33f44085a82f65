package io.gauze.accounting;

import io.gauze.internal.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;

/**
 * Splits one budget among mechanisms of different kinds, all run on the same rows: part i gets the
 * size {@code s sqrt(w_i / sum w)}, where s is the value at which all of them together, by {@link
 * Composition}, spend the budget and no more.
 *
 * <p>A part discloses about as much as a Gaussian mechanism whose mu is the part's size. This is
 * exact for {@link Gaussian}, and holds in the limit of many rows or degrees of freedom for {@link
 * Projection} and {@link Wishart}. If all parts are Gaussian, the result is that of {@link
 * GaussianDp#split}.
 *
 * <p>A part that has an epsilon of its own, {@link Laplace} or {@link Approximate}, gets at most
 * the budget's, each time it is run: delta buys composition, and never a larger epsilon of one
 * mechanism. What such a part does not take is left to the others.
 */
public final class BudgetSplit {
  private static final double LEAST_SHARE = 1e-12;
  private static final int MOST_STEPS = 80;
  private static final int MOST_TIMES = 1 << 20;

  private BudgetSplit() {}

  /** The kind of mechanism of a part. */
  public sealed interface Family {
    /**
     * Returns the cost of a mechanism of this kind and of some size above 0.
     *
     * @param budget of all parts together
     */
    MechanismCost cost(double size, Budget budget);

    /** Returns the size from which on the cost no longer grows; infinity if there is none. */
    default double largest(Budget budget) {
      return Double.POSITIVE_INFINITY;
    }
  }

  /** Gaussian noise: its mu is the size. */
  public record Gaussian() implements Family {
    @Override
    public MechanismCost cost(double size, Budget budget) {
      return new MechanismCost.Gaussian(size);
    }
  }

  /** Laplace noise: its epsilon is the size, or the budget's if that is smaller. */
  public record Laplace() implements Family {
    @Override
    public MechanismCost cost(double size, Budget budget) {
      return new MechanismCost.Laplace(Math.min(size, largest(budget)));
    }

    @Override
    public double largest(Budget budget) {
      return budget.epsilon();
    }
  }

  /**
   * A Gaussian projection: its ridge is {@code sqrt(rows / 2) / size}, and {@code sqrt(rows) /
   * size} for replace-one.
   *
   * @param rows published rows, in [1, 2^20]
   */
  public record Projection(int rows) implements Family {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if rows is out of range
     */
    public Projection {
      Checks.within("rows", rows, 1, ProjectionPrivacy.MOST_ROWS);
    }

    @Override
    public MechanismCost cost(double size, Budget budget) {
      double directions = budget.neighbours() == Neighbours.ADD_REMOVE ? 2.0 : 1.0;
      return new MechanismCost.Projection(rows, Math.sqrt(rows / directions) / size);
    }
  }

  /**
   * Additive Wishart noise: its scale is {@code 1 / (size sqrt(2 m))}, and twice that for
   * replace-one, {@code m = degrees - columns + 1}.
   *
   * @param columns D, in [1, 4096]
   * @param degrees k, in [columns + 2, 10^6]
   */
  public record Wishart(int columns, int degrees) implements Family {
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of range
     */
    public Wishart {
      Checks.within("columns", columns, 1, WishartNoise.MOST_COLUMNS);
      Checks.within("degreesOfFreedom", degrees, columns + 2, WishartNoise.MOST_DEGREES);
    }

    @Override
    public MechanismCost cost(double size, Budget budget) {
      double steps = budget.neighbours() == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
      double scale = steps / (size * Math.sqrt(2.0 * (degrees - columns + 1)));
      return new MechanismCost.Wishart(new WishartNoise(columns, degrees, scale));
    }
  }

  /**
   * A mechanism that has a fixed delta and spends any epsilon: the epsilon that a Gaussian
   * mechanism whose mu is the size has at this delta, or the budget's if that is smaller.
   *
   * @param delta in (0, 0.1], below the budget's
   */
  public record Approximate(double delta) implements Family {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if delta is out of range
     */
    public Approximate {
      GaussianDp.checkRange("delta", delta, Budget.LARGEST_DELTA);
    }

    @Override
    public MechanismCost cost(double size, Budget budget) {
      double epsilon =
          size >= largest(budget)
              ? budget.epsilon()
              : Math.min(GaussianDp.epsilon(delta, size), budget.epsilon());
      return new MechanismCost.Approximate(epsilon, delta);
    }

    @Override
    public double largest(Budget budget) {
      return GaussianDp.mu(budget.epsilon(), delta);
    }
  }

  /**
   * One mechanism.
   *
   * @param family its kind
   * @param weight its share, relative to the sum of all weights; finite, above 0
   */
  public record Part(Family family, double weight) {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the weight is out of range
     */
    public Part {
      GaussianDp.checkPositive("weight", weight);
    }
  }

  /**
   * Splits a budget. Takes some ten compositions: half a second for parts of several kinds.
   *
   * @param parts at least one
   * @return the costs in the order of the parts. Their {@link Composition#delta} at the budget's
   *     epsilon is at most the budget's delta, and within 1e-6 of it (relatively) where that delta
   *     is continuous; for one part within 1e-9. Where each part has the budget's epsilon it is
   *     smaller: a single Laplace mechanism has this epsilon and needs no delta
   * @throws IllegalArgumentException if there is no part, if a share is below 1e-12 of the sum, if
   *     a family has no mechanism of the size it gets, or if parts with a fixed delta use up the
   *     budget's delta
   */
  public static List<MechanismCost> of(Budget budget, List<Part> parts) {
    return of(budget, parts, 1);
  }

  /**
   * Splits a budget among mechanisms that are all run several times, as {@link #of(Budget, List)}
   * does. Takes no longer than for one time.
   *
   * @param times how often each part is run, in [1, 2^20]
   * @return the cost of each part each time
   * @throws IllegalArgumentException as in {@link #of(Budget, List)}, or if the number is out of
   *     range
   */
  public static List<MechanismCost> of(Budget budget, List<Part> parts, int times) {
    return of(budget, parts, times, 0.0);
  }

  /**
   * Splits what a Gaussian mechanism, run once on the same rows before the others, leaves of a
   * budget. What the others are run on may depend on its output; their costs must not, see {@code
   * PROOF-ranges.md}.
   *
   * @param spentMu the mu of that mechanism, at least 0 and below that of the budget
   * @return the cost of each part each time
   * @throws IllegalArgumentException as above, or if that mu is out of range
   */
  public static List<MechanismCost> of(Budget budget, List<Part> parts, int times, double spentMu) {
    Checks.within("times", times, 1, MOST_TIMES);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("parts must not be empty. Provided value: []");
    }
    double[] weights = parts.stream().mapToDouble(Part::weight).toArray();
    double mu = GaussianDp.mu(budget.epsilon(), budget.delta());
    if (!(spentMu >= 0.0 && spentMu < mu)) { // also refuses NaN
      throw new IllegalArgumentException(
          "spentMu must be in [0, " + mu + "). Provided value: " + spentMu);
    }
    double left = spentMu == 0.0 ? mu : Math.sqrt((mu - spentMu) * (mu + spentMu));
    double[] shares = GaussianDp.split(1.0, weights);
    if (DoubleStream.of(shares).min().getAsDouble() < Math.sqrt(LEAST_SHARE)) {
      throw new IllegalArgumentException(
          "weight must be at least 1e-12 of the sum. Provided value: "
              + DoubleStream.of(weights).min().getAsDouble());
    }
    if (parts.stream().allMatch(part -> part.family() instanceof Gaussian)) {
      double[] mus = GaussianDp.split(left, weights);
      boolean exact = times == 1 && spentMu == 0.0;
      return costs(budget, parts, exact ? mus : each(mus, times));
    }
    checkOwnDeltas(budget, parts, times, spentMu);
    Search search = new Search(budget, parts, shares, times, spentMu);
    return search.costs(1.0 / search.leastNoise(1.0 / left));
  }

  /** Returns {@code mu / sqrt times}, rounded down by more than the rounding error. */
  private static double[] each(double[] mus, int times) {
    return DoubleStream.of(mus).map(mu -> mu / Math.sqrt(times) * (1.0 - 0x1p-50)).toArray();
  }

  /**
   * Checks that the fixed deltas of parts leave some of the budget's delta. They do not shrink with
   * the sizes, so no size of the other parts makes up for them.
   */
  private static void checkOwnDeltas(Budget budget, List<Part> parts, int times, double spentMu) {
    double spent = spentMu == 0.0 ? 0.0 : GaussianDp.delta(budget.epsilon(), spentMu);
    double own = spent;
    for (Part part : parts) {
      own += part.family() instanceof Approximate approximate ? times * approximate.delta() : 0.0;
    }
    if (spent > 0.0 && !(own < budget.delta())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rangeShare must be smaller: the counts of ranges and mechanisms with a delta of"
                  + " their own would need a delta of %.7g. Provided value: a delta of %.7g",
              own,
              budget.delta()));
    }
    if (!(own < budget.delta())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epsilon must be smaller or delta larger: mechanisms with a delta of their own need"
                  + " %.7g of it, and the distance of the noise from its law leaves %.7g. Provided"
                  + " value: %s",
              own,
              budget.delta(),
              budget.epsilon()));
    }
  }

  // Searches for the noise, by which all sizes are divided. If plans were made anew for each noise,
  // delta would be a function with small steps, whose root could be found to 1e-5 or so only.
  private static final class Search {
    private final Budget budget;
    private final List<Part> parts;
    private final double[] shares;
    private final int times;
    private final double spentMu;

    /**
     * Creates a search. Sizes of parts that are run several times are smaller by the root of that
     * number.
     */
    Search(Budget budget, List<Part> parts, double[] shares, int times, double spentMu) {
      this.budget = budget;
      this.parts = parts;
      double each = Math.sqrt(times);
      this.shares = DoubleStream.of(shares).map(share -> share / each).toArray();
      this.times = times;
      this.spentMu = spentMu;
    }

    double leastNoise(double guess) {
      double all = largestNoiseOfAll();
      if (all > 0.0 && delta(all) <= budget.delta()) {
        return all;
      }
      if (composition(guess).exact(budget.epsilon())) {
        return least(this::delta, guess, 1e-10);
      }
      double noise = least(this::delta, guess, 1e-2);
      for (double closeness : new double[] {1e-5, 1e-8}) {
        List<PldDiscretization> plans = composition(noise).plans(budget.epsilon());
        noise = least(x -> delta(x, plans), noise, closeness);
      }
      for (double more = 1e-9; delta(noise) > budget.delta(); more *= 2.0) {
        noise *= 1.0 + more;
      }
      return noise;
    }

    /**
     * Returns a noise at which the falling delta is at most the budget's, and within the closeness
     * of it if possible.
     */
    private double least(DoubleUnaryOperator delta, double guess, double closeness) {
      // In logarithms on both axes the curve is nearly straight, whatever the sizes: the search
      // uses secants, and bisection where these do not help.
      DoubleUnaryOperator excess =
          x -> Math.max(-50.0, Math.log(delta.applyAsDouble(Math.exp(x)) / budget.delta()));
      double low = Math.log(guess);
      double high = low;
      double above = excess.applyAsDouble(low);
      double below = above;
      for (double step = 0.02; below > 0.0; step *= 2.0) {
        low = high;
        above = below;
        high += step;
        below = excess.applyAsDouble(high);
      }
      for (double step = 0.02; above <= 0.0; step *= 2.0) {
        high = low;
        below = above;
        low -= step;
        above = excess.applyAsDouble(low);
      }
      for (int i = 0; i < MOST_STEPS && below < -closeness; i++) {
        double share = (above + 0.5 * closeness) / (above - below);
        double middle = low + (i % 4 == 3 ? 0.5 : share) * (high - low);
        double value = excess.applyAsDouble(middle);
        if (value <= 0.0) {
          high = middle;
          below = value;
        } else {
          low = middle;
          above = value;
        }
      }
      return Math.exp(high);
    }

    private double delta(double noise) {
      return composition(noise).delta(budget.epsilon());
    }

    private double delta(double noise, List<PldDiscretization> plans) {
      return composition(noise).delta(budget.epsilon(), plans);
    }

    /** Returns the largest noise at which no part's cost can grow; 0 if one grows for ever. */
    private double largestNoiseOfAll() {
      double noise = Double.POSITIVE_INFINITY;
      for (int i = 0; i < shares.length; i++) {
        noise = Math.min(noise, shares[i] / parts.get(i).family().largest(budget));
      }
      return noise * (1.0 - 0x1p-40); // sizes are not below the largest by a rounding error
    }

    private Composition composition(double noise) {
      Map<MechanismCost, Integer> all = new LinkedHashMap<>();
      costs(1.0 / noise).forEach(cost -> all.merge(cost, times, Integer::sum));
      if (spentMu > 0.0) {
        all.merge(new MechanismCost.Gaussian(spentMu), 1, Integer::sum);
      }
      return Composition.of(budget.neighbours(), all);
    }

    List<MechanismCost> costs(double size) {
      double[] sizes = DoubleStream.of(shares).map(share -> share * size).toArray();
      return BudgetSplit.costs(budget, parts, sizes);
    }
  }

  private static List<MechanismCost> costs(Budget budget, List<Part> parts, double[] sizes) {
    List<MechanismCost> costs = new ArrayList<>();
    for (int i = 0; i < sizes.length; i++) {
      costs.add(parts.get(i).family().cost(sizes[i], budget));
    }
    return costs;
  }
}

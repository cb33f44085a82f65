package io.gauze.accounting;

import io.gauze.accounting.loss.GaussianLoss;
import io.gauze.accounting.loss.ProjectionLoss;
import io.gauze.accounting.loss.WishartLoss;
import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The privacy cost of one mechanism: the law of its privacy loss on the worst neighbours. {@link
 * Composition} needs nothing else. Immutable.
 *
 * <p>All laws are in this package, which alone makes {@link LossPart}s: their numbers are upper
 * bounds that are proved where they are computed.
 */
public interface MechanismCost extends Serializable {
  /**
   * Returns an upper bound on delta at which the mechanism, run once, is (epsilon, delta)-private.
   *
   * @param epsilon in [0, 100], for Gaussian noise any finite number that is at least 0
   * @param neighbours the relation for which the cost was computed
   * @return in [0, 1]
   */
  double delta(double epsilon, Neighbours neighbours);

  /**
   * The losses that add up to the loss of this mechanism, in one direction.
   *
   * @param neighbours the relation for which the cost was computed
   * @param present true for the loss of outputs of the rows with the row, against those without
   */
  List<LossPart> parts(Neighbours neighbours, boolean present);

  /**
   * Roughly the standard deviation of the loss: that of a Gaussian mechanism of this mu.
   *
   * @return above 0
   */
  double size(Neighbours neighbours);

  /** Whether adding a row has the loss of removing it. */
  default boolean isSymmetric() {
    return true;
  }

  /** Whether the loss has a largest finite value that has a probability of its own: an epsilon. */
  default boolean hasLargestLoss() {
    return false;
  }

  /** The mu of Gaussian noise; empty for any other law. */
  default OptionalDouble gaussianMu() {
    return OptionalDouble.empty();
  }

  /** The name of the law, as in JSON. */
  String law();

  /** The numbers of the law by their names in JSON, integers or doubles, in their order. */
  Map<String, Number> numbers();

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

    @Override
    public double delta(double epsilon, Neighbours neighbours) {
      return Math.min(1.0, GaussianDp.largestDelta(epsilon, mu));
    }

    @Override
    public List<LossPart> parts(Neighbours neighbours, boolean present) {
      return List.of(LossPart.of(new GaussianLoss(mu), 0.0));
    }

    @Override
    public double size(Neighbours neighbours) {
      return mu;
    }

    @Override
    public OptionalDouble gaussianMu() {
      return OptionalDouble.of(mu);
    }

    @Override
    public String law() {
      return "gaussian";
    }

    @Override
    public Map<String, Number> numbers() {
      return Map.of("mu", mu);
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

    // P(loss = b) = 1/2, density e^((x - b)/2) / 4 below: E(1 - e^(epsilon - loss))+.
    @Override
    public double delta(double asked, Neighbours neighbours) {
      double delta = Math.max(0.0, -Math.expm1(0.5 * (asked - epsilon)));
      return Math.min(1.0, delta * (1.0 + PrivacyLossDistribution.SLACK));
    }

    @Override
    public List<LossPart> parts(Neighbours neighbours, boolean present) {
      return List.of(
          LossPart.between(epsilon, 0.0, step -> PrivacyLossDistribution.laplace(epsilon, step)));
    }

    @Override
    public double size(Neighbours neighbours) {
      return epsilon;
    }

    @Override
    public boolean hasLargestLoss() {
      return true;
    }

    @Override
    public String law() {
      return "laplace";
    }

    @Override
    public Map<String, Number> numbers() {
      return Map.of("epsilon", epsilon);
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

    @Override
    public double delta(double epsilon, Neighbours neighbours) {
      double delta = ProjectionPrivacy.delta(epsilon, neighbours, rows, ridge);
      return Math.min(1.0, delta * (1.0 + PrivacyLossDistribution.SLACK));
    }

    // For replace-one the worst pair is the product of both directions, see ProjectionPrivacy.
    @Override
    public List<LossPart> parts(Neighbours neighbours, boolean present) {
      LossPart one = LossPart.of(new ProjectionLoss(rows, ridge, present), 0.0);
      return neighbours == Neighbours.REPLACE_ONE
          ? List.of(one, LossPart.of(new ProjectionLoss(rows, ridge, !present), 0.0))
          : List.of(one);
    }

    @Override
    public double size(Neighbours neighbours) {
      return Math.sqrt(0.5 * rowsThatDiffer(neighbours) * rows) / ridge;
    }

    @Override
    public boolean isSymmetric() {
      return false;
    }

    @Override
    public String law() {
      return "projection";
    }

    @Override
    public Map<String, Number> numbers() {
      Map<String, Number> numbers = new LinkedHashMap<>();
      numbers.put("rows", rows);
      numbers.put("ridge", ridge);
      return numbers;
    }
  }

  /**
   * The cost of additive Wishart noise, see {@link WishartPrivacy}.
   *
   * @param noise its law
   */
  record Wishart(WishartNoise noise) implements MechanismCost {
    @Override
    public double delta(double epsilon, Neighbours neighbours) {
      double delta = WishartPrivacy.delta(epsilon, neighbours, noise);
      return Math.min(1.0, delta * (1.0 + PrivacyLossDistribution.SLACK));
    }

    @Override
    public List<LossPart> parts(Neighbours neighbours, boolean present) {
      WishartLoss loss = new WishartLoss(noise.freedom(), noise.scale(), present);
      return List.of(
          neighbours == Neighbours.REPLACE_ONE
              ? LossPart.replaced(loss, new WishartLoss(noise.freedom(), noise.scale(), !present))
              : LossPart.of(loss, loss.infinite()));
    }

    @Override
    public double size(Neighbours neighbours) {
      return rowsThatDiffer(neighbours) / (noise.scale() * Math.sqrt(2.0 * noise.freedom()));
    }

    @Override
    public boolean isSymmetric() {
      return false;
    }

    @Override
    public String law() {
      return "wishart";
    }

    @Override
    public Map<String, Number> numbers() {
      Map<String, Number> numbers = new LinkedHashMap<>();
      numbers.put("columns", noise.columns());
      numbers.put("degreesOfFreedom", noise.degrees());
      numbers.put("scale", noise.scale());
      return numbers;
    }
  }

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

    @Override
    public double delta(double asked, Neighbours neighbours) {
      double rest = Math.max(0.0, -Math.expm1(asked - epsilon));
      double chance = (1.0 - delta) / (1.0 + Math.exp(-epsilon));
      return Math.min(1.0, delta + chance * rest * (1.0 + PrivacyLossDistribution.SLACK));
    }

    @Override
    public List<LossPart> parts(Neighbours neighbours, boolean present) {
      return List.of(
          LossPart.between(
              epsilon, delta, step -> PrivacyLossDistribution.approximate(this, step)));
    }

    @Override
    public double size(Neighbours neighbours) {
      return Math.max(1e-6, epsilon);
    }

    @Override
    public boolean hasLargestLoss() {
      return true;
    }

    @Override
    public String law() {
      return "approximate";
    }

    @Override
    public Map<String, Number> numbers() {
      Map<String, Number> numbers = new LinkedHashMap<>();
      numbers.put("epsilon", epsilon);
      numbers.put("delta", delta);
      return numbers;
    }
  }

  private static double rowsThatDiffer(Neighbours neighbours) {
    return neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
  }
}

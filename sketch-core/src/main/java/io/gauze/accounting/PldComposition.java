package io.gauze.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sum of the privacy losses of several mechanisms for one direction of the neighbouring
 * relation. It can be put on a lattice of any step. Immutable.
 */
final class PldComposition {
  /** The direction of the loss ln dP/dQ: which of two neighbours is P. */
  enum Direction {
    /** P has the row, Q does not. */
    PRESENT,
    /** Q has the row, P does not. */
    ABSENT
  }

  /** Several equal losses on one lattice. */
  record Term(PrivacyLossDistribution law, int copies) {}

  /**
   * A law that can be put on a lattice of a given step; losses above {@code most} may count as
   * infinite.
   */
  private interface Gridded {
    PrivacyLossDistribution on(double step, double most);
  }

  /**
   * A law with the range of its finite losses, a bound on the probability of infinite loss, and its
   * splits, see {@link #splits}.
   */
  private record Part(
      Gridded law, int copies, double least, double largest, double infinite, int splits) {}

  /** The least size of a sum. The square of its reciprocal, a tilt, must not overflow. */
  private static final double SMALLEST_SIZE = 1e-100;

  private final List<Part> parts = new ArrayList<>();
  private final int copies;
  private final double size;
  private final double pure;

  private PldComposition(
      Neighbours neighbours, Direction direction, Map<MechanismCost, Integer> counts) {
    double squares = 0.0;
    double largest = 0.0;
    for (Map.Entry<MechanismCost, Integer> entry : counts.entrySet()) {
      MechanismCost cost = entry.getKey();
      double each = size(neighbours, cost);
      squares += entry.getValue() * (each * each);
      if (cost instanceof MechanismCost.Laplace || cost instanceof MechanismCost.Approximate) {
        largest = Math.max(largest, each);
      }
    }
    counts.forEach((cost, count) -> add(neighbours, direction, cost, count));
    copies = parts.stream().mapToInt(Part::copies).sum();
    size = Math.max(SMALLEST_SIZE, Math.sqrt(squares));
    pure = largest;
  }

  /**
   * Returns the sums for mechanisms with their numbers; delta is the larger of the sums' deltas.
   * For add-remove all mechanisms see the row or none does, so the direction is the same for all of
   * them; for replace-one both directions are equal.
   */
  static List<PldComposition> of(Neighbours neighbours, Map<MechanismCost, Integer> costs) {
    boolean symmetric =
        neighbours == Neighbours.REPLACE_ONE
            || costs.keySet().stream()
                .noneMatch(
                    cost ->
                        cost instanceof MechanismCost.Projection
                            || cost instanceof MechanismCost.Wishart);
    PldComposition present = new PldComposition(neighbours, Direction.PRESENT, costs);
    return symmetric
        ? List.of(present)
        : List.of(present, new PldComposition(neighbours, Direction.ABSENT, costs));
  }

  private void add(Neighbours neighbours, Direction direction, MechanismCost cost, int count) {
    boolean both = neighbours == Neighbours.REPLACE_ONE;
    boolean present = direction == Direction.PRESENT;
    if (cost instanceof MechanismCost.Gaussian gaussian) {
      add(new GaussianLoss(gaussian.mu()), 0.0, count);
    } else if (cost instanceof MechanismCost.Laplace laplace) {
      double epsilon = laplace.epsilon();
      Gridded law = (step, most) -> PrivacyLossDistribution.laplace(epsilon, step);
      parts.add(new Part(law, count, -epsilon, epsilon, 0.0, 1));
    } else if (cost instanceof MechanismCost.Approximate approximate) {
      Gridded law = (step, most) -> PrivacyLossDistribution.approximate(approximate, step);
      double epsilon = approximate.epsilon();
      parts.add(new Part(law, count, -epsilon, epsilon, approximate.delta(), 1));
    } else if (cost instanceof MechanismCost.Projection projection) {
      int rows = projection.rows();
      add(new ProjectionLoss(rows, projection.ridge(), present), 0.0, count);
      if (both) { // the worst pair is the product of both directions, see ProjectionPrivacy
        add(new ProjectionLoss(rows, projection.ridge(), !present), 0.0, count);
      }
    } else if (cost instanceof MechanismCost.Wishart wishart) {
      WishartNoise noise = wishart.noise();
      WishartLoss law = new WishartLoss(noise.freedom(), noise.scale(), present);
      if (both) {
        addReplaced(law, new WishartLoss(noise.freedom(), noise.scale(), !present), count);
      } else {
        add(law, law.infinite(), count);
      }
    }
  }

  private void add(LossLaw law, double infinite, int count) {
    Gridded gridded = (step, most) -> PrivacyLossDistribution.of(law, infinite, step, most);
    double chance = infinite + PrivacyLossDistribution.DROPPED;
    parts.add(new Part(gridded, count, law.least(), law.largest(), chance, 1));
  }

  private void addReplaced(WishartLoss removed, WishartLoss added, int count) {
    Gridded gridded =
        (step, most) ->
            PrivacyLossDistribution.of(removed, removed.infinite(), step, most)
                .then(PrivacyLossDistribution.of(added, added.infinite(), step, most));
    double least = removed.least() + added.least();
    parts.add(new Part(gridded, count, least, removed.largest() + added.largest(), 1.0, 4));
  }

  /**
   * Returns roughly the standard deviation of the loss, never 0: that of a Gaussian mechanism of
   * this mu.
   */
  private static double size(Neighbours neighbours, MechanismCost cost) {
    double rows = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    if (cost instanceof MechanismCost.Gaussian gaussian) {
      return gaussian.mu();
    }
    if (cost instanceof MechanismCost.Laplace laplace) {
      return laplace.epsilon();
    }
    if (cost instanceof MechanismCost.Approximate approximate) {
      return Math.max(1e-6, approximate.epsilon());
    }
    if (cost instanceof MechanismCost.Projection projection) {
      return Math.sqrt(0.5 * rows * projection.rows()) / projection.ridge();
    }
    WishartNoise noise = ((MechanismCost.Wishart) cost).noise();
    return rows / (noise.scale() * Math.sqrt(2.0 * noise.freedom()));
  }

  /**
   * Returns the losses on lattices of this step.
   *
   * @param step the step
   * @param most losses of single mechanisms above this may count as infinite
   */
  List<Term> lattices(double step, double most) {
    List<Term> terms = new ArrayList<>();
    for (Part part : parts) {
      terms.add(new Term(part.law().on(step, most), part.copies()));
    }
    return terms;
  }

  /** The number of losses that are split to lattice points; two that are coupled count as four. */
  int splits() {
    return parts.stream().mapToInt(part -> part.copies() * part.splits()).sum();
  }

  /** The number of losses in the sum. */
  int copies() {
    return copies;
  }

  /**
   * Returns the least step at which no law exceeds its largest number of lattice points.
   *
   * @param most as for {@link #lattices}
   */
  double shortestStep(double most) {
    return parts.stream()
            .mapToDouble(part -> Math.max(-part.least(), Math.min(most, part.largest())))
            .max()
            .getAsDouble()
        / (PrivacyLossDistribution.MOST_POINTS / 2 - 4);
  }

  /** The largest finite loss of one mechanism. */
  double largest() {
    return parts.stream().mapToDouble(Part::largest).max().getAsDouble();
  }

  /** The largest finite sum, rounded up. */
  double largestSum() {
    double sum = 0.0;
    for (Part part : parts) {
      double product = part.copies() * part.largest();
      if (Math.fma(part.copies(), part.largest(), -product) > 0.0) {
        product = Math.nextUp(product);
      }
      double next = sum + product;
      double added = next - sum;
      // The rounding error of the addition (D. E. Knuth).
      if ((sum - (next - added)) + (product - added) > 0.0) {
        next = Math.nextUp(next);
      }
      sum = next;
    }
    return sum;
  }

  /** Returns a bound on the probability that some loss is infinite. */
  double infinite() {
    double log = 0.0;
    for (Part part : parts) {
      log += part.copies() * Math.log1p(-Math.min(1.0, part.infinite()));
    }
    return -Math.expm1(log);
  }

  /** Returns roughly the standard deviation of the sum. */
  double size() {
    return size;
  }

  /** Returns the largest epsilon of a pure mechanism, or 0. Its losses should be lattice points. */
  double pure() {
    return pure;
  }
}

package io.gauze.accounting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sum of the privacy losses of several mechanisms for one direction of the neighbouring
 * relation: what it takes to put it on a lattice of any step. Immutable.
 */
final class PldComposition {
  /** Which of two neighbours is P in the loss ln dP/dQ. */
  enum Direction {
    /** P has the row that Q has not. */
    PRESENT,
    /** Q has the row that P has not. */
    ABSENT
  }

  /** Equal losses on one lattice. */
  record Term(PrivacyLossDistribution law, int copies) {}

  /** A law on a lattice of some step, larger losses than some counting as infinite. */
  private interface Gridded {
    PrivacyLossDistribution on(double step, double most);
  }

  /** A law, the range of its finite losses, a bound on the chance of infinite loss, see splits. */
  private record Part(
      Gridded law, int copies, double least, double largest, double infinite, int splits) {}

  /** Its reciprocal, a tilt, must have a square. */
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
   * The sums to take the larger delta of, for mechanisms with their numbers. For add-remove each
   * mechanism sees the same row, in all of them or in none, so its direction is the same in all;
   * for replace-one both directions are the same.
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

  /** Roughly the standard deviation of the loss, never 0: what a Gaussian of this mu has. */
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
   * The losses on lattices of this step.
   *
   * @param most losses of single mechanisms above this may count as infinite
   */
  List<Term> lattices(double step, double most) {
    List<Term> terms = new ArrayList<>();
    for (Part part : parts) {
      terms.add(new Term(part.law().on(step, most), part.copies()));
    }
    return terms;
  }

  /** How many losses are split to lattice points, two that are coupled counting as four. */
  int splits() {
    return parts.stream().mapToInt(part -> part.copies() * part.splits()).sum();
  }

  /** How many losses are added. */
  int copies() {
    return copies;
  }

  /**
   * The step at which no law needs more lattice points than it may have.
   *
   * @param most as for the lattices
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
      // What the addition rounded off (D. E. Knuth).
      if ((sum - (next - added)) + (product - added) > 0.0) {
        next = Math.nextUp(next);
      }
      sum = next;
    }
    return sum;
  }

  /** A bound on the chance that some loss is infinite. */
  double infinite() {
    double log = 0.0;
    for (Part part : parts) {
      log += part.copies() * Math.log1p(-Math.min(1.0, part.infinite()));
    }
    return -Math.expm1(log);
  }

  /** Roughly the standard deviation of the sum. */
  double size() {
    return size;
  }

  /** The largest epsilon of a pure mechanism, or 0: its losses should be lattice points. */
  double pure() {
    return pure;
  }
}

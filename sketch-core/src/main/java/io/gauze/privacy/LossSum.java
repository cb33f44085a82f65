package io.gauze.privacy;

import io.gauze.row.Neighbours;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * The sum of the privacy losses of several mechanisms for one direction of the neighbouring
 * relation: what it takes to put it on a lattice of any step. Immutable.
 */
final class LossSum {
  /** Which of two neighbours is P in the loss ln dP/dQ. */
  enum Direction {
    /** P has the row that Q has not. */
    PRESENT,
    /** Q has the row that P has not. */
    ABSENT
  }

  /** Equal losses on one lattice. */
  record Term(LossLattice law, int copies) {}

  private record Part(DoubleFunction<LossLattice> law, int copies) {}

  private final List<Part> parts = new ArrayList<>();
  private final int copies;
  private final double size;
  private final double pure;

  private LossSum(Neighbours neighbours, Direction direction, List<PrivacyCost> costs) {
    double squares = 0.0;
    double largest = 0.0;
    Map<PrivacyCost, Integer> counts = new LinkedHashMap<>();
    for (PrivacyCost cost : costs) {
      counts.merge(cost, 1, Integer::sum);
      double each = size(neighbours, cost);
      squares += each * each;
      if (cost instanceof PrivacyCost.Laplace || cost instanceof PrivacyCost.Approximate) {
        largest = Math.max(largest, each);
      }
    }
    counts.forEach((cost, count) -> add(neighbours, direction, cost, count));
    copies = parts.stream().mapToInt(Part::copies).sum();
    size = Math.sqrt(squares);
    pure = largest;
  }

  /**
   * The sums to take the larger delta of. For add-remove each mechanism sees the same row, in all
   * of them or in none, so its direction is the same in all; for replace-one both directions are
   * the same.
   */
  static List<LossSum> of(Neighbours neighbours, List<PrivacyCost> costs) {
    boolean symmetric =
        neighbours == Neighbours.REPLACE_ONE
            || costs.stream()
                .noneMatch(
                    cost ->
                        cost instanceof PrivacyCost.Projection
                            || cost instanceof PrivacyCost.Wishart);
    LossSum present = new LossSum(neighbours, Direction.PRESENT, costs);
    return symmetric
        ? List.of(present)
        : List.of(present, new LossSum(neighbours, Direction.ABSENT, costs));
  }

  private void add(Neighbours neighbours, Direction direction, PrivacyCost cost, int count) {
    boolean both = neighbours == Neighbours.REPLACE_ONE;
    boolean present = direction == Direction.PRESENT;
    if (cost instanceof PrivacyCost.Gaussian gaussian) {
      GaussianLoss law = new GaussianLoss(gaussian.mu());
      parts.add(new Part(step -> LossLattice.of(law, 0.0, step), count));
    } else if (cost instanceof PrivacyCost.Laplace laplace) {
      parts.add(new Part(step -> LossLattice.laplace(laplace.epsilon(), step), count));
    } else if (cost instanceof PrivacyCost.Approximate approximate) {
      parts.add(new Part(step -> LossLattice.approximate(approximate, step), count));
    } else if (cost instanceof PrivacyCost.Projection projection) {
      // For replace-one the worst pair is the product of both directions, see ProjectionPrivacy.
      parts.add(new Part(projection(projection, present), count));
      if (both) {
        parts.add(new Part(projection(projection, !present), count));
      }
    } else if (cost instanceof PrivacyCost.Wishart wishart) {
      DoubleFunction<LossLattice> law = wishart(wishart.noise(), both || present);
      DoubleFunction<LossLattice> other = wishart(wishart.noise(), false);
      parts.add(new Part(both ? step -> law.apply(step).then(other.apply(step)) : law, count));
    }
  }

  private static DoubleFunction<LossLattice> projection(
      PrivacyCost.Projection cost, boolean present) {
    ProjectionLoss law = new ProjectionLoss(cost.rows(), cost.ridge(), present);
    return step -> LossLattice.of(law, 0.0, step);
  }

  private static DoubleFunction<LossLattice> wishart(WishartNoise noise, boolean present) {
    WishartLoss law = new WishartLoss(noise.freedom(), noise.scale(), present);
    return step -> LossLattice.of(law, law.infinite(), step);
  }

  /** Roughly the standard deviation of the loss, never 0: what a Gaussian of this mu has. */
  private static double size(Neighbours neighbours, PrivacyCost cost) {
    double rows = neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    if (cost instanceof PrivacyCost.Gaussian gaussian) {
      return gaussian.mu();
    }
    if (cost instanceof PrivacyCost.Laplace laplace) {
      return laplace.epsilon();
    }
    if (cost instanceof PrivacyCost.Approximate approximate) {
      return Math.max(1e-6, approximate.epsilon());
    }
    if (cost instanceof PrivacyCost.Projection projection) {
      return Math.sqrt(0.5 * rows * projection.rows()) / projection.ridge();
    }
    WishartNoise noise = ((PrivacyCost.Wishart) cost).noise();
    return rows / (noise.scale() * Math.sqrt(2.0 * noise.freedom()));
  }

  /** The losses on lattices of this step. */
  List<Term> lattices(double step) {
    List<Term> terms = new ArrayList<>();
    for (Part part : parts) {
      terms.add(new Term(part.law().apply(step), part.copies()));
    }
    return terms;
  }

  /** How many losses are added. */
  int copies() {
    return copies;
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

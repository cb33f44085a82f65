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

  /** Several equal losses. */
  private record Part(LossPart loss, int copies) {}

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
      double each = cost.size(neighbours);
      squares += entry.getValue() * (each * each);
      if (cost.hasLargestLoss()) {
        largest = Math.max(largest, each);
      }
    }
    boolean present = direction == Direction.PRESENT;
    counts.forEach(
        (cost, count) ->
            cost.parts(neighbours, present).forEach(loss -> parts.add(new Part(loss, count))));
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
            || costs.keySet().stream().allMatch(MechanismCost::isSymmetric);
    PldComposition present = new PldComposition(neighbours, Direction.PRESENT, costs);
    return symmetric
        ? List.of(present)
        : List.of(present, new PldComposition(neighbours, Direction.ABSENT, costs));
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
      terms.add(new Term(part.loss().on(step, most), part.copies()));
    }
    return terms;
  }

  /** The number of losses that are split to lattice points; two that are coupled count as four. */
  int splits() {
    return parts.stream().mapToInt(part -> part.copies() * part.loss().splits()).sum();
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
            .mapToDouble(
                part -> Math.max(-part.loss().least(), Math.min(most, part.loss().largest())))
            .max()
            .getAsDouble()
        / (PrivacyLossDistribution.MOST_POINTS / 2 - 4);
  }

  /** The largest finite loss of one mechanism. */
  double largest() {
    return parts.stream().mapToDouble(part -> part.loss().largest()).max().getAsDouble();
  }

  /** The largest finite sum, rounded up. */
  double largestSum() {
    double sum = 0.0;
    for (Part part : parts) {
      double product = part.copies() * part.loss().largest();
      if (Math.fma(part.copies(), part.loss().largest(), -product) > 0.0) {
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
      log += part.copies() * Math.log1p(-Math.min(1.0, part.loss().infinite()));
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

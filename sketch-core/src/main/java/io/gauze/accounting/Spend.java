package io.gauze.accounting;

import io.gauze.internal.Checks;
import java.util.List;
import java.util.Objects;

/**
 * The cost of mechanisms that are released together, with the promise that was made for all of
 * them.
 *
 * @param unit what the promise protects
 * @param budget the promise, which bounds the costs by itself
 * @param costs the costs of the mechanisms; at least one, immutable
 * @param distance total variation between the noise as it is sampled and the law in the costs, over
 *     everything that one unit can change together; in [0, 1]
 * @param isPrivate whether the randomness was fit for privacy; if not, nothing holds
 */
public record Spend(
    UnitKind unit, Budget budget, List<MechanismCost> costs, double distance, boolean isPrivate) {
  /**
   * Checks the costs and the distance.
   *
   * @throws IllegalArgumentException if there are no costs or the distance is out of range
   */
  public Spend {
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(budget, "budget");
    costs = List.copyOf(costs);
    if (costs.isEmpty()) {
      throw new IllegalArgumentException("costs must not be empty. Provided value: []");
    }
    Checks.within("distance", distance, 0.0, 1.0);
  }

  /**
   * Creates a spending whose mechanisms are known.
   *
   * @throws IllegalArgumentException if there are no costs or the distance is out of range
   */
  public static Spend of(Guarantee guarantee, List<MechanismCost> costs, double distance) {
    return new Spend(guarantee.unit(), guarantee.budget(), costs, distance, guarantee.isPrivate());
  }
}

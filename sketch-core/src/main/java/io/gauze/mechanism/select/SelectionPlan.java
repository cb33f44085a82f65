package io.gauze.mechanism.select;

import io.gauze.accounting.BoundedRange;
import io.gauze.mechanism.SymmetricNoise;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.IntToDoubleFunction;

/**
 * The draws and the noise of a selection of columns, which spend one mu together.
 *
 * @param responseName the name of the response
 * @param selected the number of columns to select
 * @param range of each draw, see {@link BoundedRange}
 * @param fits the noise of the moments between rounds, by round; empty for one round
 * @param mu the mu that selection and moments spend together
 * @param noise the noise of the moments that are released: of the intercept, the selected columns
 *     and the response
 */
public record SelectionPlan(
    String responseName,
    int selected,
    double range,
    List<SymmetricNoise> fits,
    double mu,
    SymmetricNoise noise)
    implements Serializable {
  /** Copies the noise. */
  public SelectionPlan {
    fits = List.copyOf(fits);
  }

  // Each draw is private given the draws and noisy moments before it, so mechanisms of mu_i
  // compose adaptively to one of sqrt(sum mu_i^2) (Dong, Roth and Su, corollary 3.3).
  /**
   * Returns the plan of a mu.
   *
   * @param sensitivity how much neighbours differ at most in the moments of the intercept, a number
   *     of columns and the response, in Frobenius norm
   * @param unit of these moments
   */
  static SelectionPlan of(
      String responseName,
      int selected,
      int rounds,
      double mu,
      SelectionShares shares,
      IntToDoubleFunction sensitivity,
      IntToDoubleFunction unit) {
    BiFunction<Integer, Double, SymmetricNoise> noise =
        (size, part) ->
            SymmetricNoise.of(
                SelectFit.NAME,
                size + 2,
                sensitivity.applyAsDouble(size) / part,
                unit.applyAsDouble(size));
    List<SymmetricNoise> fits = new ArrayList<>();
    for (int round = 0; round < rounds - 1; round++) {
      int size = SelectionRounds.after(round, rounds, selected);
      fits.add(noise.apply(size, shares.ofFit(mu, rounds)));
    }
    return new SelectionPlan(
        responseName,
        selected,
        BoundedRange.range(shares.ofDraw(mu, selected)),
        fits,
        mu,
        noise.apply(selected, shares.ofMoments(mu)));
  }

  /** Returns a copy with another range of each draw and another noise of the released moments. */
  public SelectionPlan with(double otherRange, SymmetricNoise otherNoise) {
    return new SelectionPlan(responseName, selected, otherRange, fits, mu, otherNoise);
  }

  int rounds() {
    return fits.size() + 1;
  }

  /** Returns the parameters that both forms have; a new map. */
  Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            "mu",
            mu,
            SelectFitKind.SELECTED,
            (double) selected,
            SelectFitKind.ROUNDS,
            (double) rounds(),
            "range",
            range));
  }
}

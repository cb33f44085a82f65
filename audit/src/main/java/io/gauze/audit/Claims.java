package io.gauze.audit;

import io.gauze.accounting.Neighbours;
import java.util.ArrayList;
import java.util.List;

/**
 * The claims that mechanisms are audited against. Deltas are far larger than anyone should promise.
 * The event on which the claim is tight then happens often enough that half a million runs
 * determine epsilon to 0.02, while noise that is too small by a tenth raises it by 0.04 and more. A
 * wrong calibration is wrong for these deltas, too: the formula is the same for every delta.
 */
public final class Claims {
  private static final double[][] APPROXIMATE = {{0.5, 0.05}, {1.0, 0.02}};
  private static final double[][] PURE = {{0.5, 0.0}, {1.0, 0.0}};

  private Claims() {}

  /** Returns claims for both relations, each with a small and a large epsilon. */
  public static List<Claim> approximate() {
    return claims(APPROXIMATE);
  }

  /** Returns claims without delta. */
  public static List<Claim> pure() {
    return claims(PURE);
  }

  /** Returns the claim against which broken variants are audited. */
  public static Claim approximate(Neighbours neighbours) {
    return new Claim(APPROXIMATE[0][0], APPROXIMATE[0][1], neighbours);
  }

  /** Returns the claim without delta against which broken variants are audited. */
  public static Claim pure(Neighbours neighbours) {
    return new Claim(PURE[1][0], PURE[1][1], neighbours);
  }

  private static List<Claim> claims(double[][] pairs) {
    List<Claim> claims = new ArrayList<>();
    for (Neighbours neighbours : Neighbours.values()) {
      for (double[] pair : pairs) {
        claims.add(new Claim(pair[0], pair[1], neighbours));
      }
    }
    return claims;
  }
}

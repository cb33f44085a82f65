package io.gauze.mechanism.twostage;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadArrays;
import io.gauze.sketch.SketchSpec;
import java.io.IOException;

/**
 * {@link TransformedMoments}, and then the weights of a residual and second moments of the rows of
 * each stratum of it. Both are of the transformed rows, shortened to norm 1: the strata are equal
 * parts of the interval [-1, 1] of the sum of their entries times the weights, of which the first
 * and the last one also have what lies beyond.
 *
 * @param moments of all rows
 * @param strata K, in [{@link #LEAST_STRATA}, {@link #MOST_STRATA}], so that they have at most 2^27
 *     numbers
 * @param deviation of the noise in the moments of each stratum: on the diagonal; divided by sqrt 2
 *     off it
 */
public record TransformedStrata(TransformedMoments moments, int strata, double deviation)
    implements Payload {
  /** The least number of strata: one would tell nothing of residuals that moments do not. */
  public static final int LEAST_STRATA = 2;

  /** The largest number of strata. */
  public static final int MOST_STRATA = 1 << 10;

  /** The largest weight. */
  public static final double MOST_WEIGHT = 0x1p16;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public TransformedStrata {
    Checks.within("strata", strata, LEAST_STRATA, MOST_STRATA);
    int each = SymmetricMatrix.length(moments.dimension());
    Checks.within(
        "strata of " + moments.dimension() + " columns",
        strata,
        LEAST_STRATA,
        SketchSpec.MAX_STATE_LENGTH / each);
    Checks.positiveFinite("deviation of strata", deviation);
  }

  /** D. */
  public int dimension() {
    return moments.dimension();
  }

  /** The index of the first weight; they are in the order of the transform's places. */
  public int weightsAt() {
    return moments.length();
  }

  /** The index of the first number of the first stratum. */
  public int strataAt() {
    return weightsAt() + dimension();
  }

  @Override
  public int length() {
    return Math.addExact(
        strataAt(), Math.multiplyExact(strata, SymmetricMatrix.length(dimension())));
  }

  @Override
  public String kind() {
    return "strata of transformed rows";
  }

  @Override
  public void arrays(PayloadArrays out) throws IOException {
    moments.arrays(out);
    out.numbers("residual_weights", weightsAt(), dimension());
    out.symmetrics("strata", strataAt(), strata, dimension());
  }
}

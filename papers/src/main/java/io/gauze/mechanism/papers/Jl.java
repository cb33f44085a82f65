package io.gauze.mechanism.papers;

import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.OutputGrid;
import io.gauze.sketch.SketchSpec;
import java.util.List;

/** The parts that both forms of the Gaussian projection with a ridge share. */
final class Jl {
  static final String NAME = "jl";
  static final String ROWS = "rows";
  static final String RIDGE = "ridge";
  static final String STATE = "state";
  static final String MOMENTS = "moments";
  static final String PROJECTION = "projection";

  /**
   * The largest number of rows. More rows improve nothing, and their release is too large for a
   * message.
   */
  static final int MOST_ROWS = 1 << 14;

  static final List<MechanismOption> OPTIONS =
      List.of(
          rowsOption(),
          MechanismOption.choice(STATE, MOMENTS, PROJECTION)
              .or(MOMENTS)
              .means("What checkpoints hold. Only a projection has noise in it."));

  static final String BASIS =
      "r rows N(0, M + w^2 I) of neighbours differ in one direction, or two if a row is replaced, of"
          + " leverage at most B^2 / w^2, since w^2 I is added whatever the data; the worst case is a"
          + " product of normal laws, whose delta is exact";

  /**
   * The bits of precision that released numbers keep below the ridge's root. Sums of 2^33 rows then
   * stay below 2^63.
   */
  private static final int BITS = 30;

  /**
   * The default number of rows per column. The projection itself then adds 0.2 % of the mean square
   * per column.
   */
  private static final int ROWS_A_COLUMN = 256;

  private Jl() {}

  /** The option of the number of rows. */
  static MechanismOption rowsOption() {
    return MechanismOption.whole(ROWS, 1, MOST_ROWS)
        .or("256 for each encoded column, up to a power of two")
        .means("How many rows are released.");
  }

  /**
   * Returns the requested number of rows, or the power of two at or above 256 D, at most 16384, nor
   * more than a state of D columns can have.
   */
  static int rows(SketchRequest sketch, int dimension) {
    long most = Long.highestOneBit(Math.min(MOST_ROWS, SketchSpec.MAX_STATE_LENGTH / dimension));
    long planned = Math.min(most, Long.highestOneBit(ROWS_A_COLUMN * (long) dimension * 2 - 1));
    return (int) sketch.whole(ROWS).orElse(planned);
  }

  /** Returns w^2 in the encoded scale, rounded up. */
  static double ridge(MechanismCost.Projection cost, double rowBound) {
    return Math.nextUp(cost.ridge() * Math.nextUp(rowBound * rowBound));
  }

  /**
   * Returns the grid of the released numbers. It depends only on the public width of the noise. The
   * filling is 2^-10 of that width, 2^-20 of its variance.
   */
  static OutputGrid grid(double width) {
    return new OutputGrid(Math.scalb(1.0, Math.getExponent(width) - BITS), 0x1p20);
  }
}

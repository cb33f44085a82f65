package io.gauze.mechanism.ranges;

import io.gauze.internal.Checks;
import io.gauze.row.RangeGrid;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.numbers.gamma.InverseErfc;

/**
 * Chooses the range of a column from the released counts of its values in the cells of {@link
 * RangeGrid}. Everything here is computed from released and public numbers, so it costs no budget.
 *
 * <p>A cell counts if it stands out of the noise: if its count is above z standard deviations,
 * where z is so large that with probability 0.999 no empty cell of any column is above it. The
 * range goes from the cell in which half a percent of what is counted is reached to that in which
 * 99.5 % are, and one cell further at each end.
 */
public final class EstimatedRanges {
  /**
   * The version of the choice. A stream whose ranges are chosen anew at each start must get the
   * same ones: whoever changes what is chosen from the same counts makes it a larger number.
   */
  public static final int VERSION = 1;

  /** The probability that a count of some empty cell is taken for rows. */
  private static final double SPURIOUS = 0.001;

  private static final double LEAST_SPREAD = 0x1p-6; // of the range
  private static final double NARROW = 10.0;

  /**
   * A range.
   *
   * @param lower the lower end
   * @param upper the upper end, above the lower one
   * @param typical the middle of the cell in which half of the counted rows are reached
   * @param spread the root mean square distance of the counted rows in the range from it, at most
   *     half of the range
   */
  public record Range(double lower, double upper, double typical, double spread) {
    /** Whether values beyond the grid may have been counted in the outermost cell. */
    public boolean reachesTheEnd() {
      return lower == -RangeGrid.LARGEST || upper == RangeGrid.LARGEST;
    }

    /** Whether nothing but values about 0 stood out. */
    public boolean isAboutZero() {
      return upper < 2.0 * RangeGrid.LEAST && lower > -2.0 * RangeGrid.LEAST;
    }

    /** Whether values may differ little in comparison with their size, which the cells hide. */
    public boolean isFarFromZero() {
      return lower * upper > 0.0
          && Math.max(Math.abs(lower), Math.abs(upper))
              < NARROW * Math.min(Math.abs(lower), Math.abs(upper));
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "[%s, %s]", Checks.number(lower), Checks.number(upper));
    }
  }

  private EstimatedRanges() {}

  /**
   * Returns the number of standard deviations of the noise above which a cell counts.
   *
   * @param columns the number of columns that are counted together, at least 1
   */
  public static double deviations(int columns) {
    double cells = (double) columns * RangeGrid.CELLS;
    return Math.sqrt(2.0) * InverseErfc.value(2.0 * SPURIOUS / cells);
  }

  /**
   * Chooses the range of one column.
   *
   * @param counts the released counts of its cells, in rows
   * @param sigma the standard deviation of the noise in each
   * @param columns the number of columns that were counted together
   * @return the range, or nothing if no cell stands out of the noise
   */
  public static Optional<Range> choose(IntToDoubleFunction counts, double sigma, int columns) {
    double least = deviations(columns) * Checks.positiveFinite("sigma", sigma);
    double[] sums = new double[RangeGrid.CELLS];
    double sum = 0.0;
    for (int cell = 0; cell < sums.length; cell++) {
      double count = counts.applyAsDouble(cell);
      sum += count > least ? count : 0.0;
      sums[cell] = sum;
    }
    if (sum == 0.0) {
      return Optional.empty();
    }
    int first = cell(sums, Tuning.BEYOND * sum);
    int last = cell(sums, (1.0 - Tuning.BEYOND) * sum);
    return Optional.of(range(first, last, cell(sums, 0.5 * sum), sums));
  }

  /** Returns the first cell with which more than this is reached. */
  private static int cell(double[] sums, double amount) {
    int cell = 0;
    while (cell < sums.length - 1 && sums[cell] <= amount) {
      cell++;
    }
    return cell;
  }

  private static Range range(int first, int last, int middle, double... sums) {
    double lower = RangeGrid.lower(Math.max(0, first - Tuning.MARGIN));
    double upper = RangeGrid.upper(Math.min(RangeGrid.CELLS - 1, last + Tuning.MARGIN));
    double typical = middle(middle);
    double squares = 0.0;
    double rows = 0.0;
    for (int cell = first; cell <= last; cell++) {
      double count = sums[cell] - (cell == 0 ? 0.0 : sums[cell - 1]);
      double width = RangeGrid.upper(cell) - RangeGrid.lower(cell);
      double distance = middle(cell) - typical;
      squares += count * (distance * distance + width * width / 12.0);
      rows += count;
    }
    double spread = Math.max(Math.sqrt(squares / rows), LEAST_SPREAD * (upper - lower));
    return new Range(lower, upper, typical, Math.min(spread, 0.5 * (upper - lower)));
  }

  private static double middle(int cell) {
    return 0.5 * RangeGrid.lower(cell) + 0.5 * RangeGrid.upper(cell);
  }
}

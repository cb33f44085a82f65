package io.gauze.row;

import io.gauze.internal.Checks;

/**
 * A column of numbers whose range nobody knows. Its values can be counted in the cells of {@link
 * RangeGrid}, and nothing else: the value is replaced by its position, the number of its cell from
 * 1 on, and the range is that of positions, with their negatives, so that a position is encoded as
 * a positive number and a missing value as 0.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 */
public record EstimatedColumn(String name, String source) implements Column {
  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if one is blank
   */
  public EstimatedColumn {
    Checks.notBlank("name", name);
    Checks.notBlank("source", source);
  }

  /** Returns the position of a value; a value that is not finite has none and stays as it is. */
  static double position(double value) {
    return Double.isFinite(value) ? 1.0 + RangeGrid.cell(value) : value;
  }

  @Override
  public boolean isEstimated() {
    return true;
  }

  @Override
  public boolean numeric() {
    return true;
  }

  @Override
  public double lower() {
    return -RangeGrid.CELLS;
  }

  @Override
  public double upper() {
    return RangeGrid.CELLS;
  }
}

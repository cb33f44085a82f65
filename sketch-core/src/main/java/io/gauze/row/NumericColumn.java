package io.gauze.row;

import io.gauze.internal.Checks;

/**
 * A column of numbers with a public range; values outside of it are clamped.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 * @param lower the lower end of the range, finite
 * @param upper the upper end of the range, finite and above {@code lower}
 * @param typical the value that is encoded as 0, in [lower, upper]
 */
public record NumericColumn(String name, String source, double lower, double upper, double typical)
    implements Column {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if a name is blank, the range is empty or not finite, or the
   *     typical value is outside of it
   */
  public NumericColumn {
    Checks.notBlank("name", name);
    Checks.notBlank("source", source);
    PublicRange.check(name, lower, upper, typical);
    double middle = Column.middle(lower, upper);
    typical = typical == middle ? middle : typical; // one of the two zeros
  }

  /**
   * A column whose typical value is the middle of its range.
   *
   * @throws IllegalArgumentException as above
   */
  public NumericColumn(String name, String source, double lower, double upper) {
    this(name, source, lower, upper, Column.middle(lower, upper));
  }

  /**
   * A column that is named like its field, and whose typical value is the middle of its range.
   *
   * @throws IllegalArgumentException if a name is blank or the range is empty or not finite
   */
  public NumericColumn(String name, double lower, double upper) {
    this(name, name, lower, upper);
  }

  @Override
  public boolean numeric() {
    return true;
  }
}

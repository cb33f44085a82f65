package io.gauze.row;

import io.gauze.internal.Checks;

/**
 * A column of numbers with a public range; values outside of it are clamped.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 * @param lower the lower end of the range, finite
 * @param upper the upper end of the range, finite and above {@code lower}
 */
public record NumericColumn(String name, String source, double lower, double upper)
    implements Column {

  /**
   * Checks the range.
   *
   * @throws IllegalArgumentException if a name is blank or the range is empty or not finite
   */
  public NumericColumn {
    Checks.notBlank("name", name);
    Checks.notBlank("source", source);
    PublicRange.check(name, lower, upper);
  }

  /**
   * Creates a column with the name of its field.
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

package io.gauze.row;

import java.io.Serializable;
import java.util.List;

/**
 * One column of a stream, as the owner of the stream describes it. The description is public
 * knowledge and never learnt from data.
 *
 * <p>A column reads one field of a record and becomes one or more <em>encoded</em> columns.
 */
public sealed interface Column extends Serializable
    permits NumericColumn, EstimatedColumn, OrdinalColumn, IndicatorColumn, CategoryColumn {

  /** The user's name of the column, unique in a schema. */
  String name();

  /** The field of the record that is read; several columns may share it. */
  String source();

  /** The number of encoded columns: 1, or one less than the number of categories. */
  default int width() {
    return 1;
  }

  /**
   * The names of the encoded columns, {@link #width()} of them: the column's name, or {@code
   * "region=south"}, {@code "region=east"} for categories. The first category, the baseline, has
   * none.
   */
  default List<String> encodedNames() {
    return List.of(name());
  }

  /** Returns true if the field must be a number, false if it must be a text. */
  default boolean numeric() {
    return false;
  }

  /**
   * Returns true if the column names this text: as a category, a rank, or the one of an indicator.
   */
  default boolean lists(String text) {
    return texts().contains(text);
  }

  /** The texts that the column names, in the order given; empty for numbers. */
  default List<String> texts() {
    return List.of();
  }

  /** Whether the encoded columns are 1 for one category each, and 0 for the others. */
  default boolean isOneHot() {
    return false;
  }

  /** Whether texts that the column does not list are of its last category. */
  default boolean isOpen() {
    return false;
  }

  /** Whether the value is that of a text: yes, which is 1, or no, which is 0. */
  default boolean isIndicator() {
    return false;
  }

  /** Whether the range is estimated from the first rows of the stream. */
  default boolean isEstimated() {
    return false;
  }

  /** Whether the value is a number or the rank of a text, in a range. */
  default boolean isQuantity() {
    return !isOneHot() && !isIndicator();
  }

  /** The lower end of the public range, in the user's units; 0 for indicators and categories. */
  default double lower() {
    return 0.0;
  }

  /** The upper end of the public range, in the user's units; 1 for indicators and categories. */
  default double upper() {
    return 1.0;
  }

  /** The value that is encoded as 0: the middle of the range unless the owner says another one. */
  default double typical() {
    return middle(lower(), upper());
  }

  /** Whether the typical value is the middle of the range. */
  default boolean isCentred() {
    return typical() == middle(lower(), upper());
  }

  /** The typical value of a range for which the owner says none. */
  static double middle(double lower, double upper) {
    return 0.5 * lower + 0.5 * upper;
  }
}

package io.gauze.accounting;

/** The neighbouring relation: which difference between two data sets a guarantee hides. */
public enum Neighbours {
  /** One row is present in one data set only; the other rows keep their values and append times. */
  ADD_REMOVE("add-remove", "is added or removed"),
  /** One row has different values in the two data sets; it is present in both. */
  REPLACE_ONE("replace-one", "has its values replaced by any others");

  private final String label;
  private final String change;

  Neighbours(String label, String change) {
    this.label = label;
    this.change = change;
  }

  /** The name in config files and releases: {@code add-remove} or {@code replace-one}. */
  public String label() {
    return label;
  }

  /** Describes the change of one unit, as the end of a sentence: "is added or removed". */
  public String change() {
    return change;
  }

  /**
   * Returns the relation with this label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Neighbours parse(String label) {
    for (Neighbours neighbours : values()) {
      if (neighbours.label.equals(label)) {
        return neighbours;
      }
    }
    throw new IllegalArgumentException(
        "neighbours must be add-remove or replace-one. Provided value: " + label);
  }
}

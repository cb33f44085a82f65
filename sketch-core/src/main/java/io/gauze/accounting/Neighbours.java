package io.gauze.accounting;

/** Which two data sets count as neighbours: the difference that a guarantee hides. */
public enum Neighbours {
  /** One row is there or it is not; the other rows keep their values and append times. */
  ADD_REMOVE("add-remove", "is added or removed"),
  /** One row has these values or any others; it is there in both cases. */
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

  /** What happens to one unit, as the end of a sentence: "is added or removed". */
  public String change() {
    return change;
  }

  /**
   * The relation with this label.
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

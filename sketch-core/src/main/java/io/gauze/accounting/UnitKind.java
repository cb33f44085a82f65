package io.gauze.accounting;

/** The kind of a privacy unit, with the words and rules that its promise and its account need. */
public enum UnitKind {
  /** One row, which is in one group and epoch. */
  ROW("row", "row", "stream", "one row ", ""),

  /** All rows of one user, which may be in every epoch. */
  USER(
      "user",
      "user in each epoch",
      "epoch",
      "all rows of one user in this epoch ",
      " Epochs add up: what those of all epochs together can show of a user is bounded by the"
          + " stream's total budget in the ledger, not by this epsilon."),

  /** A key of a table with its whole history. */
  KEY("key", "key", "stream", "one key ", "");

  private final String label;
  private final String protectedUnit;
  private final String span;
  private final String subject;
  private final String limit;

  UnitKind(String label, String protectedUnit, String span, String subject, String limit) {
    this.label = label;
    this.protectedUnit = protectedUnit;
    this.span = span;
    this.subject = subject;
    this.limit = limit;
  }

  /**
   * The name in configs, releases, the ledger and guarantees: {@code row}, {@code user} or {@code
   * key}.
   */
  public String label() {
    return label;
  }

  /**
   * Returns true if the budget covers one epoch, so that the costs of epochs add up; false if it
   * covers all releases of the stream together.
   */
  public boolean epochsAddUp() {
    return this == USER;
  }

  /**
   * Returns true if each epoch is charged separately; false if one charge covers the whole series.
   */
  public boolean isChargedByEpoch() {
    return this != ROW;
  }

  /**
   * Returns true if the data of one unit may be in several epochs, all of which the budget covers.
   */
  public boolean sharesBudget() {
    return this == KEY;
  }

  /** Describes whom a promise protects: "user in each epoch". */
  String protectedUnit() {
    return protectedUnit;
  }

  /** Describes which releases one promise covers: those of a stream, or of an epoch. */
  String span() {
    return span;
  }

  /** Describes the possible changes of one unit, as a clause. */
  String change(Neighbours neighbours) {
    boolean removed = neighbours == Neighbours.ADD_REMOVE;
    return subject
        + switch (this) {
          case ROW -> neighbours.change();
          case USER -> removed ? "are added or removed" : "are replaced by any others, or by none";
          case KEY ->
              removed
                  ? "with its whole history is added or removed"
                  : "has its whole history replaced by any other, or by none";
        };
  }

  /** Returns a sentence on the limits of the promise, with a blank before it; may be empty. */
  String limit() {
    return limit;
  }

  /**
   * Returns the kind with this label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static UnitKind parse(String label) {
    for (UnitKind kind : values()) {
      if (kind.label.equals(label)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("unit must be row, user or key. Provided value: " + label);
  }

  /** Returns the label. */
  @Override
  public String toString() {
    return label;
  }
}

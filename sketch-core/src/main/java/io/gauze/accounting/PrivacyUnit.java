package io.gauze.accounting;

import io.gauze.internal.Checks;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The unit whose data a guarantee protects. Immutable. */
public sealed interface PrivacyUnit extends Serializable {
  /** The kind of the unit, without its numbers. */
  UnitKind kind();

  /**
   * The name in releases, in the ledger and in guarantees: {@code row}, {@code user} or {@code
   * key}.
   */
  default String label() {
    return kind().label();
  }

  /** The largest number of rows of one unit in everything that is released at once. */
  default int rows() {
    return 1;
  }

  /** The field of a record that identifies the user; empty if the unit is not a user. */
  default Optional<String> field() {
    return Optional.empty();
  }

  /** Returns true if the engine keeps state for each unit. */
  default boolean isKeyed() {
    return true;
  }

  /**
   * Returns a text of label and numbers that is equal for equal units and for no others. The text
   * of a unit never changes.
   */
  default String fingerprint() {
    return label();
  }

  /** Describes whom the guarantee protects, with the numbers. */
  default String description() {
    return label();
  }

  /** The options of the unit by their name in the config. */
  default Map<String, Object> settings() {
    return Map.of();
  }

  /** Returns a clause that extends a proof for one row to this unit; empty for rows. */
  default String basis() {
    return "";
  }

  /** Describes in a sentence what a checkpoint holds of units besides sums; empty if nothing. */
  default String checkpoint() {
    return "";
  }

  /** One row of an append-only stream. It is in one group and epoch. */
  record Row() implements PrivacyUnit {
    @Override
    public UnitKind kind() {
      return UnitKind.ROW;
    }

    @Override
    public boolean isKeyed() {
      return false;
    }
  }

  /**
   * A key of a changelog with its whole history. A release contains the table as it is at the end
   * of an epoch, in which a key has one row at most.
   */
  record Key() implements PrivacyUnit {
    @Override
    public UnitKind kind() {
      return UnitKind.KEY;
    }
  }

  /**
   * All rows of one user. The engine counts at most {@code rowsPerEpoch} of them in an epoch, in
   * all groups together. The budget covers one epoch; the costs of epochs add up.
   *
   * @param column the field of a record that identifies the user
   * @param rowsPerEpoch k, in [1, 2^20]
   */
  record User(String column, int rowsPerEpoch) implements PrivacyUnit {
    /** The largest number of rows of a user that may count in an epoch. */
    public static final int MOST_ROWS = 1 << 20;

    private static final String COUNTERS =
        "NOT COVERED: a checkpoint or savepoint holds, under a hash of each user's id that whoever"
            + " guesses the id can check, in which epochs the user had rows, and how many counted;"
            + " protect it like the rows.";

    /**
     * Checks the column and the range.
     *
     * @throws IllegalArgumentException if the column is blank or the number is out of range
     */
    public User {
      if (Objects.requireNonNull(column, "column").isBlank()) {
        throw new IllegalArgumentException("user must not be blank. Provided value: " + column);
      }
      Checks.within("rowsPerEpoch", rowsPerEpoch, 1, MOST_ROWS);
    }

    @Override
    public UnitKind kind() {
      return UnitKind.USER;
    }

    @Override
    public int rows() {
      return rowsPerEpoch;
    }

    @Override
    public Optional<String> field() {
      return Optional.of(column);
    }

    @Override
    public String fingerprint() {
      return label() + " " + rowsPerEpoch + " " + column;
    }

    @Override
    public String description() {
      return String.format(
          Locale.ROOT, "user in each epoch (field %s, the first %d rows)", column, rowsPerEpoch);
    }

    @Override
    public Map<String, Object> settings() {
      Map<String, Object> settings = new LinkedHashMap<>();
      settings.put("user", column);
      settings.put("rowsPerEpoch", rowsPerEpoch);
      return settings;
    }

    @Override
    public String basis() {
      return String.format(
          Locale.ROOT,
          "at most %d rows of one user (field %s) count in an epoch, in all groups together, so that"
              + " a user changes what is released of it by at most %d times as much as a row; epochs"
              + " add up; ",
          rowsPerEpoch,
          column,
          rowsPerEpoch);
    }

    @Override
    public String checkpoint() {
      return COUNTERS;
    }
  }
}

package io.gauze.accounting;

import io.gauze.internal.Checks;
import io.gauze.mechanism.Cumulative;
import java.io.Serializable;
import java.util.Objects;

/** Whose data a guarantee protects, and what its budget covers. Immutable. */
public sealed interface PrivacyUnit extends Serializable {
  /** One row. */
  PrivacyUnit ROW = new Row();

  /** The label of {@link Key}. */
  String KEY = "key";

  /** In releases, in the ledger and in guarantees: {@code row}, {@code user} or {@code key}. */
  String label();

  /** The most rows of one unit in what is released at once: an epoch, or a snapshot. */
  int rows();

  /**
   * How often the data of one unit are released on the budget, with fresh noise each time: 1, or
   * the number of snapshots.
   */
  int releases();

  /** How many epochs are released, from the first one on; {@link Integer#MAX_VALUE}: no end. */
  int epochs();

  /** Label and numbers: equal units, and only these, have equal texts. Never changes. */
  String fingerprint();

  /**
   * One row of an append-only stream. It is in one group and epoch, so that the budget covers all
   * releases of the stream together.
   */
  record Row() implements PrivacyUnit {
    @Override
    public String label() {
      return "row";
    }

    @Override
    public int rows() {
      return 1;
    }

    @Override
    public int releases() {
      return 1;
    }

    @Override
    public int epochs() {
      return Integer.MAX_VALUE;
    }

    @Override
    public String fingerprint() {
      return label();
    }
  }

  /**
   * One row of an append-only stream whose sums only grow: what is released after an epoch holds
   * the rows of all epochs so far. The row shows in many releases, whose noise is correlated so
   * that the budget covers all of them together, see {@link Cumulative}. Accumulators hold exact
   * sums.
   *
   * @param epochs K, how many releases there will ever be, in [1, 4096]
   */
  record GrowingRow(int epochs) implements PrivacyUnit {
    /** The most releases. */
    public static final int MOST_EPOCHS = 4096;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the number is out of range
     */
    public GrowingRow {
      checkRange("cumulative", epochs, MOST_EPOCHS);
    }

    @Override
    public String label() {
      return ROW.label();
    }

    @Override
    public int rows() {
      return 1;
    }

    /** 1: the noise of all releases together is that of one mechanism. */
    @Override
    public int releases() {
      return 1;
    }

    @Override
    public String fingerprint() {
      return label() + " cumulative " + epochs;
    }
  }

  /**
   * All rows of one user. At most {@code rowsPerEpoch} of them count in an epoch, in all groups
   * together, which the engine sees to. The budget covers one epoch; epochs add up.
   *
   * @param column the field of a record that says whose it is
   * @param rowsPerEpoch k, in [1, 2^20]
   */
  record User(String column, int rowsPerEpoch) implements PrivacyUnit {
    /** The most rows of a user that may count in an epoch. */
    public static final int MOST_ROWS = 1 << 20;

    /**
     * Checks the column and the range.
     *
     * @throws IllegalArgumentException if the column is blank or the number is out of range
     */
    public User {
      if (Objects.requireNonNull(column, "column").isBlank()) {
        throw new IllegalArgumentException("user must not be blank. Provided value: " + column);
      }
      checkRange("rowsPerEpoch", rowsPerEpoch, MOST_ROWS);
    }

    @Override
    public String label() {
      return "user";
    }

    @Override
    public int rows() {
      return rowsPerEpoch;
    }

    @Override
    public int releases() {
      return 1;
    }

    @Override
    public int epochs() {
      return Integer.MAX_VALUE;
    }

    @Override
    public String fingerprint() {
      return label() + " " + rowsPerEpoch + " " + column;
    }
  }

  /**
   * A key of a changelog with its whole history. What is released is the table as it is at the end
   * of an epoch, in which a key has one row at most; the budget covers all snapshots together.
   * Accumulators hold exact sums.
   *
   * @param snapshots K, how many there will ever be, in [1, 10000]
   */
  record Key(int snapshots) implements PrivacyUnit {
    /** The most snapshots. */
    public static final int MOST_SNAPSHOTS = 10_000;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the number is out of range
     */
    public Key {
      checkRange("snapshots", snapshots, MOST_SNAPSHOTS);
    }

    @Override
    public String label() {
      return KEY;
    }

    @Override
    public int rows() {
      return 1;
    }

    @Override
    public int releases() {
      return snapshots;
    }

    @Override
    public int epochs() {
      return snapshots;
    }

    @Override
    public String fingerprint() {
      return label() + " " + snapshots;
    }
  }

  private static void checkRange(String name, int value, int most) {
    Checks.within(name, value, 1, most);
  }
}

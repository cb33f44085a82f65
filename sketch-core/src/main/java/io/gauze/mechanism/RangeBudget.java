package io.gauze.mechanism;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Budget of the counts from which column ranges are estimated.
 *
 * @param share the share of the budget that pays for the counts, in [0, 1). 0: nothing is counted,
 *     or {@code ownEpochs} and the counts have the budget of the sketches once more
 * @param ownEpochs whether the counted rows are those of epochs that no sketch has; if not, the
 *     sketches have the same rows
 * @param columns the names of the columns whose ranges are chosen from rows of earlier epochs
 * @param release the id of the release from which the ranges were chosen; empty if they are not
 *     chosen yet, or from no release of an earlier epoch
 */
public record RangeBudget(double share, boolean ownEpochs, List<String> columns, String release)
    implements Serializable {
  /** The name of the mechanism that releases the counts. */
  public static final String MECHANISM = "ranges";

  /** Of a stream whose ranges are all public. */
  public static final RangeBudget NONE = new RangeBudget(0.0, false, List.of(), "");

  /**
   * Checks the share.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public RangeBudget {
    if (!(share >= 0.0 && share < 1.0)) { // also refuses NaN
      throw new IllegalArgumentException("rangeShare must be in [0, 1). Provided value: " + share);
    }
    columns = List.copyOf(columns);
    Objects.requireNonNull(release, "release");
  }

  /** Returns the payment for counts of the rows of the sketches. */
  public static RangeBudget ofShare(double share) {
    return new RangeBudget(share, false, List.of(), "");
  }

  /** Returns the payment for counts of epochs of their own, before those of the sketches. */
  public static RangeBudget ofOwnEpochs(double share, List<String> columns) {
    return new RangeBudget(share, true, columns, "");
  }

  /** Returns a copy with the release from which the ranges were chosen. */
  public RangeBudget from(ReleaseId id) {
    return new RangeBudget(share, ownEpochs, columns, id.toString());
  }

  /** Whether rows are counted at all. */
  public boolean counts() {
    return share > 0.0 || ownEpochs;
  }

  /** Returns the end of the reason why releases keep their guarantee; may be empty. */
  public String basis() {
    if (!ownEpochs) {
      return share == 0.0
          ? ""
          : String.format(
              Locale.ROOT,
              "; a share of %s of the budget pays for the ranges of columns, which are chosen from a"
                  + " release of noisy counts of the same rows, and the rest for the sketches that use"
                  + " them",
              share);
    }
    String source = release.isEmpty() ? "noisy counts of a calibration epoch" : release;
    return "; the ranges of columns are chosen from "
        + source
        + ", whose rows are in no other release of the stream"
        + (share == 0.0
            ? "; a row that moves between the epochs costs no more than one that stays"
            : String.format(
                Locale.ROOT,
                ", and a share of %s of the budget pays for it whichever epoch a row is in",
                share));
  }
}

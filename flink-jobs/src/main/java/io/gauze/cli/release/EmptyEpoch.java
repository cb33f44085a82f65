package io.gauze.cli.release;

import io.gauze.mechanism.ReleaseId;
import io.gauze.regression.FitSummary;
import java.util.Optional;

/** What is said of a fit of the latest epoch if it seems to hold no rows. */
public final class EmptyEpoch {
  private EmptyEpoch() {}

  /**
   * Returns the line; empty if there seem to be rows, or if the release does not tell. An epoch
   * without rows seems to have some in less than one of 40 releases.
   *
   * @param reason why the fit withholds the number of rows; empty if it does not
   * @param latest the epoch that was fitted
   * @param earlier an earlier epoch of the same sketch, if one is known
   */
  public static Optional<String> line(
      Optional<String> reason, ReleaseId latest, Optional<ReleaseId> earlier) {
    return reason
        .filter(FitSummary.HIDDEN_ROWS::equals)
        .map(
            hidden ->
                "the latest epoch, "
                    + latest.epoch()
                    + ", seems empty: "
                    + hidden
                    + ". Take an earlier one with --id "
                    + earlier.map(ReleaseId::toString).orElse("ID")
                    + ", or add several up with --id FIRST..LAST; gauze releases lists them");
  }
}

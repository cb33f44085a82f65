package io.gauze.mechanism;

import io.gauze.accounting.PrivacyUnit;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a budget covers: whose data, in which releases. Immutable.
 *
 * @param unit whose data are protected
 * @param releases the releases that hold them
 */
public record BudgetScope(PrivacyUnit unit, ReleaseSchedule releases) implements Serializable {
  /** Rows, each of which is in one group and epoch: the budget covers all releases together. */
  public static final BudgetScope ROWS =
      new BudgetScope(new PrivacyUnit.Row(), new ReleaseSchedule.PerEpoch());

  /**
   * Checks that the unit can be released in this way.
   *
   * @throws IllegalArgumentException if it cannot
   */
  public BudgetScope {
    if (!releases.units().contains(unit.kind())) {
      throw new IllegalArgumentException(
          "unit of "
              + releases.description()
              + " must be one of "
              + releases.units()
              + ". Provided value: "
              + unit.kind());
    }
  }

  /**
   * Users, whose budget is that of an epoch: epochs add up.
   *
   * @throws IllegalArgumentException as {@link PrivacyUnit.User}
   */
  public static BudgetScope users(String field, int rowsPerEpoch) {
    return new BudgetScope(
        new PrivacyUnit.User(field, rowsPerEpoch), new ReleaseSchedule.PerEpoch());
  }

  /**
   * Keys of a table, whose budget covers all snapshots.
   *
   * @throws IllegalArgumentException as {@link ReleaseSchedule.Snapshots}
   */
  public static BudgetScope keys(int snapshots) {
    return new BudgetScope(new PrivacyUnit.Key(), new ReleaseSchedule.Snapshots(snapshots));
  }

  /**
   * Rows in sums that only grow, whose budget covers all releases.
   *
   * @throws IllegalArgumentException as {@link ReleaseSchedule.CumulativeSums}
   */
  public static BudgetScope cumulative(int releases) {
    return new BudgetScope(new PrivacyUnit.Row(), new ReleaseSchedule.CumulativeSums(releases));
  }

  /** Equal scopes, and only these, have equal texts. Never changes. */
  public String fingerprint() {
    return unit.fingerprint() + releases.fingerprint();
  }

  /** Who is protected by all sketches of which releases together. */
  public String description() {
    String covered = unit.kind().epochsAddUp() ? "" : " of " + releases.description();
    return unit.description() + ", all sketches" + covered + " together";
  }

  /** The options of a config, by name. */
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>(unit.settings());
    settings.putAll(releases.settings());
    return settings;
  }

  /** How a proof for one row and release is a proof for all of this, as a clause; may be empty. */
  String basis() {
    return unit.basis() + releases.basis();
  }
}

package io.gauze.mechanism;

import io.gauze.accounting.PrivacyUnit;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The scope of a budget: whose data it protects, and in which releases. Immutable.
 *
 * @param unit whose data are protected
 * @param releases the releases that contain these data
 */
public record BudgetScope(PrivacyUnit unit, ReleaseSchedule releases) implements Serializable {
  /**
   * The scope of single rows. Each row is in one group and epoch, so the budget covers all releases
   * together.
   */
  public static final BudgetScope ROWS =
      new BudgetScope(new PrivacyUnit.Row(), new ReleaseSchedule.PerEpoch());

  /**
   * Checks that data of this unit can be released on this schedule.
   *
   * @throws IllegalArgumentException if they cannot
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
   * The scope of users. The budget is that of one epoch; the costs of epochs add up.
   *
   * @throws IllegalArgumentException as {@link PrivacyUnit.User}
   */
  public static BudgetScope users(String field, int rowsPerEpoch) {
    return new BudgetScope(
        new PrivacyUnit.User(field, rowsPerEpoch), new ReleaseSchedule.PerEpoch());
  }

  /**
   * The scope of the keys of a table. The budget covers all snapshots.
   *
   * @throws IllegalArgumentException as {@link ReleaseSchedule.Snapshots}
   */
  public static BudgetScope keys(int snapshots) {
    return new BudgetScope(new PrivacyUnit.Key(), new ReleaseSchedule.Snapshots(snapshots));
  }

  /**
   * The scope of rows in cumulative sums. The budget covers all releases.
   *
   * @throws IllegalArgumentException as {@link ReleaseSchedule.CumulativeSums}
   */
  public static BudgetScope cumulative(int releases) {
    return new BudgetScope(new PrivacyUnit.Row(), new ReleaseSchedule.CumulativeSums(releases));
  }

  /**
   * Returns a text that is equal for equal scopes and for no others. The text of a scope never
   * changes.
   */
  public String fingerprint() {
    return unit.fingerprint() + releases.fingerprint();
  }

  /** Describes whose data all sketches together protect, and in which releases. */
  public String description() {
    String covered = unit.kind().epochsAddUp() ? "" : " of " + releases.description();
    return unit.description() + ", all sketches" + covered + " together";
  }

  /** The options of the scope by their name in the config. */
  public Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>(unit.settings());
    settings.putAll(releases.settings());
    return settings;
  }

  /**
   * Returns a clause that extends a proof for one row and one release to the whole scope; may be
   * empty.
   */
  public String basis() {
    return unit.basis() + releases.basis();
  }
}

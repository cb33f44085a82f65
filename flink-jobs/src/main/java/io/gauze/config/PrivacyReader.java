package io.gauze.config;

import static io.gauze.config.ConfigKey.NUMBER;
import static io.gauze.config.ConfigKey.TEXT;
import static io.gauze.config.ConfigKey.WHOLE;
import static io.gauze.config.ConfigKey.WORD;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.ReleaseSchedule;
import io.gauze.mechanism.StreamRequest;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the {@code privacy} section of a config. */
final class PrivacyReader {
  private static final String MAP = "keys and values";
  private static final String UNIT = "row, key or {user: FIELD, rowsPerEpoch: NUMBER}";
  private static final String SNAPSHOTS = "snapshots";
  private static final String CUMULATIVE = "cumulative";
  private static final Pattern UNITS = Pattern.compile("row|key");

  static final ConfigSection KEYS =
      ConfigSection.of(
          "privacy",
          ConfigKey.of(
                  "epsilon",
                  NUMBER,
                  upTo(Budget.LARGEST_EPSILON),
                  "By what factor exp(epsilon) a unit may change the odds of all releases together; of"
                      + " a user, of those of one epoch.")
              .required(),
          ConfigKey.of(
                  "delta",
                  NUMBER,
                  upTo(Budget.LARGEST_DELTA),
                  "The probability that the promise may miss. Keep it far below one over the number of"
                      + " rows.")
              .required(),
          ConfigKey.of(
                  "neighbours",
                  WORD,
                  "`add-remove`, `replace-one`",
                  "What is hidden of a unit: that it is there, or its values alone.")
              .required(),
          ConfigKey.of(
                  "unit",
                  "word or map",
                  "`row`, `key`, or a map for a user",
                  "Whose data are protected: one row, a key of a table, or a user.")
              .or("`row`"),
          ConfigKey.of(
                  "checkpointLeaks",
                  WHOLE,
                  ConfigKey.range(0, 1),
                  "How many checkpoints may be stolen without breaking the promise. 1 makes the noise"
                      + " 1.41 times as large.")
              .or(0),
          ConfigKey.of(
                  "totalBudget",
                  ConfigKey.MAP,
                  "",
                  "What all streams over the same topic of rows may spend together, ever.")
              .or(
                  "the budget of this stream; required with `cumulative`, and for users with several"
                      + " epochs"),
          ConfigKey.of(
                  "rangeShare",
                  NUMBER,
                  "[" + RangeEstimates.LEAST_SHARE + ", " + RangeEstimates.LARGEST_SHARE + "]",
                  "The share of the budget that pays for ranges with `range: estimate`.")
              .or(RangeEstimates.DEFAULT_SHARE));

  static final ConfigSection USER =
      ConfigSection.of(
          "privacy.unit",
          ConfigKey.of("user", TEXT, "", "The field that says whose row it is.").required(),
          ConfigKey.of(
                  "rowsPerEpoch",
                  WHOLE,
                  ConfigKey.range(1, PrivacyUnit.User.MOST_ROWS),
                  "How many rows of a user count in an epoch. The first ones do.")
              .required());

  static final ConfigSection TOTAL =
      ConfigSection.of(
          "privacy.totalBudget",
          ConfigKey.of(
                  "epsilon",
                  NUMBER,
                  "[`privacy.epsilon`, " + plain(Budget.LARGEST_EPSILON) + "]",
                  "Of all that is ever released from these rows.")
              .required(),
          ConfigKey.of(
                  "delta",
                  NUMBER,
                  "[`privacy.delta`, " + plain(Budget.LARGEST_DELTA) + "]",
                  "Of all that is ever released from these rows.")
              .required());

  private PrivacyReader() {}

  private static String upTo(double largest) {
    return "(0, " + plain(largest) + "]";
  }

  private static String plain(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /** Returns the budget of one epoch, or of all snapshots or cumulative releases together. */
  static Budget budget(YamlMap top) throws ConfigException {
    YamlMap map = top.require("privacy", MAP).map(MAP);
    map.only(KEYS);
    double epsilon = probability(map, "epsilon", Budget.LARGEST_EPSILON);
    double delta = probability(map, "delta", Budget.LARGEST_DELTA);
    String allowed = "replace-one or add-remove";
    YamlValue value = map.require("neighbours", allowed);
    String label = value.text(allowed);
    for (Neighbours neighbours : Neighbours.values()) {
      if (neighbours.label().equals(label)) {
        return value.make(() -> new Budget(epsilon, delta, neighbours));
      }
    }
    throw value.mustBe(allowed);
  }

  /**
   * Returns the total budget: that of one epoch, unless the config gives another. If the unit is a
   * user and there are several epochs, their costs add up, so the config must give it.
   */
  static Budget totalBudget(YamlMap top, StreamRequest asked, EpochSchedule epochs)
      throws ConfigException {
    Budget budget = asked.budget();
    YamlMap privacy = top.require("privacy", MAP).map(MAP);
    Optional<YamlValue> given = privacy.get("totalBudget");
    if (given.isEmpty()) {
      if (asked.unit().kind().epochsAddUp() && !epochs.isAll()) {
        throw privacy
            .self()
            .error(
                "lacks the key totalBudget, such as {epsilon: 8, delta: 1e-6}: a user may have rows in"
                    + " every epoch, and what their releases give away adds up to at most that");
      }
      return budget;
    }
    YamlMap map = given.get().map(MAP).only(TOTAL);
    double epsilon = atLeast(map, "epsilon", budget.epsilon(), Budget.LARGEST_EPSILON);
    double delta = atLeast(map, "delta", budget.delta(), Budget.LARGEST_DELTA);
    return new Budget(epsilon, delta, budget.neighbours());
  }

  /**
   * Returns the share of the budget that pays for ranges that nobody knows.
   *
   * @param used whether there is such a range beside sketches that need it
   */
  static double rangeShare(YamlMap top, boolean used) throws ConfigException {
    Optional<YamlValue> given = top.require("privacy", MAP).map(MAP).get("rangeShare");
    if (given.isEmpty()) {
      return RangeEstimates.DEFAULT_SHARE;
    }
    if (!used) {
      throw given
          .get()
          .error(
              "means nothing without a column with range: estimate and sketches that use its range;"
                  + " remove the key");
    }
    String allowed =
        "a number in [" + RangeEstimates.LEAST_SHARE + ", " + RangeEstimates.LARGEST_SHARE + "]";
    double share = given.get().number(allowed);
    if (!(share >= RangeEstimates.LEAST_SHARE && share <= RangeEstimates.LARGEST_SHARE)) {
      throw given.get().mustBe(allowed);
    }
    return share;
  }

  private static double atLeast(YamlMap map, String key, double least, double largest)
      throws ConfigException {
    String allowed =
        "a number in [" + least + ", " + largest + "], at least privacy." + key + " of one epoch";
    YamlValue value = map.require(key, allowed);
    double number = value.number(allowed);
    if (!(number >= least && number <= largest)) {
      throw value.mustBe(allowed);
    }
    return number;
  }

  private static double probability(YamlMap map, String key, double largest)
      throws ConfigException {
    String allowed = "a number in (0, " + largest + "]";
    YamlValue value = map.require(key, allowed);
    double number = value.number(allowed);
    if (!(number > 0.0 && number <= largest)) {
      throw value.mustBe(allowed);
    }
    return number;
  }

  /**
   * Returns whose data are protected in which releases; by default each row, which is in one
   * release.
   */
  static BudgetScope scope(YamlMap top) throws ConfigException {
    Optional<YamlValue> unit = top.require("privacy", MAP).map(MAP).get("unit");
    if (unit.isPresent() && unit.get().isMap()) {
      refuse(top, SNAPSHOTS, "key");
      refuse(top, CUMULATIVE, "row");
      return user(unit.get());
    }
    if (unit.isPresent() && unit.get().text(UNITS, UNIT).equals(UnitKind.KEY.label())) {
      refuse(top, CUMULATIVE, "row");
      return key(top);
    }
    refuse(top, SNAPSHOTS, "key");
    return top.has(CUMULATIVE) ? growing(top) : BudgetScope.ROWS;
  }

  private static BudgetScope growing(YamlMap top) throws ConfigException {
    YamlValue cumulative = top.require(CUMULATIVE, "");
    int number = (int) cumulative.whole(1, ReleaseSchedule.CumulativeSums.MOST);
    if (EpochsReader.read(top).isAll()) {
      throw cumulative.error(
          "means nothing with epochs.length all, which has one release; remove the key");
    }
    return BudgetScope.cumulative(number);
  }

  private static BudgetScope user(YamlValue unit) throws ConfigException {
    YamlMap map = unit.map(UNIT).only(USER);
    String field = "the field of a record that says whose it is";
    String column = map.require("user", field).text(field);
    String allowed = "a whole number in [1, " + PrivacyUnit.User.MOST_ROWS + "]";
    long rows = map.require("rowsPerEpoch", allowed).whole(1, PrivacyUnit.User.MOST_ROWS);
    return BudgetScope.users(column, (int) rows);
  }

  private static BudgetScope key(YamlMap top) throws ConfigException {
    int most = ReleaseSchedule.Snapshots.MOST;
    if (!top.has(SNAPSHOTS)) {
      throw top.self()
          .error(
              "lacks the key snapshots, a whole number in [1, "
                  + most
                  + "]: how many snapshots of the table the budget is to cover with privacy.unit key");
    }
    YamlValue snapshots = top.require(SNAPSHOTS, "");
    int number = (int) snapshots.whole(1, most);
    if (number > 1 && EpochsReader.read(top).isAll()) {
      throw snapshots.mustBe("1 with epochs.length all, which has one release");
    }
    return BudgetScope.keys(number);
  }

  private static void refuse(YamlMap top, String key, String unit) throws ConfigException {
    if (top.has(key)) {
      throw top.require(key, "")
          .error("means nothing but with privacy.unit " + unit + "; remove the key");
    }
  }

  /** Returns how many leaked checkpoints the guarantee covers, 0 or 1. */
  static int checkpointLeaks(YamlMap top) throws ConfigException {
    Optional<YamlValue> checkpointLeaks =
        top.require("privacy", MAP).map(MAP).get("checkpointLeaks");
    int number = checkpointLeaks.isEmpty() ? 0 : (int) checkpointLeaks.get().whole(0, 1);
    if (number > 0 && top.has(CUMULATIVE)) {
      throw checkpointLeaks
          .get()
          .mustBe(
              "0 with cumulative, since checkpoints hold the exact sums, which no second noise hides");
    }
    return number;
  }
}

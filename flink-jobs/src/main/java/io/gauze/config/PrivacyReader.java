package io.gauze.config;

import io.gauze.privacy.Budget;
import io.gauze.row.Neighbours;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the {@code privacy} part of a config. */
final class PrivacyReader {
  private static final String MAP = "keys and values";

  private PrivacyReader() {}

  /** The budget of one epoch. */
  static Budget budget(YamlMap top) throws ConfigException {
    YamlMap map = top.require("privacy", MAP).map(MAP);
    map.only("epsilon", "delta", "neighbours", "unit", "intrusions", "lifetime");
    refuseUnits(map);
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

  /** The budget for ever: that of one epoch, unless the config gives another. */
  static Budget lifetime(YamlMap top, Budget budget) throws ConfigException {
    Optional<YamlValue> given = top.require("privacy", MAP).map(MAP).get("lifetime");
    if (given.isEmpty()) {
      return budget;
    }
    YamlMap map = given.get().map(MAP).only("epsilon", "delta");
    double epsilon = atLeast(map, "epsilon", budget.epsilon(), Budget.LARGEST_EPSILON);
    double delta = atLeast(map, "delta", budget.delta(), Budget.LARGEST_DELTA);
    return new Budget(epsilon, delta, budget.neighbours());
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

  private static void refuseUnits(YamlMap map) throws ConfigException {
    Optional<YamlValue> unit = map.get("unit");
    if (unit.isPresent()) {
      if (unit.get().isMap() || unit.get().text("row").equals("key")) {
        throw unit.get().notSupported("the privacy unit is one row; use row");
      }
      unit.get().text(Pattern.compile("row"), "row");
    }
    Optional<YamlValue> intrusions = map.get("intrusions");
    if (intrusions.isPresent() && intrusions.get().whole(0, 1) == 1) {
      throw intrusions.get().notSupported("use 0 and protect the checkpoints");
    }
  }
}

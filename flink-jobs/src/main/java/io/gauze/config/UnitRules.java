package io.gauze.config;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.BudgetScope;
import java.util.Optional;

/** Checks that the rows and the epochs of a config allow its privacy unit to be protected. */
final class UnitRules {
  private static final String NONE = "";

  private final YamlMap top;
  private final Budget budget;
  private final BudgetScope scope;
  private final EpochSchedule epochs;
  private final RowsSettings rows;

  UnitRules(
      YamlMap top, Budget budget, BudgetScope scope, EpochSchedule epochs, RowsSettings rows) {
    this.top = top;
    this.budget = budget;
    this.scope = scope;
    this.epochs = epochs;
    this.rows = rows;
  }

  void check() throws ConfigException {
    if (epochs.time().kind() == RowTime.Kind.PRODUCER) {
      checkProducerTime();
    }
    if (scope.unit().kind() == UnitKind.KEY) {
      checkTable();
    } else if (scope.releases().isCumulative()) {
      checkGrowing();
    } else if (rows.isChangelog()) {
      throw unitPlace()
          .error(
              "must have the unit key, with snapshots, since kafka.rows is a changelog, in which one"
                  + " key changes many epochs");
    }
    Optional<String> user = scope.unit().field();
    if (user.isPresent()) {
      checkUser(user.get());
    }
  }

  private YamlValue unitPlace() throws ConfigException {
    YamlMap privacy = top.require("privacy", NONE).map(NONE);
    Optional<YamlValue> given = privacy.get("unit");
    return given.isPresent() ? given.get() : privacy.self();
  }

  private YamlValue epochKey(String key) throws ConfigException {
    return top.require("epochs", NONE).map(NONE).require(key, NONE);
  }

  private void checkProducerTime() throws ConfigException {
    YamlValue place = epochKey("timestamps");
    if (budget.neighbours() != Neighbours.REPLACE_ONE || scope.unit().kind() != UnitKind.ROW) {
      throw place.mustBe(
          "append unless privacy.neighbours is replace-one and privacy.unit is row: with the"
              + " producers' timestamps it is public when there is a row, and only its values are"
              + " protected");
    }
  }

  private void checkTable() throws ConfigException {
    if (!rows.isChangelog()) {
      throw unitPlace()
          .mustBe(
              "row or user, since kafka.rows is append-only; with kafka.rows.upsert or format"
                  + " debezium-json it can be key");
    }
    if (epochs.time().kind() == RowTime.Kind.EVENT) {
      throw epochKey("time")
          .error(
              "means nothing with privacy.unit key, whose snapshots hold the table; remove the key");
    }
    if (!epochs.isAll()) {
      requireFrom("the snapshots are");
    }
  }

  private void checkGrowing() throws ConfigException {
    if (rows.isChangelog()) {
      throw top.require("cumulative", NONE)
          .error(
              "needs append-only rows, and kafka.rows is a changelog; remove the key, and use"
                  + " privacy.unit key with snapshots");
    }
    requireFrom("the sums are");
    YamlMap privacy = top.require("privacy", NONE).map(NONE);
    if (!privacy.has("totalBudget")) {
      throw privacy
          .self()
          .error(
              "lacks the key totalBudget, such as {epsilon: 8, delta: 1e-6}: say before the first"
                  + " release what all streams of these rows may spend; the same epsilon and delta if"
                  + " none follows");
    }
  }

  private void requireFrom(String what) throws ConfigException {
    if (!epochs.explicitFirst()) {
      throw top.require("epochs", NONE)
          .error(
              "lacks the key from, a time in UTC such as 2026-01-01T00:00:00Z: "
                  + what
                  + " of the epochs from there on");
    }
  }

  private void checkUser(String user) throws ConfigException {
    if (rows.key().isEmpty()) {
      throw unitPlace()
          .error(
              "needs kafka.rows.key, record or {field: "
                  + user
                  + "}: the user must be the record's key, so that one partition has all of a"
                  + " user's rows in their order");
    }
    Optional<String> field = rows.key().get().field();
    if (field.isPresent() && !field.get().equals(user)) {
      throw unitPlace()
          .error(
              "has the user "
                  + user
                  + ", but kafka.rows.key is the field "
                  + field.get()
                  + "; make them the same");
    }
  }
}

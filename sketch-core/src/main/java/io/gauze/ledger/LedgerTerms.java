package io.gauze.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Budget;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.internal.JsonFields;
import io.gauze.plan.CalibrationEpochs;
import io.gauze.plan.StreamPlan;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The account to which a release is charged, and the costs. The first release of a cell (group and
 * epoch) is charged with all sketches of that cell, so that budget is left for each of them.
 *
 * @param account the name of the topic of the rows
 * @param costs of all sketches of a cell; at least one
 * @param distance of the samplers of a cell from their laws, see {@link
 *     io.gauze.accounting.Spend#distance}
 * @param totalBudget the limit that the owner promised for all releases of the account together
 * @param whose identifies the users or keys of the unit, in words that never change; empty for rows
 */
public record LedgerTerms(
    String account, List<MechanismCost> costs, double distance, Budget totalBudget, String whose)
    implements Serializable {
  /**
   * Checks that there are costs.
   *
   * @throws IllegalArgumentException if there are none, or if the distance is not in [0, 1]
   */
  public LedgerTerms {
    Objects.requireNonNull(account, "account");
    Objects.requireNonNull(totalBudget, "totalBudget");
    Objects.requireNonNull(whose, "whose");
    costs = List.copyOf(costs);
    Checks.notBlank("account", account);
    if (costs.isEmpty()) {
      throw new IllegalArgumentException("costs must not be empty. Provided value: []");
    }
    Checks.within("distance", distance, 0.0, 1.0);
  }

  /** Creates the terms of releases whose unit is a row. */
  public LedgerTerms(
      String account, List<MechanismCost> costs, double distance, Budget totalBudget) {
    this(account, costs, distance, totalBudget, "");
  }

  /** Returns these terms for the users or keys that {@code whose} identifies. */
  public LedgerTerms of(String whose) {
    return new LedgerTerms(account, costs, distance, totalBudget, whose);
  }

  /**
   * Returns the terms of a stream's releases; of a stream with calibration epochs those of all of
   * its epochs, by the plan of the sketches.
   */
  public static LedgerTerms of(StreamPlan plan, String account, Budget totalBudget) {
    boolean ownEpochs = plan.request().ranges().ownEpochs();
    if (plan.request().rangeShare() > 0.0 && !ownEpochs) {
      throw new IllegalArgumentException(
          "rangeShare must be 0 in a ledger, which would miss the counts of ranges. Provided value: "
              + plan.request().rangeShare());
    }
    return new LedgerTerms(
        account,
        ownEpochs ? CalibrationEpochs.costs(plan) : plan.costs(),
        plan.samplerDistance(),
        totalBudget);
  }

  void write(ObjectNode node) {
    node.put("account", account);
    ArrayNode list = node.putArray("costs");
    costs.forEach(cost -> list.add(MechanismCostJson.write(cost)));
    node.put("distance", distance);
    if (!whose.isEmpty()) {
      node.put("whose", whose);
    }
    node.putObject("totalBudget")
        .put("epsilon", totalBudget.epsilon())
        .put("delta", totalBudget.delta());
  }

  static LedgerTerms read(JsonNode node, Neighbours neighbours) {
    List<MechanismCost> costs = new ArrayList<>();
    JsonFields.array(node, "costs").forEach(cost -> costs.add(MechanismCostJson.read(cost)));
    JsonNode totalBudget = node.path("totalBudget");
    return new LedgerTerms(
        JsonFields.text(node.path("account"), "account"),
        costs,
        JsonFields.number(node, "distance"),
        new Budget(
            JsonFields.number(totalBudget, "epsilon"),
            JsonFields.number(totalBudget, "delta"),
            neighbours),
        node.path("whose").asText(""));
  }
}

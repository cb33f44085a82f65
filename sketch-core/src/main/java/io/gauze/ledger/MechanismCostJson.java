package io.gauze.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.WishartNoise;
import io.gauze.internal.JsonFields;

/**
 * Converts costs to and from JSON: the mechanism's law under the key {@code law}, then its numbers.
 */
public final class MechanismCostJson {
  private MechanismCostJson() {}

  public static ObjectNode write(MechanismCost cost) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("law", cost.law());
    cost.numbers()
        .forEach(
            (name, number) -> {
              if (number instanceof Integer whole) {
                node.put(name, whole);
              } else {
                node.put(name, number.doubleValue());
              }
            });
    return node;
  }

  public static MechanismCost read(JsonNode node) {
    String law = JsonFields.text(node.path("law"), "law");
    return switch (law) {
      case "gaussian" -> new MechanismCost.Gaussian(JsonFields.number(node, "mu"));
      case "laplace" -> new MechanismCost.Laplace(JsonFields.number(node, "epsilon"));
      case "projection" ->
          new MechanismCost.Projection(
              JsonFields.whole(node, "rows"), JsonFields.number(node, "ridge"));
      case "wishart" ->
          new MechanismCost.Wishart(
              new WishartNoise(
                  JsonFields.whole(node, "columns"),
                  JsonFields.whole(node, "degreesOfFreedom"),
                  JsonFields.number(node, "scale")));
      case "approximate" ->
          new MechanismCost.Approximate(
              JsonFields.number(node, "epsilon"), JsonFields.number(node, "delta"));
      default ->
          throw new IllegalArgumentException(
              "law must be gaussian, laplace, projection, wishart or approximate. Provided value: "
                  + law);
    };
  }
}

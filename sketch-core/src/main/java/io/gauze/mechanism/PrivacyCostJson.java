package io.gauze.mechanism;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.PrivacyCost;
import io.gauze.accounting.WishartNoise;

/** Costs as JSON: the mechanism's law under the key {@code law}, then its numbers. */
public final class PrivacyCostJson {
  private PrivacyCostJson() {}

  public static ObjectNode write(PrivacyCost cost) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    if (cost instanceof PrivacyCost.Gaussian gaussian) {
      return node.put("law", "gaussian").put("mu", gaussian.mu());
    }
    if (cost instanceof PrivacyCost.Laplace laplace) {
      return node.put("law", "laplace").put("epsilon", laplace.epsilon());
    }
    if (cost instanceof PrivacyCost.Projection projection) {
      return node.put("law", "projection")
          .put("rows", projection.rows())
          .put("ridge", projection.ridge());
    }
    if (cost instanceof PrivacyCost.Wishart wishart) {
      return node.put("law", "wishart")
          .put("columns", wishart.noise().columns())
          .put("degrees", wishart.noise().degrees())
          .put("scale", wishart.noise().scale());
    }
    PrivacyCost.Approximate known = (PrivacyCost.Approximate) cost;
    return node.put("law", "approximate")
        .put("epsilon", known.epsilon())
        .put("delta", known.delta());
  }

  public static PrivacyCost read(JsonNode node) {
    String law = JsonFields.text(node.path("law"), "law");
    return switch (law) {
      case "gaussian" -> new PrivacyCost.Gaussian(JsonFields.number(node, "mu"));
      case "laplace" -> new PrivacyCost.Laplace(JsonFields.number(node, "epsilon"));
      case "projection" ->
          new PrivacyCost.Projection(
              JsonFields.whole(node, "rows"), JsonFields.number(node, "ridge"));
      case "wishart" ->
          new PrivacyCost.Wishart(
              new WishartNoise(
                  JsonFields.whole(node, "columns"),
                  JsonFields.whole(node, "degrees"),
                  JsonFields.number(node, "scale")));
      case "approximate" ->
          new PrivacyCost.Approximate(
              JsonFields.number(node, "epsilon"), JsonFields.number(node, "delta"));
      default ->
          throw new IllegalArgumentException(
              "law must be gaussian, laplace, projection, wishart or approximate. Provided value: "
                  + law);
    };
  }
}

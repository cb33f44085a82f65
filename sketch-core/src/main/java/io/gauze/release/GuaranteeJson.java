package io.gauze.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.UnitKind;
import io.gauze.internal.JsonFields;
import java.util.ArrayList;
import java.util.List;

/** Converts guarantees to and from JSON, with their sentence for readers. */
public final class GuaranteeJson {
  private GuaranteeJson() {}

  /**
   * Returns a new object with the keys epsilon, delta, neighbours, unit, assumptions, ...,
   * sentence.
   */
  public static ObjectNode write(Guarantee guarantee) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("epsilon", guarantee.epsilon());
    node.put("delta", guarantee.delta());
    node.put("neighbours", guarantee.neighbours().label());
    node.put("unit", guarantee.unit().label());
    guarantee.assumptions().forEach(node.putArray("assumptions")::add);
    node.put("basis", guarantee.basis());
    node.put("idealised", guarantee.idealised());
    node.put("checkpoint", guarantee.checkpoint());
    node.put("randomness", guarantee.randomness());
    node.put("private", guarantee.isPrivate());
    node.put("sentence", guarantee.sentence());
    return node;
  }

  /**
   * Parses the object that {@link #write} returns; the sentence is not read but made again.
   *
   * @throws IllegalArgumentException if a key is missing, of the wrong type or out of range
   */
  public static Guarantee read(JsonNode node) {
    List<String> assumptions = new ArrayList<>();
    for (JsonNode assumption : JsonFields.array(node, "assumptions")) {
      assumptions.add(JsonFields.text(assumption, "assumption"));
    }
    return new Guarantee(
        JsonFields.number(node, "epsilon"),
        JsonFields.number(node, "delta"),
        Neighbours.parse(JsonFields.text(node.path("neighbours"), "neighbours")),
        UnitKind.parse(JsonFields.text(node.path("unit"), "unit")),
        assumptions,
        JsonFields.text(node.path("basis"), "basis"),
        JsonFields.flag(node, "idealised"),
        JsonFields.text(node.path("checkpoint"), "checkpoint"),
        JsonFields.text(node.path("randomness"), "randomness"),
        JsonFields.flag(node, "private"));
  }
}

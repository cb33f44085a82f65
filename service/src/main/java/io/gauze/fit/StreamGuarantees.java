package io.gauze.fit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.GuaranteeJson;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What releases that are added up promise. Releases of several streams have no guarantee together:
 * for the rows of each stream that of the stream holds.
 *
 * @param ids of the releases
 * @param ofStreams the guarantee of each stream
 */
record StreamGuarantees(List<ReleaseId> ids, Map<String, Guarantee> ofStreams) {
  StreamGuarantees {
    ids = List.copyOf(ids);
    ofStreams = new LinkedHashMap<>(ofStreams);
  }

  /** Returns a new object with the ids and the guarantees. */
  ObjectNode write() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ids.forEach(id -> all.withArrayProperty("releases").add(id.toString()));
    Guarantee first = ofStreams.values().iterator().next();
    if (ofStreams.size() == 1) {
      all.setAll(GuaranteeJson.write(first));
      all.put("summary", first.summary());
      return all.put("sentence", first.sentence() + merged(first, ids.size()));
    }
    List<String> whole = new ArrayList<>();
    ofStreams.forEach(
        (stream, guarantee) -> {
          ObjectNode one = all.withArrayProperty("streams").addObject().put("stream", stream);
          one.setAll(GuaranteeJson.write(guarantee));
          one.put("summary", guarantee.summary());
          whole.add(
              "Stream " + stream + ": " + guarantee.sentence() + merged(guarantee, of(stream)));
        });
    all.put("private", ofStreams.values().stream().allMatch(Guarantee::isPrivate));
    all.put("summary", summary());
    whole.add(overlap());
    return all.put("sentence", String.join(" ", whole));
  }

  private int of(String stream) {
    return (int) ids.stream().filter(id -> id.stream().equals(stream)).count();
  }

  private String summary() {
    StringBuilder text = new StringBuilder(300);
    text.append(ofStreams.size())
        .append(" streams are added up, each with a guarantee of its own. ");
    ofStreams.forEach(
        (stream, guarantee) ->
            text.append("Stream ")
                .append(stream)
                .append(": ")
                .append(guarantee.summary())
                .append(' '));
    return text.append(overlap()).toString();
  }

  // Basic composition, which holds whatever the mechanisms are.
  private String overlap() {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    boolean isKnown = true;
    for (Guarantee guarantee : ofStreams.values()) {
      epsilon = epsilon.add(BigDecimal.valueOf(guarantee.epsilon()));
      delta = delta.add(BigDecimal.valueOf(guarantee.delta()));
      isKnown &= guarantee.isPrivate() && !guarantee.unit().epochsAddUp();
    }
    String unit = ofStreams.values().iterator().next().unit().label();
    String inAll =
        isKnown
            ? " For one "
                + unit
                + " in each of them the costs add up to epsilon "
                + epsilon.doubleValue()
                + " and delta "
                + delta.doubleValue()
                + ", if all assumptions hold."
            : " For a " + unit + " in several of them the costs add up.";
    return "Releases do not show whether somebody is in several streams."
        + inAll
        + " The same rows must not be in two of them.";
  }

  /** What the guarantee of each epoch means for all of them together. */
  private static String merged(Guarantee guarantee, int releases) {
    if (releases == 1) {
      return "";
    }
    String each = " Merged from " + releases + " releases, each with this guarantee";
    return guarantee.unit().epochsAddUp()
        ? each + ". A user may have rows in all of them, so their costs add up: see the ledger."
        : each + ": a row is in one of them, so that it holds for all of them together.";
  }
}

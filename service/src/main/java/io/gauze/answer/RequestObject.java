package io.gauze.answer;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.QuestionFields;
import io.gauze.message.NearestName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The fields of a request that is a JSON object: a record of Kafka, or the body of a POST. */
record RequestObject(JsonNode json) implements QuestionFields {
  static final List<String> KNOWN =
      List.of(
          "id",
          "release",
          "releases",
          "response",
          "features",
          "loss",
          "lambda",
          "alpha",
          "quantile",
          "huberThreshold",
          "freeIntercept",
          "strict",
          "scale",
          "deadline");

  private static final int SHOWN = 100;

  /**
   * Checks the names of the fields.
   *
   * @throws IllegalArgumentException if one is unknown; the message names the nearest one
   */
  RequestObject {
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!KNOWN.contains(name)) {
        throw NearestName.unknown("field", RequestException.shortened(name, SHOWN), KNOWN);
      }
    }
  }

  /** Returns the field id of a request whose record has no key. */
  static String id(JsonNode object) {
    JsonNode id = object.path("id");
    if (!id.isTextual()) {
      throw new IllegalArgumentException(
          "the record needs a key, or the request a field id: a text that the answer will have");
    }
    return id.textValue();
  }

  @Override
  public Optional<String> text(String field) {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw wrongType(field, "a text", value);
    }
    return Optional.of(value.textValue());
  }

  @Override
  public Optional<Double> number(String field) {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isNumber()) {
      throw wrongType(field, "a number", value);
    }
    return Optional.of(value.doubleValue());
  }

  @Override
  public boolean flag(String field) {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw wrongType(field, "true or false", value);
    }
    return value.booleanValue();
  }

  @Override
  public List<String> names(String field) {
    JsonNode array = json.path(field);
    if (array.isMissingNode() || array.isNull()) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    for (JsonNode name : array) {
      if (!array.isArray() || !name.isTextual()) {
        throw wrongType(field, "an array of names of columns", array);
      }
      names.add(name.textValue());
    }
    if (!array.isArray() || names.isEmpty()) {
      throw wrongType(
          field, "an array of at least one name; leave it out to take all columns", array);
    }
    return names;
  }

  private static IllegalArgumentException wrongType(String field, String allowed, JsonNode value) {
    return new IllegalArgumentException(
        field
            + " must be "
            + allowed
            + ". Provided value: "
            + value.getNodeType().name().toLowerCase(Locale.ROOT)
            + " "
            + RequestException.shortened(value.toString(), SHOWN));
  }
}

package io.gauze.answer;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.fit.FitQuestion;
import io.gauze.message.NearestName;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of one request. Every method throws {@link IllegalArgumentException} if its field is
 * wrong.
 */
final class RequestFields {
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

  /**
   * The most characters of a text: far more than a column's name, and enough for a range, which has
   * two ids of four parts of 255 bytes.
   */
  private static final int LONGEST_TEXT = 3000;

  private static final int SHOWN = 100;

  private final JsonNode json;

  RequestFields(JsonNode object) {
    this.json = object;
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

  SolveRequest request() {
    for (Iterator<String> names = json.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!KNOWN.contains(name)) {
        throw NearestName.unknown("field", RequestException.shortened(name, SHOWN), KNOWN);
      }
    }
    return new SolveRequest(releases(), question(), deadline());
  }

  private Optional<ReleaseRange> releases() {
    Optional<String> one = text("release");
    Optional<String> range = text("releases");
    if (one.isPresent() && range.isPresent()) {
      throw new IllegalArgumentException(
          "release, one id, and releases, the first and the last one of a range, exclude each other;"
              + " send one of them");
    }
    if (one.isPresent() && ReleaseRange.isRange(one.get())) {
      throw new IllegalArgumentException(
          "release must be one id; a range belongs into releases. Provided value: " + shown(one));
    }
    if (range.isPresent() && !ReleaseRange.isRange(range.get())) {
      throw new IllegalArgumentException(
          "releases must be two ids with two dots between, such as a/all/1/s..a/all/9/s; one id"
              + " belongs into release. Provided value: "
              + shown(range));
    }
    return one.map(id -> ReleaseRange.parse("release", id))
        .or(() -> range.map(ids -> ReleaseRange.parse("releases", ids)));
  }

  private static String shown(Optional<String> text) {
    return RequestException.shortened(text.orElse(""), SHOWN);
  }

  private FitQuestion question() {
    String scale = text("scale").orElse("user");
    if (!scale.equals("user") && !scale.equals("encoded")) {
      throw new IllegalArgumentException(
          "scale must be user or encoded. Provided value: "
              + RequestException.shortened(scale, SHOWN));
    }
    FitQuestion.Parts parts =
        new FitQuestion.Parts(
            text("response")
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "the field response is missing: the column to explain")),
            features(),
            text("loss").orElse(FitQuestion.AUTO),
            number("lambda"),
            number("alpha"),
            number("quantile"),
            number("huberThreshold"),
            flag("freeIntercept"),
            scale.equals("user"),
            flag("strict"));
    return FitQuestion.of(parts, FitQuestion.Wording.FIELDS);
  }

  private List<String> features() {
    JsonNode array = json.path("features");
    if (array.isMissingNode() || array.isNull()) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (JsonNode name : array) {
      if (!array.isArray() || !name.isTextual()) {
        throw wrongType("features", "an array of names of columns", array);
      }
      if (!seen.add(name.textValue())) {
        throw new IllegalArgumentException(
            "features must be distinct. Provided value: "
                + RequestException.shortened(name.textValue(), SHOWN)
                + " again");
      }
      names.add(limited("features", name.textValue()));
    }
    if (!array.isArray() || names.isEmpty()) {
      throw wrongType(
          "features", "an array of at least one name; leave it out to take all columns", array);
    }
    return names;
  }

  private boolean flag(String name) {
    JsonNode value = json.path(name);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw wrongType(name, "true or false", value);
    }
    return value.booleanValue();
  }

  private Duration deadline() {
    Optional<String> text = text("deadline");
    try {
      return text.map(Duration::parse).orElse(SolveRequest.USUAL_WAIT);
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "deadline must be an ISO 8601 duration in [PT0S, "
              + SolveRequest.LONGEST_WAIT
              + "], such as PT5S. Provided value: "
              + shown(text),
          e);
    }
  }

  private Optional<Double> number(String field) {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isNumber()) {
      throw wrongType(field, "a number", value);
    }
    return Optional.of(value.doubleValue());
  }

  private Optional<String> text(String field) {
    JsonNode value = json.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isTextual()) {
      throw wrongType(field, "a text", value);
    }
    return Optional.of(limited(field, value.textValue()));
  }

  private static String limited(String field, String text) {
    if (text.length() > LONGEST_TEXT) {
      throw new IllegalArgumentException(
          field
              + " must have at most "
              + LONGEST_TEXT
              + " characters. Provided value: "
              + text.length());
    }
    return text;
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

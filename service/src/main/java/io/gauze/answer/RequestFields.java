package io.gauze.answer;

import io.gauze.fit.FitQuestion;
import io.gauze.fit.NameList;
import io.gauze.fit.QuestionFields;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fields of one request, with the limits of what comes over a network. Every method throws
 * {@link IllegalArgumentException} if its field is wrong.
 */
final class RequestFields implements QuestionFields {
  /**
   * The most characters of a text: far more than a column's name, and enough for a range, which has
   * two ids of four parts of 255 bytes.
   */
  private static final int LONGEST_TEXT = 3000;

  private static final int SHOWN = 100;

  /** The slashes of an id. */
  private static final int SLASHES = 3;

  private final QuestionFields given;

  RequestFields(QuestionFields given) {
    this.given = given;
  }

  SolveRequest request() {
    return new SolveRequest(releases(), FitQuestion.of(this), deadline());
  }

  private List<ReleaseRange> releases() {
    Optional<String> one = text("release");
    Optional<String> several = given.text("releases"); // each of them is limited
    if (one.isPresent() && several.isPresent()) {
      throw new IllegalArgumentException(
          "release, one id, and releases, a range or several, exclude each other; send one of them");
    }
    if (one.isPresent() && (ReleaseRange.isRange(one.get()) || slashes(one.get()) > SLASHES)) {
      throw new IllegalArgumentException(
          "release must be one id; a range, or several ids, belong into releases. Provided value: "
              + shown(one));
    }
    return one.map(id -> List.of(ReleaseRange.parse("release", id)))
        .or(() -> several.map(RequestFields::ranges))
        .orElse(List.of());
  }

  private static List<ReleaseRange> ranges(String text) {
    List<String> all =
        NameList.parse("releases", text).stream().map(id -> limited("releases", id)).toList();
    if (all.size() == 1 && !ReleaseRange.isRange(all.get(0))) {
      throw new IllegalArgumentException(
          "releases must be two ids with two dots between, such as a/all/1/s..a/all/9/s, or several"
              + " with commas between; one id belongs into release. Provided value: "
              + RequestException.shortened(text, SHOWN));
    }
    return all.stream().map(id -> ReleaseRange.parse("releases", id)).toList();
  }

  private static long slashes(String text) {
    return text.chars().filter(each -> each == '/').count();
  }

  private static String shown(Optional<String> text) {
    return RequestException.shortened(text.orElse(""), SHOWN);
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

  @Override
  public Optional<String> text(String field) {
    return given.text(field).map(text -> limited(field, text));
  }

  @Override
  public Optional<Double> number(String field) {
    return given.number(field);
  }

  @Override
  public boolean flag(String field) {
    return given.flag(field);
  }

  @Override
  public List<String> names(String field) {
    List<String> names = given.names(field);
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!seen.add(limited(field, name))) {
        throw new IllegalArgumentException(
            field
                + " must be distinct. Provided value: "
                + RequestException.shortened(name, SHOWN)
                + " again");
      }
    }
    return names;
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
}

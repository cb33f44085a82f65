package io.gauze.sql;

import io.gauze.fit.FitQuestion;
import io.gauze.fit.NameList;
import io.gauze.fit.QuestionFields;
import io.gauze.report.ServiceMessage;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A question as a statement gives it: named values, of which those that are not given are NULL. The
 * names are those of the HTTP service with underscores. Travels in the job; equal questions have
 * equal values.
 */
final class SqlQuestion implements QuestionFields, Serializable {
  private static final long serialVersionUID = 1L;

  private static final Map<String, String> NAMES =
      Map.of("huberThreshold", "huber_threshold", "freeIntercept", "free_intercept");

  /** A question in which nothing is given. */
  static final SqlQuestion EMPTY = new SqlQuestion();

  private final HashMap<String, Object> given = new HashMap<>();

  /** Returns a question that asks for the column; the others are not given. */
  static SqlQuestion of(String response) {
    return EMPTY.with("response", response);
  }

  /** Returns the name over HTTP of an argument. */
  static String field(String argument) {
    return NAMES.entrySet().stream()
        .filter(each -> each.getValue().equals(argument))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(argument);
  }

  /**
   * Returns the same question with a field more.
   *
   * @param field its name over HTTP
   * @param value of a text, a number or a flag; null if it is not given
   */
  SqlQuestion with(String field, Object value) {
    SqlQuestion more = new SqlQuestion();
    more.given.putAll(given);
    if (value != null) {
      more.given.put(field, value);
    }
    return more;
  }

  /**
   * Returns the checked question.
   *
   * @throws RefusedException if a field is wrong, or does not match another one
   */
  FitQuestion checked() throws RefusedException {
    try {
      return FitQuestion.of(this);
    } catch (IllegalArgumentException e) {
      throw RefusedException.of(ServiceMessage.REQUEST, e.getMessage());
    }
  }

  @Override
  public Optional<String> text(String field) {
    return Optional.ofNullable((String) given.get(field));
  }

  @Override
  public Optional<Double> number(String field) {
    return Optional.ofNullable((Double) given.get(field));
  }

  @Override
  public boolean flag(String field) {
    return Objects.equals(given.get(field), true);
  }

  /** Returns whether a release without signal may be fitted: if strict is given, and false. */
  boolean allowsEmpty() {
    return Objects.equals(given.get("strict"), false);
  }

  @Override
  public List<String> names(String field) {
    return text(field).map(names -> NameList.parse(name(field), names)).orElse(List.of());
  }

  /** The name in SQL, such as {@code huber_threshold}. */
  @Override
  public String name(String field) {
    return NAMES.getOrDefault(field, field);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SqlQuestion that && given.equals(that.given);
  }

  @Override
  public int hashCode() {
    return given.hashCode();
  }
}

package io.gauze.fit;

import java.util.List;
import java.util.Optional;

/**
 * The fields of a question as a user gives them: options, parameters of a query, or a JSON object.
 * Every method throws {@link IllegalArgumentException} if its field has another type.
 */
public interface QuestionFields {
  /** Returns a text; empty if it is not given. */
  Optional<String> text(String field);

  /** Returns a number; empty if it is not given. */
  Optional<Double> number(String field);

  /** Returns whether a flag is given and set. */
  boolean flag(String field);

  /** Returns names of columns; none if they are not given. */
  List<String> names(String field);

  /** Returns the name of a field in messages, such as huberThreshold or --huber-threshold. */
  default String name(String field) {
    return field;
  }
}

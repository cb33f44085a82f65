package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.List;

/**
 * A column that says whether a text equals a given one: 0 or 1 in the user's units, encoded as -1
 * or +1. Every text is accepted, unless the given one is {@code true} or {@code false}: then a text
 * must be a boolean, in any spelling of {@link Truth}, if no other column reads the field. Numbers
 * are equal in every spelling of JSON: 2.0 is 2, and 02 is not.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 * @param equalTo the text that counts as 1, not blank; compared exactly, a boolean or a number in
 *     any spelling
 */
public record IndicatorColumn(String name, String source, String equalTo) implements Column {

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if one of the three is blank
   */
  public IndicatorColumn {
    Checks.notBlank("name", name);
    Checks.notBlank("source", source);
    Checks.notBlank("column " + name + ": equalTo", equalTo);
  }

  @Override
  public List<String> texts() {
    return List.of(equalTo);
  }

  @Override
  public boolean isIndicator() {
    return true;
  }
}

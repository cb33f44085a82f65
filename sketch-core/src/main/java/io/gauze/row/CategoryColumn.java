package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * A column of texts from a public list. Each category but the first, the baseline, is one encoded
 * column of 0 or 1. The last category may be that of all texts that are not listed.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 * @param categories all texts that the field may have, at least 2, distinct; the first is the
 *     baseline
 * @param isOpen whether the last category is that of all texts which are not listed; else these are
 *     refused
 */
public record CategoryColumn(String name, String source, List<String> categories, boolean isOpen)
    implements Column {

  /**
   * A column that refuses texts that are not listed.
   *
   * @throws IllegalArgumentException as below
   */
  public CategoryColumn(String name, String source, List<String> categories) {
    this(name, source, categories, false);
  }

  /**
   * Checks the categories.
   *
   * @throws IllegalArgumentException if a name or category is blank, or there are not at least 2
   *     distinct ones, or one is listed twice
   */
  public CategoryColumn {
    Checks.notBlank("name", name);
    Checks.notBlank("source", source);
    categories = List.copyOf(categories);
    for (String category : categories) {
      Checks.notBlank("column " + name + ": category", category);
    }
    if (categories.size() < 2 || new HashSet<>(categories).size() != categories.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column %s: categories must be at least 2 and distinct. Provided value: %s",
              name,
              categories));
    }
  }

  @Override
  public int width() {
    return categories.size() - 1;
  }

  @Override
  public List<String> encodedNames() {
    return categories.stream().skip(1).map(category -> name + "=" + category).toList();
  }

  @Override
  public List<String> texts() {
    return categories;
  }

  @Override
  public boolean isOneHot() {
    return true;
  }
}

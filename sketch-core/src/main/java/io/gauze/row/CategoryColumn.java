package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;

/**
 * A column of texts from a public list. Each category but the first, the baseline, is one encoded
 * column of 0 or 1.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 * @param categories all texts that the field may have, at least 2, distinct; the first is the
 *     baseline
 */
public record CategoryColumn(String name, String source, List<String> categories)
    implements Column {

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

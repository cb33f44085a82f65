package io.gauze.row;

import io.gauze.internal.Checks;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A column of texts with a public rank for every possible value. The rank is treated as a number.
 *
 * @param name the user's name of the column, not blank
 * @param source the field of the record, not blank
 * @param ranks the rank of each known text, at least 2, immutable, in the order given
 * @param lower the lower end of the range of ranks, finite
 * @param upper the upper end of the range of ranks, finite and above {@code lower}
 * @param typical the rank that is encoded as 0, in [lower, upper]
 */
public record OrdinalColumn(
    String name,
    String source,
    Map<String, Double> ranks,
    double lower,
    double upper,
    double typical)
    implements Column {

  /**
   * Checks the range and the ranks.
   *
   * @throws IllegalArgumentException if a name is blank, the range is empty or not finite, there
   *     are fewer than 2 ranks, a text is empty, or a rank or the typical one is outside of it
   */
  public OrdinalColumn {
    Checks.notBlank("name", name);
    Checks.notBlank("source", source);
    PublicRange.check(name, lower, upper, typical);
    double middle = Column.middle(lower, upper);
    typical = typical == middle ? middle : typical; // one of the two zeros
    ranks = Collections.unmodifiableMap(new LinkedHashMap<>(ranks));
    if (ranks.size() < 2) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column %s: ranks must have at least 2 entries. Provided value: %d",
              name,
              ranks.size()));
    }
    for (Map.Entry<String, Double> rank : ranks.entrySet()) {
      Checks.notBlank("column " + name + ": ranked text", rank.getKey());
      Checks.within("column " + name + ": rank of " + rank.getKey(), rank.getValue(), lower, upper);
    }
  }

  /**
   * A column whose typical rank is the middle of its range.
   *
   * @throws IllegalArgumentException as above
   */
  public OrdinalColumn(
      String name, String source, Map<String, Double> ranks, double lower, double upper) {
    this(name, source, ranks, lower, upper, Column.middle(lower, upper));
  }

  @Override
  public List<String> texts() {
    return List.copyOf(ranks.keySet());
  }
}

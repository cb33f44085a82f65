package io.gauze.plan;

import io.gauze.row.CategoryColumn;
import io.gauze.row.Column;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.IndicatorColumn;
import io.gauze.row.NumericColumn;
import io.gauze.row.OrdinalColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A column in the form in which releases store it. One form serves all kinds of columns.
 *
 * @param kind {@code numeric}, {@code estimated}, {@code ordinal}, {@code indicator}, {@code
 *     category} or {@code open category}, whose last text stands for all that are not listed
 * @param typical the value that is encoded as 0
 * @param texts the ranked texts, the text that counts as 1, or the categories; else empty
 * @param ranks the ranks of the ranked texts; else empty
 */
public record ColumnForm(
    String kind,
    String name,
    String source,
    List<String> encodedNames,
    double lower,
    double upper,
    double typical,
    List<String> texts,
    List<Double> ranks) {
  private static final String NUMERIC = "numeric";
  private static final String ESTIMATED = "estimated";
  private static final String ORDINAL = "ordinal";
  private static final String INDICATOR = "indicator";
  private static final String CATEGORY = "category";
  private static final String OPEN_CATEGORY = "open category";

  public static ColumnForm of(Column column) {
    if (column instanceof OrdinalColumn ordinal) {
      return of(ORDINAL, column, List.copyOf(ordinal.ranks().values()));
    }
    if (column.isIndicator()) {
      return of(INDICATOR, column, List.of());
    }
    if (column.isOneHot()) {
      return of(column.isOpen() ? OPEN_CATEGORY : CATEGORY, column, List.of());
    }
    return of(column.isEstimated() ? ESTIMATED : NUMERIC, column, List.of());
  }

  private static ColumnForm of(String kind, Column column, List<Double> ranks) {
    return new ColumnForm(
        kind,
        column.name(),
        column.source(),
        column.encodedNames(),
        column.lower(),
        column.upper(),
        column.typical(),
        column.texts(),
        ranks);
  }

  /**
   * Converts this form back to the column.
   *
   * @throws IllegalArgumentException if the parts do not describe a column
   */
  public Column column() {
    return switch (kind) {
      case NUMERIC -> new NumericColumn(name, source, lower, upper, typical);
      case ESTIMATED -> new EstimatedColumn(name, source);
      case ORDINAL -> new OrdinalColumn(name, source, rankOfText(), lower, upper, typical);
      case INDICATOR -> new IndicatorColumn(name, source, onlyText());
      case CATEGORY -> new CategoryColumn(name, source, texts);
      case OPEN_CATEGORY -> new CategoryColumn(name, source, texts, true);
      default ->
          throw new IllegalArgumentException(
              "column kind must be numeric, estimated, ordinal, indicator, category or open category."
                  + " Provided value: "
                  + kind);
    };
  }

  private String onlyText() {
    if (texts.size() != 1) {
      throw new IllegalArgumentException(
          "an indicator must have 1 text. Provided value: " + texts.size());
    }
    return texts.get(0);
  }

  private Map<String, Double> rankOfText() {
    if (texts.size() != ranks.size()) {
      throw new IllegalArgumentException(
          "ranks must be as many as texts, " + texts.size() + ". Provided value: " + ranks.size());
    }
    Map<String, Double> result = new LinkedHashMap<>();
    for (int i = 0; i < texts.size(); i++) {
      result.put(texts.get(i), ranks.get(i));
    }
    return result;
  }
}

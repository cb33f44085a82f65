package io.gauze.row;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What one column holds of the current record, and how it is encoded. */
abstract sealed class ColumnSlot permits ColumnSlot.Numeric, ColumnSlot.Text {
  private static final int LISTED = 10; // known texts in a message

  final Column column;
  final int offset;
  boolean present;
  long clamped;

  private ColumnSlot(Column column, int offset) {
    this.column = column;
    this.offset = offset;
  }

  static ColumnSlot of(Column column, int offset) {
    return column instanceof NumericColumn ? new Numeric(column, offset) : new Text(column, offset);
  }

  /** Takes a number; returns whether it is acceptable. */
  abstract boolean number(double value);

  /** Takes a text; returns whether it is acceptable. */
  abstract boolean text(String value);

  /** Writes the encoded values from {@link #offset} on. */
  abstract void write(double[] row);

  /** What is allowed, for messages; public knowledge only. */
  abstract String allowed();

  /** A number: clamped and scaled to [-1, 1]. */
  static final class Numeric extends ColumnSlot {
    private final double lower;
    private final double upper;
    private double value;

    private Numeric(Column column, int offset) {
      super(column, offset);
      lower = column.lower();
      upper = column.upper();
    }

    @Override
    boolean number(double x) {
      value = x;
      present = Double.isFinite(x);
      return present;
    }

    @Override
    boolean text(String x) {
      return false;
    }

    @Override
    void write(double[] row) {
      if (value < lower || value > upper) {
        clamped++;
      }
      row[offset] = scale(value, lower, upper);
    }

    @Override
    String allowed() {
      return String.format(
          Locale.ROOT,
          "send a finite number, values outside [%s, %s] are clamped",
          Checks.number(lower),
          Checks.number(upper));
    }
  }

  /** A text: looked up, for ranks, indicators and categories alike. */
  static final class Text extends ColumnSlot {
    private final Map<String, double[]> known = new HashMap<>();
    private final double[] others; // of texts that are not known, empty if they are refused
    private double[] encoded;

    private Text(Column column, int offset) {
      super(column, offset);
      if (column instanceof OrdinalColumn ordinal) {
        ordinal.ranks().forEach((text, rank) -> known.put(text, encodedRank(ordinal, rank)));
      } else if (column instanceof IndicatorColumn indicator) {
        known.put(indicator.equalTo(), new double[] {1.0});
      } else if (column instanceof CategoryColumn category) {
        putCategories(category.categories());
      }
      others = column instanceof IndicatorColumn ? new double[] {-1.0} : new double[0];
      encoded = others;
    }

    private void putCategories(List<String> categories) {
      for (int c = 0; c < categories.size(); c++) {
        double[] oneHot = new double[categories.size() - 1];
        if (c > 0) {
          oneHot[c - 1] = 1.0;
        }
        known.put(categories.get(c), oneHot);
      }
    }

    private static double[] encodedRank(OrdinalColumn column, double rank) {
      return new double[] {scale(rank, column.lower(), column.upper())};
    }

    @Override
    boolean number(double x) {
      return false;
    }

    @Override
    boolean text(String x) {
      encoded = known.getOrDefault(x, others);
      present = encoded.length > 0;
      return present;
    }

    @Override
    void write(double[] row) {
      System.arraycopy(encoded, 0, row, offset, encoded.length);
    }

    @Override
    String allowed() {
      if (column instanceof IndicatorColumn) {
        return "send a text";
      }
      List<String> texts =
          column instanceof CategoryColumn category
              ? category.categories()
              : List.copyOf(((OrdinalColumn) column).ranks().keySet());
      String listed = String.join(", ", texts.subList(0, Math.min(LISTED, texts.size())));
      int more = texts.size() - LISTED;
      return "send one of " + listed + (more > 0 ? " and " + more + " more" : "");
    }
  }

  /** Clamps to the range and maps it to [-1, 1], in this order of operations. */
  private static double scale(double x, double lower, double upper) {
    double c = Math.min(Math.max(x, lower), upper);
    return (2.0 * (c - lower)) / (upper - lower) - 1.0;
  }
}

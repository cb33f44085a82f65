package io.gauze.row;

import io.gauze.internal.Checks;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Holds one column's value of the current record and encodes it. */
abstract sealed class ColumnSlot permits ColumnSlot.Numeric, ColumnSlot.Text {
  private static final int LISTED = 10; // the most known texts that a message lists

  final Column column;

  private ColumnSlot(Column column) {
    this.column = column;
  }

  /** Forgets the value of the previous or the current record. */
  abstract void clear();

  /** Returns true if the current record has a value. */
  abstract boolean isPresent();

  /** Sets a number; returns whether it is acceptable. */
  abstract boolean number(double value);

  /** Sets a text; returns whether it is acceptable. */
  abstract boolean text(String value);

  /** The number of accepted rows that had a value outside of the column's range. */
  abstract long clamped();

  /** Describes the allowed values for messages; contains public knowledge only. */
  abstract String allowed();

  /** The slot of a number. The values of all number columns are in one shared {@link Numbers}. */
  static final class Numeric extends ColumnSlot {
    private final Numbers numbers;
    private final int index;
    private final boolean counted; // in cells

    /** Creates the slot of the number at {@code index}. */
    Numeric(Column column, Numbers numbers, int index) {
      super(column);
      this.numbers = numbers;
      this.index = index;
      this.counted = column.isEstimated();
    }

    /** The index of the number if it is a field's as it stands, or -1. */
    int plainIndex() {
      return counted ? -1 : index;
    }

    @Override
    void clear() {
      numbers.put(index, Double.NaN);
    }

    @Override
    boolean isPresent() {
      return numbers.isPresent(index);
    }

    @Override
    boolean number(double x) {
      numbers.put(index, counted ? EstimatedColumn.position(x) : x);
      return Double.isFinite(x);
    }

    @Override
    boolean text(String x) {
      return false;
    }

    @Override
    long clamped() {
      return numbers.clamped(index);
    }

    @Override
    String allowed() {
      if (counted) {
        return "send a finite number";
      }
      return String.format(
          Locale.ROOT,
          "send a finite number, values outside [%s, %s] are clamped",
          Checks.number(column.lower()),
          Checks.number(column.upper()));
    }
  }

  /**
   * The slot of a text: rank, indicator or category. The encoded values are looked up by the text.
   */
  static final class Text extends ColumnSlot {
    private static final Entry NONE = new Entry(0, 0.0); // as the baseline

    private final Map<String, Entry> known;
    private final Entry others; // that of other texts; NONE if these are refused
    private final Map<BigDecimal, Entry> numbers; // those of texts that are numbers
    private final boolean areWhole; // whether these texts are whole numbers
    private final int offset;
    private final int cell;
    private final int width;
    private Entry encoded = NONE;

    /**
     * Creates the slot of a column whose encoded values begin at {@code offset}.
     *
     * @param cell the index of its cell in a row of cells
     * @param factor of the encoded values
     * @param alone whether no other column reads the field
     */
    Text(Column column, int offset, int cell, double factor, boolean alone) {
      super(column);
      this.offset = offset;
      this.cell = cell;
      this.width = column.width();
      boolean isTruth = column.isIndicator() && Truth.isWord(column.texts().get(0));
      known = Truth.withSpellings(encodedTexts(column, factor));
      boolean isAnyNo = column.isIndicator() && !(isTruth && alone);
      others = column.isOpen() ? oneHot(width, factor) : isAnyNo ? new Entry(0, -factor) : NONE;
      numbers = numbers(known);
      areWhole = known.keySet().stream().noneMatch(Text::hasPointOrExponent);
    }

    // Two texts that are one number, such as 1 and 1.0, stay two.
    private static Map<BigDecimal, Entry> numbers(Map<String, Entry> texts) {
      Map<BigDecimal, Entry> numbers = new HashMap<>();
      texts.forEach(
          (text, value) ->
              NumberText.number(text)
                  .ifPresent(number -> numbers.merge(number, value, (a, b) -> a.is(b) ? a : NONE)));
      numbers.values().removeIf(value -> value == NONE);
      return numbers;
    }

    private static boolean hasPointOrExponent(String text) {
      return text.indexOf('.') >= 0 || text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
    }

    private static Map<String, Entry> encodedTexts(Column column, double factor) {
      Map<String, Entry> texts = new HashMap<>();
      if (column instanceof OrdinalColumn ordinal) {
        ordinal
            .ranks()
            .forEach((text, rank) -> texts.put(text, encodedRank(ordinal, rank, factor)));
      } else if (column.isOneHot()) {
        List<String> categories = column.texts();
        for (int c = 0; c < categories.size(); c++) {
          texts.put(categories.get(c), oneHot(c, factor));
        }
      } else {
        putIndicator(column.texts().get(0), factor, texts);
      }
      return texts;
    }

    private static void putIndicator(String yes, double factor, Map<String, Entry> texts) {
      texts.put(yes, new Entry(0, factor));
      Truth.of(yes)
          .ifPresent(
              truth -> {
                Truth.spellings(truth).forEach(text -> texts.put(text, new Entry(0, factor)));
                Truth.spellings(!truth).forEach(text -> texts.put(text, new Entry(0, -factor)));
              });
    }

    private static Entry oneHot(int category, double factor) {
      return category == 0 ? new Entry(0, 0.0) : new Entry(category - 1, factor);
    }

    private static Entry encodedRank(OrdinalColumn column, double rank, double factor) {
      double c = Math.min(Math.max(rank, column.lower()), column.upper());
      return new Entry(0, ColumnScale.of(column, factor).encode(c));
    }

    @Override
    void clear() {
      encoded = NONE;
    }

    @Override
    boolean isPresent() {
      return encoded != NONE;
    }

    @Override
    boolean number(double x) {
      return false;
    }

    @Override
    boolean text(String x) {
      encoded = known.get(x);
      if (encoded == null) {
        encoded = byNumber(x);
      }
      return isPresent();
    }

    // Programs write 2 as 2.0 where other rows of the column have no value.
    /** Returns the entry of a number in another spelling, or that of other texts. */
    private Entry byNumber(String x) {
      boolean maybe =
          !numbers.isEmpty()
              && !x.isEmpty()
              && x.charAt(0) <= '9'
              && (!areWhole || hasPointOrExponent(x));
      return maybe ? NumberText.number(x).map(numbers::get).orElse(others) : others;
    }

    @Override
    long clamped() {
      return 0;
    }

    /** Writes the encoded values into the row at {@code at}, zeros if the record has no value. */
    void write(double[] rows, int at) {
      int from = at + offset;
      if (width > 1) {
        Arrays.fill(rows, from, from + width, 0.0);
      }
      rows[from + encoded.at] = encoded.value;
    }

    /** Writes the one encoded value that may differ from 0, and its index among all entries. */
    void writeCell(double[] values, int at, int[] indexes, int indexAt) {
      values[at + cell] = encoded.value;
      indexes[indexAt + cell] = offset + encoded.at;
    }

    @Override
    String allowed() {
      if (others != NONE) {
        return "send a text";
      }
      if (column.isIndicator()) {
        return "send true or false (or True, TRUE or 1; False, FALSE or 0)";
      }
      List<String> texts = column.texts();
      String listed = String.join(", ", texts.subList(0, Math.min(LISTED, texts.size())));
      int more = texts.size() - LISTED;
      return "send one of " + listed + (more > 0 ? " and " + more + " more" : "");
    }

    /** The encoded values of a text, of which at most one is not 0. */
    private static final class Entry {
      final int at; // its index among the encoded columns of the column
      final double value;

      Entry(int at, double value) {
        this.at = at;
        this.value = value;
      }

      boolean is(Entry other) {
        return at == other.at && value == other.value;
      }
    }
  }
}

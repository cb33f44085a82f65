package io.gauze.row;

import io.gauze.internal.Checks;
import io.gauze.message.NearestName;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The columns of a stream with everything that encoding needs: intercept, row bound and grid.
 * Immutable.
 *
 * <p>An encoded row has D entries: the intercept at index 0, then the encoded columns in order. The
 * user's value of encoded column i is {@code mid(i) + half(i) * encoded}.
 */
public final class RowSchema implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int CELLS_IN_WIDE_ROWS = 4; // a cell costs as much as some three entries

  /** The name of encoded column 0. */
  public static final String INTERCEPT = "(intercept)";

  private static final double LEAST_BOUND = 0x1p-6;
  private static final double LARGEST_BOUND = 0x1p8;
  private static final double ROUNDED_UP = 1.01;
  private static final double LEAST_FACTOR = 0x1p-10;
  // of the row bound; the intercept is then at least 64 grid steps
  private static final double LEAST_INTERCEPT = 0x1p-8;

  private final List<Column> columns;
  private final double intercept;
  private final double rowBound;
  private final MissingValues missing;
  private final ResponseBound responses;
  private final List<Double> factors;
  private final Grid grid;
  private final EncodedColumns encodedColumns;
  private final Fields fields;

  private RowSchema(
      List<Column> columns,
      double intercept,
      double rowBound,
      MissingValues missing,
      ResponseBound responses,
      List<Double> factors) {
    this.columns = columns;
    this.factors = factors;
    this.rowBound = Checks.within("rowBound", rowBound, LEAST_BOUND, LARGEST_BOUND);
    this.intercept =
        Checks.within(
            "intercept", intercept, LEAST_INTERCEPT * rowBound, responses.ofFeatures(rowBound));
    this.missing = Objects.requireNonNull(missing, "missing");
    this.responses = responses;
    this.grid = Grid.forRowBound(rowBound);
    this.fields = new Fields(columns);
    this.encodedColumns = new EncodedColumns(columns);
  }

  /**
   * Creates a schema.
   *
   * @param columns at least one; names of columns and of encoded columns are unique; columns that
   *     share a field are all numeric or all text; at most 4095 columns, and at most 20,000 encoded
   *     ones with the intercept
   * @param intercept the constant c0 in every row, in [rowBound / 256, rowBound]
   * @param rowBound the l2 norm B to which encoded rows are clipped, in [1/64, 256]; so the grid
   *     has 7 to 21 fraction bits, and a row at the bound at least 2^14 steps
   * @param missing the treatment of missing fields
   * @throws IllegalArgumentException if one of these rules is broken
   */
  public static RowSchema of(
      List<? extends Column> columns, double intercept, double rowBound, MissingValues missing) {
    checkColumns(columns);
    List<Double> ones = Collections.nCopies(columns.size(), 1.0);
    return new RowSchema(
        List.copyOf(columns), intercept, rowBound, missing, ResponseBound.NONE, ones);
  }

  /**
   * A copy whose responses are clipped apart from the other columns.
   *
   * @throws IllegalArgumentException if a response is no column, or its bound leaves no room for
   *     the intercept
   */
  public RowSchema withResponses(ResponseBound others) {
    List<String> names = columns.stream().map(Column::name).toList();
    for (String response : others.columns()) {
      if (!names.contains(response)) {
        throw NearestName.unknown("response", response, names);
      }
    }
    List<String> inOrder = names.stream().filter(others.columns()::contains).toList();
    return new RowSchema(
        columns, intercept, rowBound, missing, new ResponseBound(inOrder, others.bound()), factors);
  }

  /**
   * A copy whose columns are encoded smaller. The noise is the same in all columns, so columns that
   * spread alike in the encoded scale lose least to it together.
   *
   * @param others of each column, by which its encoded values are multiplied; in [2^-10, 1]
   * @throws IllegalArgumentException if they are not as many as the columns, or one is out of range
   */
  public RowSchema withFactors(List<Double> others) {
    Checks.length("factors", others.size(), columns.size());
    others.forEach(factor -> Checks.within("factor", factor, LEAST_FACTOR, 1.0));
    return new RowSchema(columns, intercept, rowBound, missing, responses, List.copyOf(others));
  }

  /** The number by which the encoded values of column {@code column}, from 0, are multiplied. */
  public double factor(int column) {
    return factors.get(column);
  }

  /** The numbers by which the encoded values of the columns are multiplied; immutable. */
  public List<Double> factors() {
    return factors;
  }

  /** Returns true if some column is encoded smaller than its range allows. */
  public boolean isScaled() {
    return factors.stream().anyMatch(factor -> factor != 1.0);
  }

  /** Returns the largest norm that a row can have, see {@link #largestNorm(List, List, double)}. */
  public double largestNorm() {
    return largestNorm(columns, factors, intercept);
  }

  /** Returns true if a row of these columns can be longer than its bound, and is then shortened. */
  public boolean shortens() {
    double square = largestNorm() * largestNorm() - largestResponseSquare();
    return responses.isEmpty()
        ? isBeyond(largestNorm(), rowBound)
        : isBeyond(Math.sqrt(square), responses.ofFeatures(rowBound)) || shortensResponses();
  }

  /**
   * Returns true if the responses of a row are clipped apart and can be longer than their bound.
   */
  public boolean shortensResponses() {
    return !responses.isEmpty() && isBeyond(Math.sqrt(largestResponseSquare()), responses.bound());
  }

  /**
   * Returns the largest part of a row's weight that shortening can take off, in [0, 1): a row that
   * keeps the part f of its length keeps f² of its weight. Responses that are clipped apart lose
   * theirs beside the other columns.
   */
  public double largestCut() {
    double ofResponses = largestResponseSquare();
    double square = largestNorm() * largestNorm() - ofResponses;
    double cut = cut(square, responses.ofFeatures(rowBound));
    return responses.isEmpty() ? cut : Math.min(1.0, cut + cut(ofResponses, responses.bound()));
  }

  private static double cut(double square, double bound) {
    return Math.max(0.0, 1.0 - bound * bound / square);
  }

  private static boolean isBeyond(double norm, double bound) {
    return norm > bound * NormBound.ROUNDING;
  }

  /**
   * Returns the indexes of the encoded columns that are clipped apart from the others, rising;
   * empty if there are none.
   */
  public List<Integer> responseIndexes() {
    List<Integer> indexes = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      for (int i = 0; isResponse(c) && i < columns.get(c).width(); i++) {
        indexes.add(offset(c) + i);
      }
    }
    return indexes;
  }

  /** The largest squared norm that the responses of a row can have; 0 without responses. */
  public double largestResponseSquare() {
    double square = 0.0;
    for (int c = 0; c < columns.size(); c++) {
      square += isResponse(c) ? factor(c) * factor(c) : 0.0;
    }
    return square;
  }

  private boolean isResponse(int column) {
    return responses.columns().contains(columns.get(column).name());
  }

  /**
   * Creates a schema whose rows are never clipped, and which rejects rows with missing fields.
   *
   * @param columns as for {@link #of(List, double, double, MissingValues)}
   * @param intercept the constant c0 in every row; in the range that {@link #largestNorm} as row
   *     bound allows
   * @throws IllegalArgumentException as {@link #of(List, double, double, MissingValues)}
   */
  public static RowSchema of(List<? extends Column> columns, double intercept) {
    return of(columns, intercept, largestNorm(columns, intercept), MissingValues.REJECT);
  }

  /**
   * Returns the largest norm that a row can have, which is the default row bound: the root of
   * {@code intercept^2} plus the number of columns, rounded up. A column of categories counts 1,
   * since at most one of its entries is not 0.
   *
   * @throws IllegalArgumentException if the intercept is not in (0, 256]
   */
  public static double largestNorm(List<? extends Column> columns, double intercept) {
    return largestNorm(columns, Collections.nCopies(columns.size(), 1.0), intercept);
  }

  /**
   * Returns the largest norm that a row can have if the encoded values of the columns are
   * multiplied by factors.
   *
   * @throws IllegalArgumentException if the intercept is not in (0, 256]
   */
  public static double largestNorm(
      List<? extends Column> columns, List<Double> factors, double intercept) {
    Checks.within("intercept", intercept, Double.MIN_VALUE, LARGEST_BOUND);
    Checks.length("factors", factors.size(), columns.size());
    BigDecimal square = new BigDecimal(intercept).pow(2);
    for (int c = 0; c < columns.size(); c++) {
      square = square.add(new BigDecimal(factors.get(c)).pow(2));
    }
    double norm = StrictMath.sqrt(square.doubleValue());
    // rounded up, so that a row at the extremes is not shrunk by a grid step
    while (new BigDecimal(norm).pow(2).compareTo(square) < 0) {
      norm = Math.nextUp(norm);
    }
    return norm;
  }

  /**
   * Returns the row bound to use for a requested one: the smaller of {@code rowBound} and the
   * largest norm. Noise grows with the square of the bound, and no row needs one above that norm.
   *
   * @return at most {@link #largestNorm}; a requested bound up to 1 % above it is treated as that
   *     norm, rounded by a person
   * @throws IllegalArgumentException if the requested bound is further above, or if the intercept
   *     is not in (0, 256]
   */
  public static double usefulBound(
      double rowBound, List<? extends Column> columns, double intercept) {
    return usefulBound(rowBound, largestNorm(columns, intercept));
  }

  /**
   * Returns the row bound to use for a requested one, as {@link #usefulBound(double, List,
   * double)}.
   *
   * @param largest the largest norm that a row can have
   */
  public static double usefulBound(double rowBound, double largest) {
    if (rowBound > ROUNDED_UP * largest) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rowBound must be at most %.4f, the largest norm that a row of these columns can"
                  + " have: a larger one adds noise and changes no row; leave it out, and it is"
                  + " planned. Provided value: %s",
              largest,
              rowBound));
    }
    return Math.min(rowBound, largest);
  }

  /** The columns in their order, immutable. */
  public List<Column> columns() {
    return columns;
  }

  /** The constant at index 0 of every row, in the encoded scale, before it is put on the grid. */
  public double intercept() {
    return intercept;
  }

  /** The l2 norm B that no encoded row exceeds. */
  public double rowBound() {
    return rowBound;
  }

  /** The columns that are clipped apart from the others, and their bound. */
  public ResponseBound responses() {
    return responses;
  }

  /** What to do with missing fields. */
  public MissingValues missing() {
    return missing;
  }

  /** The fixed-point grid of the encoded rows. */
  public Grid grid() {
    return grid;
  }

  /** D: the number of encoded columns, the intercept included. */
  public int dimension() {
    return encodedColumns.names().size();
  }

  /**
   * Whether rows are mostly 0, so that cells of what may differ from 0 are faster to add up than
   * all entries: one for the intercept and one for each column.
   */
  public boolean isWide() {
    return dimension() >= CELLS_IN_WIDE_ROWS * (1 + columns.size());
  }

  /** The names of the encoded columns, {@link #INTERCEPT} first; immutable. */
  public List<String> encodedNames() {
    return encodedColumns.names();
  }

  /**
   * Returns the index of an encoded column.
   *
   * @throws IllegalArgumentException if there is none of that name; the message names the encoded
   *     columns of a column with categories, else those that there are and the nearest
   */
  public int encodedIndex(String name) {
    return encodedIndex("column", name);
  }

  /**
   * Returns the index of an encoded column.
   *
   * @param what the kind of the name, for the message
   * @throws IllegalArgumentException as {@link #encodedIndex(String)}
   */
  public int encodedIndex(String what, String name) {
    return encodedColumns.index(what, name);
  }

  /**
   * Returns the indexes of the encoded columns of a name: of one of them, or of all that a column
   * with categories has.
   *
   * @param what the kind of the name, for the message
   * @throws IllegalArgumentException if there is none of that name; the message names those that
   *     there are and the nearest
   */
  public List<Integer> encodedIndexes(String what, String name) {
    return encodedIndexes(what, name, Optional.empty());
  }

  /**
   * Returns the indexes of the encoded columns of a name, as {@link #encodedIndexes(String,
   * String)}.
   *
   * @param other a name that is not meant, and that the message neither lists nor suggests
   * @throws IllegalArgumentException as there
   */
  public List<Integer> encodedIndexes(String what, String name, Optional<String> other) {
    return encodedColumns.indexes(what, name, other);
  }

  /** Returns the index of the first encoded column of column {@code column}, counted from 0. */
  public int offset(int column) {
    return encodedColumns.offset(column);
  }

  /** The distinct fields that are read, in the order of the columns; immutable. */
  public List<String> fields() {
    return fields.names();
  }

  /**
   * Returns the index of a field in {@link #fields()}, or -1 if no column reads it. Constant time,
   * allocates nothing.
   */
  public int fieldIndex(String field) {
    return fields.index(field);
  }

  /** Returns true if a column that reads the field names this text: see {@link Column#lists}. */
  public boolean lists(int field, String text) {
    String source = fields.names().get(field);
    return columns.stream()
        .anyMatch(column -> column.source().equals(source) && column.lists(text));
  }

  /** Returns true if the field must be a number, false if it must be a text. */
  public boolean numericField(int field) {
    return fields.numeric(field);
  }

  /**
   * The lower end of the public range of an encoded column, in the user's units; 1 for the
   * intercept.
   */
  public double lower(int encoded) {
    return encoded == 0 ? 1.0 : encodedColumns.column(encoded).lower();
  }

  /**
   * The upper end of the public range of an encoded column, in the user's units; 1 for the
   * intercept.
   */
  public double upper(int encoded) {
    return encoded == 0 ? 1.0 : encodedColumns.column(encoded).upper();
  }

  /**
   * The user's value that is encoded as 0: the typical one, the middle of the range if none is
   * given; 0 for the intercept and for categories.
   */
  public double mid(int encoded) {
    boolean oneHot = encoded == 0 || encodedColumns.column(encoded).isOneHot();
    return oneHot ? 0.0 : encodedColumns.column(encoded).typical();
  }

  /**
   * How much the user's value grows when the encoded one grows by 1: the distance of the typical
   * value from the farther end of the range, or 1 for categories, over the column's factor. For the
   * intercept it is one over the constant that a row contains, which is {@link #intercept()}
   * rounded toward zero to the grid.
   */
  public double half(int encoded) {
    if (encoded == 0) {
      return 1.0 / (Math.floor(intercept / grid.step()) * grid.step());
    }
    boolean oneHot = encodedColumns.column(encoded).isOneHot();
    double half = oneHot ? 1.0 : ColumnScale.half(encodedColumns.column(encoded));
    return half / factors.get(encodedColumns.columnOf(encoded));
  }

  /**
   * The largest magnitude of an encoded column before rows are clipped, its factor: that of the end
   * of the range that is farther from the typical value. 0 for the intercept, which has none.
   */
  public double reach(int encoded) {
    return encoded == 0 ? 0.0 : factors.get(encodedColumns.columnOf(encoded));
  }

  /** A value of the user's, encoded; O(1). */
  public double encoded(int encoded, double value) {
    return (value - mid(encoded)) / half(encoded);
  }

  private static void checkColumns(List<? extends Column> columns) {
    Checks.within("columns", columns.size(), 1, Dimensions.MOST_CELLS - 1);
    long dimension = 1 + columns.stream().mapToLong(Column::width).sum();
    Checks.within("encoded columns with the intercept", dimension, 2, Dimensions.MOST);
    Map<String, Integer> seen = new HashMap<>();
    for (Column column : columns) {
      if (seen.put(column.name(), 1) != null) {
        throw new IllegalArgumentException(
            "names of columns must be unique. Provided value: " + column.name() + " twice");
      }
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowSchema that && form().equals(that.form());
  }

  @Override
  public int hashCode() {
    return form().hashCode();
  }

  @Override
  public String toString() {
    return form().toString();
  }

  private Form form() {
    return new Form(columns, intercept, rowBound, missing, responses, factors);
  }

  private Object writeReplace() {
    return form();
  }

  /** The serialized form: only the arguments, which are checked again when they are read. */
  private record Form(
      List<Column> columns,
      double intercept,
      double rowBound,
      MissingValues missing,
      ResponseBound responses,
      List<Double> factors)
      implements Serializable {
    private Object readResolve() {
      return of(columns, intercept, rowBound, missing)
          .withFactors(factors)
          .withResponses(responses);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "RowSchema[columns=%s, intercept=%s, rowBound=%s, missing=%s, responses=%s, factors=%s]",
          columns,
          intercept,
          rowBound,
          missing,
          responses,
          factors);
    }
  }
}

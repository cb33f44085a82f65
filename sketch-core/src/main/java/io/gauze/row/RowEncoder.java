package io.gauze.row;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Turns the fields of a record into an encoded row on the grid, of l2 norm at most the row bound.
 *
 * <p>For each record: {@link #begin()}, one call for each field, {@link #encode}, or {@link
 * #accept} to encode it in a batch. Of a field given twice the last value counts, but each must be
 * acceptable. A number is clamped to its column's range and scaled, {@code z = (2 (c - lower)) /
 * (upper - lower) - 1}; so is a rank; an indicator is -1 or 1; categories are one-hot. The row,
 * intercept first, is then clipped to the row bound, rounded toward zero to the grid, and its
 * integer norm checked, unless no row can be longer than the bound; all in IEEE operations of a
 * fixed order: the same record gives the same integers on every machine, so that its deletion
 * cancels.
 *
 * <p>One instance a thread. A row that is accepted allocates nothing; it takes O(D) time.
 */
public final class RowEncoder {
  private final RowSchema schema;
  private final ColumnSlot[] slots;
  private final Numbers numbers;
  private final ColumnSlot.Text[] texts;
  private final ColumnSlot[][] slotsOfField;
  private final Scaling scaling;
  private final NormBound norm;
  private final double[] row;
  private final double constant;
  private boolean rejected;
  private boolean accepted; // as it is now
  private long rows;
  private long clipped;

  /** An encoder of rows of this schema. */
  public RowEncoder(RowSchema schema) {
    this.schema = schema;
    int columns = schema.columns().size();
    int[] numeric =
        IntStream.range(0, columns).filter(c -> schema.columns().get(c).numeric()).toArray();
    numbers =
        new Numbers(
            IntStream.of(numeric).mapToObj(schema.columns()::get).toList(),
            IntStream.of(numeric).map(schema::offset).toArray());
    slots = new ColumnSlot[columns];
    List<List<ColumnSlot>> byField = new ArrayList<>();
    schema.fields().forEach(field -> byField.add(new ArrayList<>()));
    for (int c = 0; c < columns; c++) {
      Column column = schema.columns().get(c);
      int index = Arrays.binarySearch(numeric, c);
      slots[c] =
          index >= 0
              ? new ColumnSlot.Numeric(column, numbers, index)
              : new ColumnSlot.Text(column, schema.offset(c));
      byField.get(schema.fieldIndex(column.source())).add(slots[c]);
    }
    texts =
        Stream.of(slots).filter(ColumnSlot.Text.class::isInstance).toArray(ColumnSlot.Text[]::new);
    slotsOfField =
        byField.stream().map(l -> l.toArray(new ColumnSlot[0])).toArray(ColumnSlot[][]::new);
    norm =
        new NormBound(
            schema.dimension(),
            schema.rowBound(),
            RowSchema.largestNorm(schema.columns(), schema.intercept()),
            schema.grid());
    scaling = new Scaling(schema);
    row = new double[schema.dimension()];
    constant = Math.floor(schema.intercept() / schema.grid().step()) * schema.grid().step();
  }

  /** Forgets the previous record. */
  public void begin() {
    rejected = false;
    accepted = false;
    numbers.clear();
    for (ColumnSlot.Text text : texts) {
      text.clear();
    }
  }

  /**
   * The current record has a number in a field.
   *
   * @param field index in {@link RowSchema#fields()}
   * @param value any double
   * @throws RowRejectedException if it is not finite or the field must be a text; the record is
   *     then lost
   */
  public void number(int field, double value) throws RowRejectedException {
    accepted = false;
    for (ColumnSlot slot : slotsOfField[field]) {
      if (!slot.number(value)) {
        throw reject(slot, slot.column.numeric() ? "not a finite number" : "got a number");
      }
    }
  }

  /**
   * The current record has a text in a field. The literal of a number is a text, too, if the field
   * must be one.
   *
   * @param field index in {@link RowSchema#fields()}
   * @param value any text
   * @throws RowRejectedException if the field must be a number, or the text is not a known category
   *     or rank; the record is then lost
   */
  public void text(int field, String value) throws RowRejectedException {
    accepted = false;
    for (ColumnSlot slot : slotsOfField[field]) {
      if (!slot.text(value)) {
        throw reject(slot, slot.column.numeric() ? "got a text" : "unknown text");
      }
    }
  }

  /** The current record has a null in a field, which is as if the field were not there. */
  public void missing(int field) {
    accepted = false;
    for (ColumnSlot slot : slotsOfField[field]) {
      slot.clear();
    }
  }

  /**
   * Encodes the current record.
   *
   * @param out receives D entries in grid steps, with a squared norm of at most {@code floor((B *
   *     2^g)^2)}
   * @throws RowRejectedException if a field is missing and the schema rejects that
   * @throws IllegalStateException if a field of the current record was rejected
   * @throws IllegalArgumentException if {@code out} is not of the schema's dimension
   */
  public void encode(EncodedRow out) throws RowRejectedException {
    if (out.dimension() != row.length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "out must have dimension %d. Provided value: %d",
              row.length,
              out.dimension()));
    }
    accept();
    write(row, 0);
    encode(row, 1, out.values(), 0);
  }

  /**
   * Accepts the current record, which a {@link RecordBatch} of this encoder can then take once, to
   * encode it with others.
   *
   * @throws RowRejectedException if a field is missing and the schema rejects that
   * @throws IllegalStateException if a field of the current record was rejected
   */
  public void accept() throws RowRejectedException {
    if (rejected) {
      throw new IllegalStateException("a record with a rejected field is lost; call begin first");
    }
    boolean complete = true;
    for (ColumnSlot.Text text : texts) {
      complete &= text.isPresent();
    }
    if (!(numbers.allWithin() && complete)) {
      if (schema.missing() == MissingValues.REJECT && !(complete && numbers.allPresent())) {
        throw missing();
      }
      numbers.clamp();
    }
    rows++;
    accepted = true;
  }

  /**
   * The current record before clipping and rounding: clamped and scaled, the intercept first, on
   * the grid. For exact, non-private comparisons.
   *
   * @param out receives D values
   * @throws RowRejectedException if a field is missing and the schema rejects that
   * @throws IllegalStateException if a field of the current record was rejected
   */
  public void scale(double[] out) throws RowRejectedException {
    accept();
    write(out, 0);
    scaling.apply(out, row.length);
    for (int i = 0; i < row.length; i++) {
      out[i] = Double.isNaN(out[i]) ? 0.0 : out[i];
    }
    out[0] = constant;
    clipped += norm.isLonger(out) ? 1 : 0;
  }

  /**
   * Writes the accepted record, clamped but not scaled, from {@code at} on: once.
   *
   * @throws IllegalStateException if it is not accepted
   */
  void write(double[] rows, int at) {
    if (!accepted) {
      throw new IllegalStateException("a record must be accepted before it is added; call accept");
    }
    rows[at] = schema.intercept();
    numbers.write(rows, at);
    for (ColumnSlot.Text text : texts) {
      text.write(rows, at);
    }
    accepted = false;
  }

  /** Puts the first {@code count} of some written rows on the grid; they are overwritten. */
  void encode(double[] rows, int count, int[] out, int at) {
    scaling.apply(rows, count * row.length);
    clipped += norm.apply(rows, count, out, at);
  }

  int dimension() {
    return row.length;
  }

  private RowRejectedException missing() {
    ColumnSlot first = Stream.of(slots).filter(slot -> !slot.isPresent()).findFirst().orElseThrow();
    return reject(first, "field " + first.column.source() + " is missing");
  }

  private RowRejectedException reject(ColumnSlot slot, String what) {
    rejected = true;
    return new RowRejectedException(slot.column.name(), what + "; " + slot.allowed());
  }

  /**
   * How many accepted rows had a value outside of a column's range; a private count, for the
   * operator only.
   *
   * @param column index in {@link RowSchema#columns()}
   */
  public long clamped(int column) {
    return slots[column].clamped();
  }

  /**
   * How many encoded or scaled rows were longer than the row bound; a private count, for the
   * operator only.
   */
  public long clipped() {
    return clipped;
  }

  /** What was accepted so far, and what was clamped and clipped; in O(D) time. */
  public RowCounts counts() {
    Map<String, Long> clamped = new LinkedHashMap<>();
    for (ColumnSlot slot : slots) {
      if (slot.column.numeric()) {
        clamped.put(slot.column.name(), slot.clamped());
      }
    }
    return new RowCounts(rows, clamped, clipped);
  }
}

package io.gauze.row;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Encodes the fields of a record as a row on the grid, of l2 norm at most the row bound.
 *
 * <p>For each record call {@link #begin()}, then one method for each field, then {@link #encode},
 * or {@link #accept} to encode the record in a batch. If a field is set twice, the last value
 * counts, but each value must be acceptable. A number is clamped to its column's range and scaled,
 * {@code z = (2 (c - lower)) / (upper - lower) - 1}; so is a rank; an indicator is -1 or 1;
 * categories are one-hot. The row, intercept first, is then clipped to the row bound and rounded
 * toward zero to the grid, and its integer norm is checked, unless no row can be longer than the
 * bound. All operations are IEEE operations in a fixed order: the same record gives the same
 * integers on every machine, so that its deletion cancels.
 *
 * <p>Use one instance per thread. An accepted row allocates nothing and takes O(D) time.
 */
public final class RowEncoder {
  private final RowSchema schema;
  private final ColumnSlot[] slots;
  private final Numbers numbers;
  private final ColumnSlot.Text[] texts;
  private final ColumnSlot[][] slotsOfField;
  private final int[] plain; // the number that a field is and nothing else reads; -1 for others
  private final Form entries;
  private final Form cells;
  private final int[] cellIndexes; // of the first entry of each column
  private final double[] row;
  private final double[] block; // rows that are scaled together
  private final double constant;
  private final long[] missing;
  private boolean rejected;
  private boolean accepted; // whether the current record is accepted, with all fields set so far
  private long rows;
  private long clipped;

  /** Creates an encoder for rows of this schema. */
  public RowEncoder(RowSchema schema) {
    this.schema = schema;
    int columns = schema.columns().size();
    int[] numeric =
        IntStream.range(0, columns).filter(c -> schema.columns().get(c).numeric()).toArray();
    numbers = new Numbers(IntStream.of(numeric).mapToObj(schema.columns()::get).toList());
    entries = new Form(schema, RowLayout.ofEntries(schema), numeric);
    cells = new Form(schema, RowLayout.ofCells(schema), numeric);
    cellIndexes = new int[1 + columns];
    slots = new ColumnSlot[columns];
    Map<String, Long> readers =
        schema.columns().stream()
            .collect(Collectors.groupingBy(Column::source, Collectors.counting()));
    List<List<ColumnSlot>> byField = new ArrayList<>();
    schema.fields().forEach(field -> byField.add(new ArrayList<>()));
    for (int c = 0; c < columns; c++) {
      Column column = schema.columns().get(c);
      int index = Arrays.binarySearch(numeric, c);
      cellIndexes[1 + c] = schema.offset(c);
      slots[c] =
          index >= 0
              ? new ColumnSlot.Numeric(column, numbers, index)
              : new ColumnSlot.Text(
                  column,
                  schema.offset(c),
                  1 + c,
                  schema.factor(c),
                  readers.get(column.source()) == 1);
      byField.get(schema.fieldIndex(column.source())).add(slots[c]);
    }
    texts =
        Stream.of(slots).filter(ColumnSlot.Text.class::isInstance).toArray(ColumnSlot.Text[]::new);
    slotsOfField =
        byField.stream().map(l -> l.toArray(new ColumnSlot[0])).toArray(ColumnSlot[][]::new);
    plain = Stream.of(slotsOfField).mapToInt(RowEncoder::plain).toArray();
    row = new double[schema.dimension()];
    block = new double[Scaling.blockRows(row.length) * row.length];
    missing = new long[columns];
    constant = Math.floor(schema.intercept() / schema.grid().step()) * schema.grid().step();
  }

  /** What turns written records into rows of one layout. */
  private static final class Form {
    final int length;
    final Numbers.Places places;
    final Scaling scaling;
    final NormBound norm;

    Form(RowSchema schema, RowLayout layout, int... numeric) {
      length = layout.length();
      places = new Numbers.Places(IntStream.of(numeric).map(layout::start).toArray());
      scaling = new Scaling(schema, layout);
      norm = NormBound.of(schema, layout);
    }

    /** Returns the number of rows that were longer than the row bound. */
    int encode(double[] rows, int count, int[] out, int at) {
      scaling.apply(rows, count * length);
      return norm.apply(rows, count, out, at);
    }
  }

  private static int plain(ColumnSlot... ofField) {
    return ofField.length == 1 && ofField[0] instanceof ColumnSlot.Numeric slot
        ? slot.plainIndex()
        : -1;
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
   * Sets a field of the current record to a number.
   *
   * @param field index in {@link RowSchema#fields()}
   * @param value any double
   * @throws RowRejectedException if it is not finite or the field must be a text; the record is
   *     then lost
   */
  public void number(int field, double value) throws RowRejectedException {
    accepted = false;
    int index = plain[field];
    if (index >= 0 && Double.isFinite(value)) {
      numbers.put(index, value); // nearly all fields of nearly all records
      return;
    }
    for (ColumnSlot slot : slotsOfField[field]) {
      if (!slot.number(value)) {
        throw reject(slot, slot.column.numeric() ? "not a finite number" : "got a number");
      }
    }
  }

  /**
   * Sets a field of the current record to a text. If the field must be a text, the literal of a
   * number is accepted as one.
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
        throw reject(
            slot, slot.column.numeric() ? "got " + NumberText.kind(value) : "unknown text");
      }
    }
  }

  /**
   * Sets a field of the current record to a boolean, which is the text {@code true} or {@code
   * false}.
   *
   * @param field index in {@link RowSchema#fields()}
   * @throws RowRejectedException if the field must be a number, or the text is not a known category
   *     or rank; the record is then lost
   */
  public void truth(int field, boolean value) throws RowRejectedException {
    accepted = false;
    for (ColumnSlot slot : slotsOfField[field]) {
      if (!slot.text(Boolean.toString(value))) {
        throw reject(slot, slot.column.numeric() ? "got true or false" : "unknown text");
      }
    }
  }

  /** Sets a field of the current record to null, which is equivalent to a missing field. */
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
   * Accepts the current record. A {@link RecordBatch} of this encoder can then take it once, to
   * encode it with others; or {@link #write} can, to scale it with others.
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
        throw incomplete();
      }
      numbers.clamp();
      countMissing();
    }
    rows++;
    accepted = true;
  }

  private void countMissing() {
    for (int c = 0; c < slots.length; c++) {
      missing[c] += slots[c].isPresent() ? 0 : 1;
    }
  }

  /**
   * Returns the current record before clipping and rounding: clamped and scaled, the intercept
   * first, on the grid. For exact, non-private comparisons.
   *
   * @param out receives D values
   * @throws RowRejectedException if a field is missing and the schema rejects that
   * @throws IllegalStateException if a field of the current record was rejected
   */
  public void scale(double[] out) throws RowRejectedException {
    accept();
    write(out, 0);
    scale(out, 1);
    clipped += entries.norm.isLonger(out) ? 1 : 0;
  }

  /**
   * Writes the accepted record, clamped but not scaled, from {@code at} on. A record can be written
   * once.
   *
   * @param rows receives D values, which are nothing before they are scaled with others
   * @throws IllegalStateException if the record is not accepted
   */
  public void write(double[] rows, int at) {
    take();
    rows[at] = schema.intercept();
    numbers.write(rows, at, entries.places);
    for (ColumnSlot.Text text : texts) {
      text.write(rows, at);
    }
  }

  private void take() {
    if (!accepted) {
      throw new IllegalStateException("a record must be accepted before it is added; call accept");
    }
    accepted = false;
  }

  /**
   * Writes the accepted record, clamped but not scaled, as cells. A record can be written once.
   *
   * @param values receives {@link #cells} values from {@code at} on
   * @param indexes receives the index of each among the entries of the row, rising, from {@code
   *     indexAt} on
   */
  void writeCells(double[] values, int at, int[] indexes, int indexAt) {
    take();
    System.arraycopy(cellIndexes, 0, indexes, indexAt, cellIndexes.length);
    values[at] = schema.intercept();
    numbers.write(values, at, cells.places);
    for (ColumnSlot.Text text : texts) {
      text.writeCell(values, at, indexes, indexAt);
    }
  }

  /**
   * Scales written records, as {@link #scale(double[])} does with one, but counts none that is
   * longer than the row bound.
   *
   * @param rows the records, one after the other
   * @param count their number
   */
  public void scale(double[] rows, int count) {
    int length = count * row.length;
    for (int from = 0; from < length; from += block.length) {
      int part = Math.min(block.length, length - from);
      // a loop over a part of an array is not turned into vector instructions
      System.arraycopy(rows, from, block, 0, part);
      entries.scaling.apply(block, part);
      for (int i = 0; i < part; i++) {
        rows[from + i] = Double.isNaN(block[i]) ? 0.0 : block[i];
      }
    }
    for (int from = 0; from < length; from += row.length) {
      rows[from] = constant;
    }
  }

  /** Puts the first {@code count} written rows on the grid; overwrites {@code rows}. */
  void encode(double[] rows, int count, int[] out, int at) {
    clipped += entries.encode(rows, count, out, at);
  }

  /**
   * Puts the first {@code count} records that are written as cells on the grid, as {@link
   * #encode(double[], int, int[], int)} does with all entries, to the last bit; overwrites {@code
   * values}.
   */
  void encodeCells(double[] values, int count, int[] out, int at) {
    clipped += cells.encode(values, count, out, at);
  }

  /** The cells of a row: one for the intercept and one for each column. */
  int cells() {
    return cells.length;
  }

  /** Returns the number of entries of a row, D. */
  public int dimension() {
    return row.length;
  }

  private RowRejectedException incomplete() {
    ColumnSlot first = Stream.of(slots).filter(slot -> !slot.isPresent()).findFirst().orElseThrow();
    return reject(first, "field " + first.column.source() + " is missing");
  }

  private RowRejectedException reject(ColumnSlot slot, String what) {
    rejected = true;
    return new RowRejectedException(slot.column.name(), what + "; " + slot.allowed());
  }

  /**
   * The number of accepted rows with a value outside of a column's range; a private count, for the
   * operator only.
   *
   * @param column index in {@link RowSchema#columns()}
   */
  public long clamped(int column) {
    return slots[column].clamped();
  }

  /**
   * The number of accepted rows without a value in a column; a private count, for the operator
   * only.
   *
   * @param column index in {@link RowSchema#columns()}
   */
  public long withoutValue(int column) {
    return missing[column];
  }

  /**
   * The number of encoded or scaled rows that were longer than the row bound; a private count, for
   * the operator only.
   */
  public long clipped() {
    return clipped;
  }

  /**
   * Returns the counts of rows that were accepted, clamped, without a value and clipped so far, in
   * O(D) time.
   */
  public RowCounts counts() {
    Map<String, Long> clamped = new LinkedHashMap<>();
    Map<String, Long> without = new LinkedHashMap<>();
    for (int c = 0; c < slots.length; c++) {
      Column column = slots[c].column;
      if (column.numeric()) {
        clamped.put(column.name(), slots[c].clamped());
      }
      without.put(column.name(), missing[c]);
    }
    return new RowCounts(rows, clamped, without, clipped);
  }
}

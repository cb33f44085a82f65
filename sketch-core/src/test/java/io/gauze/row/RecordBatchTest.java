package io.gauze.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.gauze.Allocation;
import io.gauze.testing.Effort;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that are encoded together in a batch are those that are encoded one by one. */
class RecordBatchTest {
  private static final Map<String, List<String>> TEXTS =
      Map.of(
          "cut", List.of("Fair", "Good", "Ideal"),
          "sex", List.of("Female", "Male", ""),
          "region", List.of("north", "south", "east"),
          "shop", List.of("0", "7", "none of them"),
          "place", List.of("0", "1", "29"));

  private final RowTag tag = new RowTag();

  private static List<Column> columns(int count) {
    return IntStream.range(0, count)
        .<Column>mapToObj(i -> new NumericColumn("c" + i, "c" + i, -i - 0.3, 1.7 * i + 0.1))
        .toList();
  }

  /** Numeric columns of odd ranges. */
  static RowSchema numbers(int count, double bound) {
    return RowSchema.of(columns(count), 1, bound, MissingValues.MIDPOINT);
  }

  private static double longest(int count) {
    return RowSchema.largestNorm(columns(count), 1);
  }

  /** With the longest row as bound, or more or less than it, and more columns than are scaled. */
  private static Stream<RowSchema> schemas() {
    return Stream.of(
        Schemas.mixed(MissingValues.MIDPOINT),
        Schemas.mixed(1.0, 1.5, MissingValues.MIDPOINT),
        Schemas.mixed(1.0, 250, MissingValues.MIDPOINT),
        numbers(1, longest(1)),
        numbers(11, longest(11)),
        numbers(11, Math.nextDown(longest(11))),
        numbers(11, 2.0),
        numbers(700, longest(700)));
  }

  /** Numbers beyond, at the ends of and within their ranges, missing ones, and texts. */
  private static void record(RowSchema schema, SplittableRandom random, RowEncoder... encoders)
      throws RowRejectedException {
    boolean extreme = random.nextInt(4) == 0;
    for (RowEncoder encoder : encoders) {
      encoder.begin();
    }
    for (int field = 0; field < schema.fields().size(); field++) {
      int kind = random.nextInt(10);
      double part = extreme ? random.nextInt(2) : 1.4 * random.nextDouble() - 0.2;
      for (RowEncoder encoder : encoders) {
        if (kind == 0 && !extreme) {
          encoder.missing(field);
        } else if (schema.numericField(field)) {
          encoder.number(field, number(schema, field, part));
        } else {
          encoder.text(field, TEXTS.get(schema.fields().get(field)).get(kind % 3));
        }
      }
    }
  }

  private static double number(RowSchema schema, int field, double part) {
    Column column =
        schema.columns().stream()
            .filter(c -> c.source().equals(schema.fields().get(field)))
            .findFirst()
            .orElseThrow();
    return part == 1 ? column.upper() : column.lower() + part * (column.upper() - column.lower());
  }

  /** Whatever waits beside them, and whoever asks when; none is longer than the bound. */
  @ParameterizedTest
  @MethodSource("schemas")
  void togetherAsOneByOne(RowSchema schema) throws RowRejectedException {
    Effort.skipIfLong(schema.dimension() > 100);
    RowEncoder together = new RowEncoder(schema);
    RowEncoder alone = new RowEncoder(schema);
    RecordBatch batch = RecordBatch.ofTags(together, 300);
    RowBatch expected = new RowBatch(schema.dimension(), 300);
    EncodedRow row = new EncodedRow(schema.dimension());
    SplittableRandom random = new SplittableRandom(7);
    for (int k = 0; k < 600; k++) {
      if (batch.isFull()) {
        assertSame(batch, expected);
        batch.clear();
        expected.clear();
      }
      record(schema, random, together, alone);
      tag.set(k, -k);
      int sign = 1 - 2 * random.nextInt(2);
      together.accept();
      alone.encode(row);
      if (random.nextInt(20) == 0) {
        together.encode(row);
        batch.add(tag, row, sign);
      } else {
        batch.add(tag, sign);
      }
      expected.add(tag, row, sign);
      if (random.nextInt(50) == 0) {
        assertThat(batch.encode().values()).startsWith(expected.values());
      }
      assertNotLonger(row, schema);
    }
    assertSame(batch, expected);
    for (int c = 0; c < schema.columns().size(); c++) {
      assertThat(together.clamped(c)).isEqualTo(alone.clamped(c));
    }
    assertThat(together.clipped()).isEqualTo(alone.clipped());
  }

  private static final List<String> SHOPS =
      IntStream.range(0, 200).mapToObj(Integer::toString).toList();

  /** Columns of many categories among others of all kinds. */
  private static List<Column> wide() {
    return Stream.concat(
            Stream.of(
                new CategoryColumn("shop", "shop", SHOPS, true),
                new NumericColumn("amount", "amount", -1, 7, 0),
                new CategoryColumn("place", "place", SHOPS.subList(0, 30))),
            Schemas.MIXED.stream())
        .toList();
  }

  /** With bounds that shorten no row, some or most, also of responses, and with smaller columns. */
  private static Stream<RowSchema> wideSchemas() {
    RowSchema longest = RowSchema.of(wide(), 1.0, 3.2, MissingValues.MIDPOINT);
    List<Double> factors = List.of(1.0, 0.3, 0.7, 1.0, 0.5, 0.25, 1.0, 0.1, 1.0);
    return Stream.of(
        longest,
        RowSchema.of(wide(), 1.0, 1.5, MissingValues.MIDPOINT),
        RowSchema.of(wide(), 1.0, 2.2, MissingValues.MIDPOINT).withFactors(factors),
        longest.withResponses(new ResponseBound(List.of("price"), 0.5)),
        RowSchema.of(wide(), 1.0, 2.2, MissingValues.MIDPOINT)
            .withFactors(factors)
            .withResponses(new ResponseBound(List.of("place", "amount"), 0.4)));
  }

  private static void wideRecord(RowSchema schema, SplittableRandom random, RowEncoder... encoders)
      throws RowRejectedException {
    record(schema, random, encoders);
    int kind = random.nextInt(20);
    String shop = Integer.toString(random.nextInt(kind == 0 ? 1000 : 200)); // some are not listed
    String place = Integer.toString(random.nextInt(30));
    for (RowEncoder encoder : encoders) {
      if (kind != 1) {
        encoder.text(schema.fieldIndex("shop"), shop);
      }
      encoder.text(schema.fieldIndex("place"), place);
    }
  }

  /** Cell by cell the entries of the rows, and which of them are longer than the bound. */
  @ParameterizedTest
  @MethodSource("wideSchemas")
  void aSparseBatchHasTheRowsOfADenseOne(RowSchema schema) throws RowRejectedException {
    assertThat(schema.isWide()).isTrue();
    RowEncoder sparse = new RowEncoder(schema);
    RowEncoder dense = new RowEncoder(schema);
    RecordBatch cells = RecordBatch.ofTags(sparse, true, 400);
    RecordBatch entries = RecordBatch.ofTags(dense, 400);
    EncodedRow row = new EncodedRow(schema.dimension());
    SplittableRandom random = new SplittableRandom(10);
    for (int k = 0; k < 2000; k++) {
      if (cells.isFull()) {
        assertSameEntries(cells.encode(), entries.encode());
        cells.clear();
        entries.clear();
      }
      wideRecord(schema, random, sparse, dense);
      tag.set(k, -k);
      int sign = 1 - 2 * random.nextInt(2);
      dense.accept();
      entries.add(tag, sign);
      if (random.nextInt(20) == 0) {
        sparse.encode(row);
        cells.add(tag, row, sign);
      } else {
        sparse.accept();
        cells.add(tag, sign);
      }
    }
    assertSameEntries(cells.encode(), entries.encode());
    assertThat(sparse.counts()).isEqualTo(dense.counts());
    assertThat(sparse.clipped() > 0).isEqualTo(schema.shortens());
  }

  private static void assertSameEntries(RowBatch cells, RowBatch entries) {
    assertThat(cells.isSparse()).isTrue();
    assertThat(cells.size()).isEqualTo(entries.size());
    int dimension = entries.dimension();
    int[] expanded = new int[entries.values().length];
    for (int i = 0; i < cells.size() * cells.width(); i++) {
      boolean isFirst = i % cells.width() == 0;
      assertThat(isFirst || cells.indexes()[i] >= cells.indexes()[i - 1]).isTrue();
      expanded[i / cells.width() * dimension + cells.indexes()[i]] += cells.values()[i];
    }
    int used = entries.size() * dimension;
    assertThat(Arrays.copyOf(expanded, used)).isEqualTo(Arrays.copyOf(entries.values(), used));
    assertThat(cells.firstTags()).isEqualTo(entries.firstTags());
    assertThat(cells.secondTags()).isEqualTo(entries.secondTags());
    assertThat(cells.signs()).isEqualTo(entries.signs());
    for (int index : new int[] {0, 1, 199, dimension - 1}) {
      assertThat(cells.entry(0, index)).isEqualTo(entries.values()[index]);
    }
  }

  /** A row of another kind, which has more entries than there are columns. */
  @Test
  void aSparseBatchRefusesARowOfMoreCells() {
    RowBatch batch = RowBatch.sparse(5, 2, 1);
    EncodedRow row = new EncodedRow(5);
    row.values()[1] = 1;
    row.values()[2] = 2;
    row.values()[4] = 3;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> batch.add(tag, row, 1))
        .withMessage("row must have at most 2 entries that differ from 0. Provided value: more");
    row.values()[2] = 0;
    batch.add(tag, row, 1);
    assertThat(batch.entry(0, 4)).isEqualTo(3);
  }

  private static void assertNotLonger(EncodedRow row, RowSchema schema) {
    long square = 0;
    for (int entry : row.values()) {
      square += (long) entry * entry;
    }
    NormBound bound = new NormBound(1, schema.rowBound(), Double.MAX_VALUE, schema.grid());
    assertThat(square).isLessThanOrEqualTo(bound.largestSquare());
  }

  private static void assertSame(RecordBatch records, RowBatch expected) {
    RowBatch batch = records.encode();
    assertThat(batch.size()).isEqualTo(expected.size());
    assertThat(batch.values()).isEqualTo(expected.values());
    assertThat(batch.firstTags()).isEqualTo(expected.firstTags());
    assertThat(batch.secondTags()).isEqualTo(expected.secondTags());
    assertThat(batch.signs()).isEqualTo(expected.signs());
  }

  @Test
  void rowsThatAreClippedAreCountedWhenTheyAreEncoded() throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(numbers(2, 1.25));
    RecordBatch batch = RecordBatch.ofTags(encoder, 10);
    for (int k = 0; k < 3; k++) {
      encoder.begin();
      encoder.number(0, 100);
      encoder.number(1, 100);
      encoder.accept();
      batch.add(tag, 1);
    }
    assertThat(encoder.clipped()).isZero();
    assertThat(batch.encode().values()[0]).isPositive();
    assertThat(encoder.clipped()).isEqualTo(3);
    assertThat(encoder.clamped(0)).isEqualTo(3);
  }

  /** Else a number could be added that was never clamped. */
  @Test
  void onlyAnAcceptedRecordIsAdded() throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(numbers(2, 2.0));
    RecordBatch batch = RecordBatch.ofTags(encoder, 10);
    encoder.begin();
    encoder.number(0, 100);
    refused(batch);
    encoder.accept();
    encoder.number(1, 1e9);
    refused(batch);
    encoder.accept();
    encoder.missing(0);
    refused(batch);
    encoder.accept();
    assertThatExceptionOfType(RowRejectedException.class)
        .isThrownBy(() -> encoder.number(1, Double.NaN));
    refused(batch);
    encoder.begin();
    encoder.accept();
    assertThatExceptionOfType(RowRejectedException.class).isThrownBy(() -> encoder.text(1, "one"));
    refused(batch);
    encoder.begin();
    encoder.accept();
    encoder.begin();
    refused(batch);
    assertThat(batch.encode().size()).isZero();
    encoder.accept();
    batch.add(tag, 1);
    refused(batch); // a second time
    assertThat(batch.encode().size()).isOne();
    RowEncoder texts = new RowEncoder(Schemas.mixed(MissingValues.MIDPOINT));
    texts.begin();
    texts.accept();
    texts.text(2, "Male");
    refused(RecordBatch.ofTags(texts, 10));
  }

  private void refused(RecordBatch batch) {
    assertThatIllegalStateException()
        .isThrownBy(() -> batch.add(tag, 1))
        .withMessage("a record must be accepted before it is added; call accept");
  }

  @Test
  void aRecordWithoutAFieldIsNotAccepted() {
    RowEncoder encoder = new RowEncoder(Schemas.mixed(MissingValues.REJECT));
    encoder.begin();
    assertThatExceptionOfType(RowRejectedException.class)
        .isThrownBy(encoder::accept)
        .withMessageContaining("field alcohol is missing");
    refused(RecordBatch.ofTags(encoder, 10));
  }

  @Test
  void positionsBecomeTags() throws RowRejectedException {
    RowSchema schema = numbers(2, 2.0);
    RowEncoder encoder = new RowEncoder(schema);
    SplittableRandom random = new SplittableRandom(8);
    RowHasher hasher = RowHasher.create(random::nextLong);
    RecordBatch batch = RecordBatch.ofPositions(encoder, hasher.ofBatches(), 600);
    RowBatch expected = new RowBatch(3, 600);
    EncodedRow row = new EncodedRow(3);
    for (int k = 0; k < 600; k++) {
      record(schema, random, encoder);
      encoder.encode(row);
      hasher.tag(k % 7, k, tag);
      expected.add(tag, row, 1);
      if (k % 5 == 0) {
        batch.addAt(k % 7, k, row);
      } else {
        encoder.accept();
        batch.addAt(k % 7, k);
      }
      if (k % 150 == 0) {
        batch.encode(); // a tag must not be tagged again
      }
    }
    assertSame(batch, expected);
  }

  @Test
  void aBatchIsOfTagsOrOfPositions() throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(numbers(2, 2.0));
    encoder.begin();
    encoder.accept();
    RowHasher hasher = RowHasher.create(new SplittableRandom(9)::nextLong);
    EncodedRow row = new EncodedRow(3);
    RecordBatch tags = RecordBatch.ofTags(encoder, 10);
    RecordBatch positions = RecordBatch.ofPositions(encoder, hasher.ofBatches(), 10);
    for (ThrowingCallable add :
        List.<ThrowingCallable>of(() -> tags.addAt(0, 1), () -> tags.addAt(0, 1, row))) {
      assertThatIllegalStateException().isThrownBy(add).withMessageContaining("is of tags");
    }
    for (ThrowingCallable add :
        List.<ThrowingCallable>of(() -> positions.add(tag, 1), () -> positions.add(tag, row, 1))) {
      assertThatIllegalStateException().isThrownBy(add).withMessageContaining("is of positions");
    }
  }

  @Test
  void aFullBatchTakesNoMore() throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(numbers(2, 2.0));
    RecordBatch batch = RecordBatch.ofTags(encoder, 1);
    encoder.begin();
    encoder.accept();
    batch.add(tag, -1);
    assertThatIllegalStateException()
        .isThrownBy(() -> batch.add(tag, 1))
        .withMessage("batch must have at most 1 updates; clear it first");
  }

  @Test
  void nothingIsAllocated() throws Exception {
    RowSchema schema = numbers(11, longest(11));
    RowEncoder encoder = new RowEncoder(schema);
    RecordBatch batch = RecordBatch.ofTags(encoder, 1000);
    long taken = Long.MAX_VALUE;
    for (int again = 0; again < 20; again++) {
      taken =
          Math.min(
              taken,
              Allocation.of(
                  () -> {
                    batch.clear();
                    for (int k = 0; k < 1000; k++) {
                      encoder.begin();
                      encoder.number(k % 11, k);
                      encoder.accept();
                      batch.add(tag, 1);
                    }
                    batch.encode();
                  }));
    }
    assertThat(taken).isLessThan(1000); // not one byte a row
  }

  /** Up to the headers of objects and arrays. */
  @Test
  void theMemoryOfASparseBatchIsWhatItSays() throws Exception {
    RowEncoder encoder = new RowEncoder(RowSchema.of(wide(), 1.0));
    long taken = Long.MAX_VALUE;
    for (int again = 0; again < 5; again++) { // as below
      taken = Math.min(taken, Allocation.of(() -> RecordBatch.ofTags(encoder, true, 10_000)));
    }
    assertThat(taken - RecordBatch.sparseBytes(wide().size(), 10_000)).isBetween(0L, 4_000L);
  }

  /** Up to the headers of objects and arrays. */
  @Test
  void itsMemoryIsWhatItSays() throws Exception {
    RowEncoder encoder = new RowEncoder(numbers(6, 2.0));
    long taken = Long.MAX_VALUE;
    for (int again = 0; again < 5; again++) { // classes are loaded, reflection has warmed up
      taken = Math.min(taken, Allocation.of(() -> RecordBatch.ofTags(encoder, 10_000)));
    }
    assertThat(taken - RecordBatch.memoryBytes(7, 10_000)).isBetween(0L, 4_000L);
  }
}

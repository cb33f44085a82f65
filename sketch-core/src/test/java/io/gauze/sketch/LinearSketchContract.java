package io.gauze.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.Allocation;
import io.gauze.accounting.Neighbours;
import io.gauze.row.RowBatch;
import io.gauze.row.RowTag;
import io.gauze.sketch.Updates.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The laws of every linear sketch; rows have {@link #DIMENSION} entries. */
abstract class LinearSketchContract<S extends LinearSketch<S>> {
  static final int DIMENSION = 5;

  private final List<Update> updates = Updates.random(300, DIMENSION, 11);

  /** An empty sketch, each time of the same spec. */
  abstract S create();

  /** Empty sketches of the same family that must not be merged with {@link #create}. */
  abstract List<S> incompatible();

  /** Reads bytes of this family. */
  abstract S fromBytes(byte[] bytes);

  /** Some bytes of another family. */
  abstract byte[] bytesOfAnotherFamily();

  /** The state after these updates, computed in another way. */
  abstract long[] naive(List<Update> updates);

  private S sketch(List<Update> all) {
    S sketch = create();
    all.forEach(update -> update.to(sketch));
    return sketch;
  }

  @Test
  void startsEmptyInTheShapeOfItsSpec() {
    assertThat(create().state()).containsOnly(0L).hasSize(create().spec().stateLength());
    assertThat(create().spec().dimension()).isEqualTo(DIMENSION);
    assertThat(create().spec().zero()).isEqualTo(create());
    assertThat(create().spec().memoryBytes()).isEqualTo(8L * create().state().length);
  }

  @Test
  void stateIsTheSumOverTheUpdates() {
    assertThat(sketch(updates).state()).isEqualTo(naive(updates));
  }

  /** Sizes on both sides of where the ways of adding a batch change. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 31, 33, 47, 48, 49, 257, 513, 1024, 1025, 3000})
  void aBatchIsItsRowsOneByOne(int size) {
    List<Update> many = Updates.random(size, DIMENSION, size);
    S sketch = create();
    sketch.add(Updates.batch(many, DIMENSION));
    assertThat(sketch).isEqualTo(sketch(many));
    RowBatch deletions = Updates.batch(many.stream().map(Update::undone).toList(), DIMENSION);
    sketch.add(deletions);
    assertThat(sketch).isEqualTo(create());
    sketch.add(deletions);
    sketch.add(Updates.batch(many, DIMENSION));
    assertThat(sketch).isEqualTo(create());
  }

  /** Rows of at most three entries that differ from 0, in batches of three cells. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 9, 513, 1025})
  void aSparseBatchIsItsRowsOneByOne(int size) {
    List<Update> many = Updates.random(size, DIMENSION, size);
    Random random = new Random(size);
    RowBatch batch = RowBatch.sparse(DIMENSION, 3, Math.max(1, size));
    for (Update update : many) {
      update.row.values()[random.nextInt(DIMENSION)] = 0;
      IntStream.range(0, DIMENSION)
          .filter(i -> Arrays.stream(update.row.values()).filter(x -> x != 0).count() > 3)
          .forEach(i -> update.row.values()[i] = 0);
      batch.add(update.tag, update.row, update.sign);
    }
    S sketch = create();
    sketch.add(batch);
    assertThat(sketch).isEqualTo(sketch(many));
    sketch.add(batch);
    many.forEach(update -> update.undone().to(sketch));
    assertThat(sketch).isEqualTo(sketch(many));
  }

  /** All but what a new sketch has already; up to the headers of objects and arrays. */
  @ParameterizedTest
  @ValueSource(ints = {1024, 3000})
  void aBatchTakesTheWorkingMemoryThatTheSpecSays(int size) throws Exception {
    RowBatch batch = Updates.batch(positive(size), DIMENSION);
    long said = create().spec().batchBytes(size);
    long taken = Long.MAX_VALUE;
    for (int again = 0; again < 5; again++) { // classes are loaded, reflection has warmed up
      S sketch = create();
      taken = Math.min(taken, Allocation.of(() -> sketch.add(batch)));
    }
    assertThat(taken).isBetween(said * 9 / 10, said + 4_000);
  }

  private static List<Update> positive(int size) {
    return Updates.random(size, DIMENSION, 1).stream()
        .map(update -> new Update(update.tag, update.row, 1))
        .toList();
  }

  @Test
  void batchesOfAnotherDimensionAreRefused() {
    S sketch = create();
    RowBatch batch = new RowBatch(DIMENSION + 1, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sketch.add(batch))
        .withMessage("row dimension must be in [5, 5]. Provided value: 6");
  }

  /** No two streams that differ in one row are further apart than the spec says. */
  @ParameterizedTest
  @EnumSource(Neighbours.class)
  void neighboursAreWithinTheSensitivity(Neighbours neighbours) {
    double bound = 0.0;
    for (Update update : updates) {
      bound = Math.max(bound, norm(update.row.values()));
    }
    double sensitivity = create().spec().sensitivity(bound, neighbours);
    double furthest = 0.0;
    for (int i = 0; i + 1 < updates.size(); i++) {
      S sketch = create();
      sketch.add(updates.get(i).tag, updates.get(i).row, 1);
      if (neighbours == Neighbours.REPLACE_ONE) {
        sketch.add(updates.get(i + 1).tag, updates.get(i + 1).row, -1);
      }
      furthest = Math.max(furthest, length(sketch));
    }
    assertThat(furthest).isLessThanOrEqualTo(sensitivity * (1 + 1e-12));
    if (sensitivity < Double.POSITIVE_INFINITY) {
      assertThat(furthest).isGreaterThan(0.5 * sensitivity);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY})
  void theRowBoundMustBePositive(double bound) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> create().spec().sensitivity(bound, Neighbours.ADD_REMOVE))
        .withMessage("rowBound must be > 0 and finite. Provided value: " + bound);
  }

  /** The l2 norm of the state. */
  double length(S sketch) {
    return Math.sqrt(Arrays.stream(sketch.state()).mapToDouble(x -> (double) x * x).sum());
  }

  private static double norm(int[] row) {
    return Math.sqrt(Arrays.stream(row).mapToDouble(x -> (double) x * x).sum());
  }

  @Test
  void anUpdateTwiceCountsTwice() {
    S once = sketch(updates);
    S twice = sketch(updates);
    updates.forEach(update -> update.to(twice));
    assertThat(twice.state()).isEqualTo(Arrays.stream(once.state()).map(x -> 2 * x).toArray());
    once.merge(once);
    assertThat(once).isEqualTo(twice);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 150, 299, 300})
  void mergeIsConcatenation(int cut) {
    S merged = sketch(updates.subList(0, cut));
    merged.merge(sketch(updates.subList(cut, updates.size())));
    assertThat(merged).isEqualTo(sketch(updates)).hasSameHashCodeAs(sketch(updates));
    assertThat(SketchBytes.write(merged)).isEqualTo(SketchBytes.write(sketch(updates)));
  }

  @Test
  void mergeCommutesAndAssociates() {
    S a = sketch(updates.subList(0, 90));
    S b = sketch(updates.subList(90, 200));
    S c = sketch(updates.subList(200, 300));
    S ab = a.copy();
    ab.merge(b);
    S ba = b.copy();
    ba.merge(a);
    assertThat(ab).isEqualTo(ba);
    ab.merge(c);
    S bc = b.copy();
    bc.merge(c);
    S left = a.copy();
    left.merge(bc);
    assertThat(left).isEqualTo(ab);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void anyOrderAndAnySplitGiveTheSameBits(int parts) {
    S whole = sketch(updates);
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<Update> shuffled = new ArrayList<>(updates);
      Collections.shuffle(shuffled, random);
      List<S> sketches = new ArrayList<>();
      for (int p = 0; p < parts; p++) {
        sketches.add(create());
      }
      shuffled.forEach(update -> update.to(sketches.get(random.nextInt(parts))));
      S merged = create();
      sketches.forEach(merged::merge);
      assertThat(merged).isEqualTo(whole);
    }
  }

  @Test
  void aDeletionCancelsItsInsertionToTheLastBit() {
    S sketch = sketch(updates);
    assertThat(sketch).isNotEqualTo(create());
    List<Update> undone = new ArrayList<>(updates.stream().map(Update::undone).toList());
    Collections.shuffle(undone, new Random(12));
    undone.forEach(update -> update.to(sketch));
    assertThat(sketch).isEqualTo(create());
  }

  @Test
  void overflowWrapsAndWrapsBack() {
    S sketch = create();
    Arrays.fill(sketch.state(), Long.MAX_VALUE);
    S before = sketch.copy();
    updates.forEach(update -> update.to(sketch));
    assertThat(Arrays.stream(sketch.state()).anyMatch(x -> x < 0)).isTrue();
    updates.forEach(update -> update.undone().to(sketch));
    assertThat(sketch).isEqualTo(before);
  }

  @Test
  void aCopyIsIndependent() {
    S original = sketch(updates);
    S copy = original.copy();
    assertThat(copy).isEqualTo(original);
    updates.get(0).to(copy);
    assertThat(copy).isNotEqualTo(original);
    assertThat(original).isEqualTo(sketch(updates));
  }

  @Test
  void theStateIsLive() {
    S sketch = sketch(updates);
    sketch.state()[0]++;
    assertThat(sketch).isNotEqualTo(sketch(updates));
  }

  @Test
  void clearEmpties() {
    S sketch = sketch(updates);
    sketch.clear();
    assertThat(sketch).isEqualTo(create());
  }

  @Test
  void otherSpecsAreNotMerged() {
    assertThat(incompatible()).isNotEmpty();
    for (S other : incompatible()) {
      S mine = sketch(updates);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> mine.merge(other))
          .withMessageContaining(mine.spec().toString())
          .withMessageContaining(other.spec().toString());
      assertThat(mine).isEqualTo(sketch(updates)).isNotEqualTo(other);
    }
  }

  @Test
  void onlyRowsOfTheRightLengthAndSignsOfOneAreAdded() {
    S sketch = create();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sketch.add(new RowTag(), Updates.row(1, 2), 1))
        .withMessage("row dimension must be in [5, 5]. Provided value: 2");
    for (int sign : new int[] {0, 2, -2}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sketch.add(new RowTag(), Updates.row(1, 2, 3, 4, 5), sign))
          .withMessage("sign must be 1 or -1. Provided value: " + sign);
    }
    assertThat(sketch).isEqualTo(create());
  }

  @Test
  void bytesRoundTrip() {
    S sketch = sketch(updates);
    assertThat(fromBytes(SketchBytes.write(sketch))).isEqualTo(sketch);
    assertThat(SketchBytes.read(SketchBytes.write(sketch))).isEqualTo(sketch);
    assertThat(fromBytes(SketchBytes.write(create()))).isEqualTo(create());
  }

  @Test
  void unknownVersionsAreRefused() {
    for (int version : new int[] {0, 2, 127}) {
      byte[] bytes = SketchBytes.write(create());
      bytes[4] = (byte) version;
      refused(bytes, "sketch version must be in [1, 1]. Provided value: " + version);
    }
  }

  @Test
  void otherBytesAreRefused() {
    byte[] magic = SketchBytes.write(create());
    magic[0] = 'X';
    refused(magic, "sketch must start with 4b535a47. Provided value: 4b535a58");
    byte[] kind = SketchBytes.write(create());
    kind[5] = 11;
    refused(kind, "sketch kind must be in [1, 10], and unused bytes zero. Provided value: kind 11");
    byte[] unused = SketchBytes.write(create());
    unused[7] = 1;
    assertThatIllegalArgumentException().isThrownBy(() -> fromBytes(unused));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> fromBytes(bytesOfAnotherFamily()))
        .withMessageStartingWith("bytes must be a ");
  }

  @Test
  void everyWrongLengthIsRefused() {
    byte[] bytes = SketchBytes.write(create());
    for (int length = 0; length <= bytes.length + 8; length++) {
      if (length != bytes.length) {
        String expected = "(at least [0-9]+|" + bytes.length + ")";
        byte[] wrong = Arrays.copyOf(bytes, length);
        assertThatIllegalArgumentException()
            .isThrownBy(() -> fromBytes(wrong))
            .withMessageMatching(".*must have " + expected + " bytes. Provided value: " + length);
      }
    }
  }

  private void refused(byte[] bytes, String message) {
    assertThatIllegalArgumentException().isThrownBy(() -> fromBytes(bytes)).withMessage(message);
  }

  @Test
  void showsItsShapeOnly() {
    assertThat(sketch(updates)).hasToString(create().toString());
  }

  /** 60,000 updates, one by one and in batches, take less than a byte each. */
  @Test
  void updatesAllocateNothing() throws Exception {
    S sketch = create();
    RowBatch batch = Updates.batch(updates, DIMENSION);
    Allocation.Work work =
        () -> {
          for (int i = 0; i < 30_000; i++) {
            updates.get(i % 300).to(sketch);
          }
          for (int i = 0; i < 100; i++) {
            sketch.add(batch);
          }
        };
    work.run(); // classes are loaded
    assertThat(Allocation.of(work)).isLessThan(60_000);
  }
}

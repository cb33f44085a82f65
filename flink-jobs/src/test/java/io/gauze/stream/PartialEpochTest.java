package io.gauze.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.StreamConfig;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.row.BatchHasher;
import io.gauze.row.EncodedRow;
import io.gauze.row.RecordBatch;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SketchSpec;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a subtask holds of an epoch: every row once, and no more memory than it says. */
class PartialEpochTest {
  private static PartialEpoch filled(StreamPlan plan, RowEncoder encoder, int rows, int batch) {
    PartialEpoch partial = new PartialEpoch(plan, batch, encoder, Optional.empty());
    EncodedRow row = new EncodedRow(plan.schema().dimension());
    RowTag tag = new RowTag();
    row.values()[0] = 2;
    for (int k = 0; k < rows; k++) {
      tag.set(k * 0x9e3779b97f4a7c15L, k);
      partial.add(tag, row, 1);
    }
    return partial;
  }

  /** The memory limit counts what partials say; up to the headers of objects and arrays. */
  @Test
  void takesTheMemoryThatItSays() throws Exception {
    StreamPlan plan = OperatorFixture.plan(1, 512);
    int batch = PartialEpoch.batchRows(plan);
    long said = PartialEpoch.bytes(plan, batch);
    RowEncoder encoder = new RowEncoder(plan.schema());
    long taken = Long.MAX_VALUE;
    for (int again = 0; again < 5; again++) { // classes are loaded, reflection has warmed up
      long before = allocated();
      filled(plan, encoder, 5000, batch);
      taken = Math.min(taken, allocated() - before);
    }
    assertThat(taken).isBetween(said, said + 16_000);
  }

  /** Whether they wait or not, and however often the blocks are asked for. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 47, 48, 1023, 1024, 1025, 5000})
  void everyRowCountsOnce(int rows) {
    SketchJobSettings settings = OperatorFixture.small();
    RowEncoder encoder = new RowEncoder(settings.plan().schema());
    for (int batch : new int[] {8, PartialEpoch.batchRows(settings.plan())}) {
      PartialEpoch partial = filled(settings.plan(), encoder, rows, batch);
      for (int again = 0; again < 2; again++) {
        for (Cell cell : settings.cells()) {
          long[] block = Block.longs(partial.block(cell));
          if (cell.sketch().equals("moments")) {
            assertThat(block[0]).isEqualTo(4L * rows);
          }
        }
      }
    }
  }

  /** What rows and tags give does not depend on how many are added together. */
  @Test
  void sketchesAreTheSameWithEveryBatch() throws Exception {
    SketchJobSettings settings = OperatorFixture.small();
    RowEncoder encoder = new RowEncoder(settings.plan().schema());
    PartialEpoch few = filled(settings.plan(), encoder, 3001, 8);
    PartialEpoch many = filled(settings.plan(), encoder, 3001, 1024);
    for (Cell cell : settings.cells()) {
      assertThat(few.block(cell)).isEqualTo(many.block(cell));
    }
  }

  @Test
  void batchesAreSmallWhereGroupsAreMany() throws Exception {
    StreamPlan plan = OperatorFixture.plan(1, 64);
    int most = PartialEpoch.batchRows(plan);
    long memory = 1000 * PartialEpoch.bytes(plan, most);
    assertThat(PartialEpoch.batchRows(plan, 1000, memory)).isEqualTo(most);
    int fewer = PartialEpoch.batchRows(plan, 1500, memory);
    assertThat(fewer).isLessThan(most);
    assertThat(1500 * PartialEpoch.bytes(plan, fewer)).isLessThanOrEqualTo(memory);
    assertThat(PartialEpoch.batchRows(plan, 1_000_000, memory)).isEqualTo(8);
    assertThat(PartialEpoch.batchRows(plan, 1, 1)).as("alone").isEqualTo(most);
    StreamPlan large = OperatorFixture.plan(1, 1 << 18);
    assertThat(PartialEpoch.batchRows(large, 3000, memory))
        .as("sketches take the memory")
        .isEqualTo(PartialEpoch.batchRows(large));
  }

  /** Rows at positions have tags where a sketch uses them, and every row counts once anyway. */
  @Test
  void rowsAtPositionsAreHashedForSketchesThatUseTags() throws Exception {
    StreamPlan plan = OperatorFixture.small().plan();
    RowEncoder encoder = new RowEncoder(plan.schema());
    EncodedRow row = new EncodedRow(plan.schema().dimension());
    row.values()[0] = 1;
    for (String name : List.of("moments", "buckets")) {
      SketchSpec spec = plan.sketch(name).mechanism().spec();
      BatchHasher hasher = RowHasher.create(new SplittableRandom(3)::nextLong).ofBatches();
      PartialEpoch partial = new PartialEpoch(of(plan, name), 1024, encoder, Optional.of(hasher));
      for (int k = 0; k < 3000; k++) {
        partial.addAt(1, k, row);
      }
      long[] state = Block.longs(partial.block(new Cell("", name, 0)));
      assertThat(spec.usesTags()).isEqualTo(name.equals("buckets"));
      if (spec.usesTags()) {
        assertThat(LongStream.of(state).filter(sum -> sum != 0).count()).isGreaterThan(100);
      } else {
        assertThat(state[0]).isEqualTo(3000);
      }
    }
  }

  /**
   * Rows of many categories are added by their cells, or with all entries where a sketch has to.
   */
  @ParameterizedTest
  @ValueSource(strings = {"count-sketch, buckets: 64", "noisy-moments", "histogram, bins: 2"})
  void wideRowsAreAddedAsTheyAreOneByOne(String mechanism) throws Exception {
    String shops = IntStream.range(0, 50).mapToObj(i -> "s" + i).collect(Collectors.joining(", "));
    String columns =
        mechanism.startsWith("histogram")
            ? "{name: shop, categories: [s0, s1], other: rest}"
            : "{name: shop, categories: [" + shops + "], other: rest}";
    StreamPlan plan =
        StreamSettings.plan(
            StreamConfig.parse(
                "wide.yaml",
                """
                stream: wide
                columns: [{name: x, lower: -1, upper: 1}, COLUMNS]
                privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}
                epochs: {length: all}
                sketches: [{name: s, mechanism: MECHANISM}]
                """
                    .replace("COLUMNS", columns)
                    .replace("MECHANISM", mechanism)));
    RowEncoder encoder = new RowEncoder(plan.schema());
    RowEncoder alone = new RowEncoder(plan.schema());
    EncodedRow row = new EncodedRow(plan.schema().dimension());
    LinearSketch<?> expected = plan.sketch("s").mechanism().spec().zero();
    PartialEpoch partial = new PartialEpoch(plan, 100, encoder, Optional.empty());
    SplittableRandom random = new SplittableRandom(4);
    RowTag tag = new RowTag();
    for (int k = 0; k < 1050; k++) {
      tag.set(random.nextLong(), k);
      double x = random.nextDouble(-1.5, 1.5);
      String shop = "s" + random.nextInt(60);
      for (RowEncoder each : List.of(encoder, alone)) {
        each.begin();
        each.number(0, x);
        each.text(1, shop);
      }
      alone.encode(row);
      encoder.accept();
      int sign = k % 3 == 0 ? -1 : 1;
      expected.add(tag, row, sign);
      if (sign > 0) {
        partial.add(tag);
      } else {
        partial.add(tag, row, sign);
      }
    }
    assertThat(plan.schema().isWide()).isEqualTo(!mechanism.startsWith("histogram"));
    assertThat(expected).isNotEqualTo(expected.spec().zero());
    for (int block = 0; block < Block.count(expected.state().length); block++) {
      long[] sums = Block.longs(partial.block(new Cell("", "s", block)));
      int from = Block.from(block);
      assertThat(sums).isEqualTo(Arrays.copyOfRange(expected.state(), from, from + sums.length));
    }
    long said = PartialEpoch.bytes(plan, 100);
    long dense = RecordBatch.memoryBytes(plan.schema().dimension(), 100);
    long state = expected.spec().memoryBytes() + expected.spec().batchBytes(100);
    assertThat(said - state < dense).isEqualTo(plan.schema().isWide());
  }

  private static StreamPlan of(StreamPlan plan, String name) {
    return StreamPlan.of(
        plan.request()
            .withSketches(
                plan.request().sketches().stream()
                    .filter(sketch -> sketch.name().equals(name))
                    .toList()));
  }

  private static long allocated() throws JMException {
    Object[] thread = {Thread.currentThread().getId()};
    return (long)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadAllocatedBytes",
                thread,
                new String[] {"long"});
  }
}

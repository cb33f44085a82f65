package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.job.ExpectedSums;
import io.gauze.job.StreamFixture;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.again.EpochReader;
import io.gauze.pipeline.again.FitTask;
import io.gauze.pipeline.again.ModelFitOperator;
import io.gauze.pipeline.again.ModelFitterTest;
import io.gauze.pipeline.read.DeadLetterOutputs;
import io.gauze.plan.StreamPlan;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowSchema;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Releases are made of the rows of sealed epochs, which are read again. */
final class RowsReadAgainTest {
  static final SketchJobSettings SETTINGS = settings(Map.of("strata", "3"));
  private static final Cell MODEL = new Cell(SketchJobSettings.NO_GROUP, "second", 1);

  private static CountDownLatch gate = new CountDownLatch(0);
  private static CountDownLatch arrived = new CountDownLatch(0);

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<AutoCloseable> harnesses = new ArrayList<>();

  /** A stream of seconds with a mechanism that reads rows again, beside another one. */
  static SketchJobSettings settings(Map<String, String> options) {
    return settings(StreamFixture.schema(), options)
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  private static SketchJobSettings settings(RowSchema schema, Map<String, String> options) {
    return OperatorFixture.settings(
        StreamPlan.of(
            new StreamRequest(
                "seconds",
                schema,
                new Budget(1, 1e-6, Neighbours.REPLACE_ONE),
                BudgetScope.ROWS,
                1000,
                List.of(),
                List.of(
                    new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                    new SketchRequest("second", "residual-strata", 1, options)))),
        OperatorFixture.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    gate.countDown();
    for (AutoCloseable each : harnesses) {
      each.close();
    }
  }

  private OneInputStreamOperatorTestHarness<FitTask, SealedBlock> open(
      SketchJobSettings settings, FakeLog log, Optional<OperatorSubtaskState> state)
      throws Exception {
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ModelFitOperator(settings, 2, log::open, () -> ModelFitterTest.NOTHING),
            OperatorFixture.serializer(FitTask.TYPE),
            fixture.environment());
    harnesses.add(harness);
    harness.setup(OperatorFixture.serializer(SealedBlock.TYPE));
    if (state.isPresent()) {
      harness.initializeState(state.get());
    }
    harness.open();
    return harness;
  }

  private static RowRanges ranges(long... fromAndTo) {
    Map<Integer, RowRanges.Range> ranges = new HashMap<>();
    for (int i = 0; i < fromAndTo.length; i += 2) {
      ranges.put(i / 2, new RowRanges.Range(fromAndTo[i], fromAndTo[i + 1]));
    }
    return RowRanges.of(ranges);
  }

  private static FitTask task(long epoch, RowRanges ranges) {
    return new FitTask(0, epoch, ranges, Map.of(MODEL, new byte[0]));
  }

  private static void send(
      OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness, FitTask... tasks)
      throws Exception {
    for (FitTask task : tasks) {
      harness.processElement(new StreamRecord<>(task));
    }
  }

  private static String row(double a) {
    return "{\"a\":" + a + ",\"b\":3,\"y\":1}";
  }

  /** Rows of a second, one at each offset, of which half are in the first stratum. */
  private static FakeLog log(int batch, int partitions, int offsets) {
    FakeLog log = new FakeLog("rows", batch);
    for (int partition = 0; partition < partitions; partition++) {
      for (int i = 0; i < offsets; i++) {
        log.add(partition, i, 500, row(i % 2 == 0 ? -0.9 : 0.9));
      }
    }
    return log;
  }

  /** The blocks of the release of these rows. */
  private static List<byte[]> release(SketchJobSettings settings, List<String> rows) {
    EpochFitter fit = mechanism(settings).begin(settings.randomness().entropy("model of test"));
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (String row : rows) {
      records.add(new ConsumerRecord<>("rows", 0, records.size(), null, row.getBytes(UTF_8)));
    }
    ExpectedSums.addRows(settings, records, fit);
    long[] numbers = fit.numbers();
    return IntStream.range(0, Block.count(numbers.length))
        .mapToObj(
            block -> Block.of(numbers, Block.from(block), Block.length(block, numbers.length)))
        .toList();
  }

  private static SecondReadingMechanism mechanism(SketchJobSettings settings) {
    return (SecondReadingMechanism) settings.plan().sketch("second").mechanism();
  }

  /** So many rows of each of the two kinds of {@link #log}. */
  private static List<String> rows(int low, int high) {
    return Stream.concat(
            Collections.nCopies(low, row(-0.9)).stream(),
            Collections.nCopies(high, row(0.9)).stream())
        .toList();
  }

  private static byte[] releaseOf(int low, int high) {
    return release(SETTINGS, rows(low, high)).get(0);
  }

  private static List<SealedBlock> all(
      OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness) throws Exception {
    harness.endInput();
    return OperatorFixture.take(harness);
  }

  @Test
  void theRowsOfAllPartitionsAreAdded() throws Exception {
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(SETTINGS, log(3, 3, 10), Optional.empty());
    send(harness, task(0, ranges(2, 9, 4, 5, 0, 10)));
    List<SealedBlock> sent = all(harness);
    assertThat(sent).extracting(SealedBlock::cell).containsExactly(MODEL);
    assertThat(sent.get(0).block())
        .isEqualTo(releaseOf(4 + 1 + 5, 3 + 5))
        .isNotEqualTo(releaseOf(4 + 1 + 5, 3 + 4));
    assertThat(fixture.count("rowsReadAgain")).isEqualTo(18);
  }

  /**
   * Whatever lies between: rows of other epochs, records that are no rows, ends of transactions.
   */
  @Test
  void countsTheRowsOfTheEpochAndReportsNothingElse() throws Exception {
    FakeLog log =
        new FakeLog("rows", 2)
            .add(0, 0, 500, row(0.9))
            .add(0, 1, 1500, row(0.9))
            .add(0, 2, 600, "no row")
            .add(0, 5, 700, row(-0.9))
            .add(0, 6, 1600, row(-0.9))
            .add(0, 9, 2500, row(0));
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(SETTINGS, log, Optional.empty());
    send(harness, task(0, ranges(0, 6)), task(1, ranges(1, 7)), task(2, ranges(7, 10)));
    List<SealedBlock> sent = all(harness);
    assertThat(sent).extracting(SealedBlock::epoch).containsExactly(0L, 1L, 2L);
    assertThat(sent.get(0).block()).isEqualTo(releaseOf(1, 1));
    assertThat(sent.get(1).block()).as("read again from offset 1 on").isEqualTo(releaseOf(1, 1));
    assertThat(sent.get(2).block()).isEqualTo(release(SETTINGS, List.of(row(0))).get(0));
    assertThat(fixture.count("rowsReadAgain")).isEqualTo(5);
    assertThat(fixture.count("epochsReadAgain")).isZero();
    assertThat(harness.getSideOutput(DeadLetterOutputs.DEAD)).isNull();
  }

  /** A release of several blocks leaves at once. */
  @Test
  void aLargeReleaseHasAllItsBlocks() throws Exception {
    List<NumericColumn> columns =
        List.of("a", "b", "c", "d", "y").stream()
            .map(name -> new NumericColumn(name, name, -1, 1))
            .toList();
    SketchJobSettings wide =
        settings(RowSchema.of(columns, 0.5, 2, MissingValues.MIDPOINT), Map.of("strata", "1024"))
            .withRandomness(Randomness.noiseFreeForTests(1));
    FakeLog log = new FakeLog("rows", 7);
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add("{\"a\":" + (0.04 * i - 0.8) + ",\"b\":0.3,\"y\":1}");
      log.add(i % 2, i / 2, 500, rows.get(i));
    }
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(wide, log, Optional.empty());
    send(harness, task(0, ranges(0, 20, 0, 20)));
    harness.getTaskMailbox().take(0).run();
    List<SealedBlock> sent = OperatorFixture.take(harness);
    assertThat(sent).extracting(block -> block.cell().block()).containsExactly(1, 2);
    List<byte[]> expected = release(wide, rows);
    assertThat(expected).hasSize(2);
    Map<Integer, byte[]> parts = new HashMap<>();
    for (int block = 0; block < 2; block++) {
      assertThat(sent.get(block).block()).isEqualTo(expected.get(block));
      parts.put(sent.get(block).cell().block(), sent.get(block).block());
    }
    SketchParts all = SketchParts.of(wide.plan().sketch("second").mechanism());
    assertThat(all.count()).isEqualTo(3);
    assertThat(all.join(parts)).hasSize(mechanism(wide).payloadLength());
  }

  private static void waitAtTheGate(FaultInjection.Step step) {
    if (step == Step.FIT) {
      arrived.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** All is read, and nothing has left: whatever the rows are, the state is the same. */
  @Test
  void theStateKnowsNoMoreOfTheRowsThanWhereTheyLie() throws Exception {
    FakeLog others = new FakeLog("rows", 2);
    for (int i = 0; i < 10; i++) {
      others.add(0, i, 500, row(0.01 * i)).add(1, i, 500, "no row");
    }
    SketchJobSettings waiting =
        SETTINGS.withRandomness(Randomness.SYSTEM).withProbe(RowsReadAgainTest::waitAtTheGate);
    List<byte[]> states = new ArrayList<>();
    gate = new CountDownLatch(1);
    for (FakeLog log : List.of(log(2, 2, 10), others)) {
      arrived = new CountDownLatch(1);
      OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
          open(waiting, log, Optional.empty());
      send(harness, task(0, ranges(0, 10, 0, 10)));
      assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
      OperatorSubtaskState state = harness.snapshot(1, 1);
      assertThat(state.getManagedKeyedState()).isEmpty();
      assertThat(state.getRawOperatorState()).isEmpty();
      try (var in = state.getManagedOperatorState().iterator().next().openInputStream()) {
        states.add(in.readAllBytes());
      }
    }
    assertThat(states.get(0)).isEqualTo(states.get(1));
  }

  /** What was read before a crash is lost, and read again; a release that is published is not. */
  @Test
  void aRestoredTaskIsDoneFromItsBeginning() throws Exception {
    gate = new CountDownLatch(1);
    arrived = new CountDownLatch(1);
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> first =
        open(SETTINGS.withProbe(RowsReadAgainTest::waitAtTheGate), log(2, 2, 10), Optional.empty());
    send(first, task(0, ranges(0, 10, 0, 10)), task(1, ranges(9, 10)));
    assertThat(arrived.await(1, TimeUnit.MINUTES)).isTrue();
    Optional<OperatorSubtaskState> state = Optional.of(first.snapshot(1, 1));

    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> after =
        open(SETTINGS, log(5, 2, 10), state);
    List<SealedBlock> sent = all(after);
    assertThat(sent).extracting(SealedBlock::epoch).containsExactly(0L, 1L);
    assertThat(sent.get(0).block()).isEqualTo(releaseOf(10, 10));
    assertThat(sent.get(1).block()).isEqualTo(releaseOf(0, 0));
    assertThat(all(open(SETTINGS, log(5, 2, 10), Optional.of(after.snapshot(2, 2))))).isEmpty();

    Set<String> published = Set.of(SETTINGS.releaseId(MODEL, 0).toString());
    List<SealedBlock> left = all(open(SETTINGS.withPublished(published), log(5, 2, 10), state));
    assertThat(left).extracting(SealedBlock::cell).containsExactly(MODEL, MODEL);
    assertThat(left).extracting(SealedBlock::isPublished).containsExactly(true, false);
  }

  @Test
  void failsForGoodWhereTheLogHasLostRows() throws Exception {
    FakeLog log = log(2, 2, 10);
    SketchJobSettings losing =
        SETTINGS.withProbe(
            step -> {
              if (step == Step.SECOND_READ && arrived.getCount() == 0) {
                log.deleteBefore(7);
              }
              arrived.countDown();
            });
    arrived = new CountDownLatch(2);
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(losing, log, Optional.empty());
    send(harness, task(0, RowRanges.of(Map.of(1, new RowRanges.Range(0, 10)))));
    assertThatThrownBy(() -> harness.getTaskMailbox().take(0).run())
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContaining(
            "GZ-REREAD: Epoch 1970-01-01T00:00:00Z of stream seconds cannot be released")
        .hasMessageContaining(
            "Partition 1 of topic rows begins at offset 7 now, and rows from offset 4 to 9 are"
                + " still to be read")
        .hasMessageContaining("epochs.from");
  }

  /** The order is that of the log and of the number of threads, whatever the polls return. */
  @Test
  void eachReadingHasTheSameOrder() throws Exception {
    List<Double> first = order(3, 2);
    assertThat(first).hasSize(9000);
    assertThat(first.subList(1024, 2048)).as("of the second partition").allMatch(a -> a >= 0.3);
    for (int batch : new int[] {40, 700, 3000}) {
      assertThat(order(batch, 2)).isEqualTo(first);
    }
    assertThat(order(700, 1)).as("partition by partition").isSorted().hasSize(9000);
  }

  /** The rows of three partitions as they come; each has another number, which grows in the log. */
  private static List<Double> order(int batch, int threads) throws Exception {
    FakeLog log = new FakeLog("rows", batch);
    for (int i = 0; i < 9000; i++) {
      log.add(i / 3000, i % 3000, 500, row(i / 9000.0));
    }
    List<Double> order = new ArrayList<>();
    try (EpochReader reader = new EpochReader(SETTINGS, log::open, threads, "test")) {
      reader.read(
          task(0, ranges(0, 3000, 0, 3000, 0, 3000)),
          new EpochReader.Rows() {
            @Override
            public void add(String group, double[] scaled) {
              order.add(scaled[1]);
            }

            @Override
            public void passed() {}

            @Override
            public boolean takes(String group) {
              return group.equals(SketchJobSettings.NO_GROUP);
            }
          });
    }
    return order;
  }

  /** Of any kind, in any thread; no thread waits for ever after it. */
  @Test
  void aFailureOfAThreadEndsTheReading() throws Exception {
    for (RuntimeException failure :
        List.of(new IllegalStateException("on purpose"), new KafkaException("on purpose"))) {
      SketchJobSettings failing =
          SETTINGS.withProbe(
              step -> {
                throw failure;
              });
      OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
          open(failing, log(2, 2, 10), Optional.empty());
      send(harness, task(0, ranges(0, 10, 0, 10)));
      assertThatThrownBy(() -> harness.getTaskMailbox().take(0).run()).isSameAs(failure);
    }
  }
}

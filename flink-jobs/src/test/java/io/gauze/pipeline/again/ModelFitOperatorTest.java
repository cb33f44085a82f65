package io.gauze.pipeline.again;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.model.track.PublishedTrack;
import io.gauze.model.track.ResidualTrack;
import io.gauze.model.track.TrackedModel;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.FakeLog;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.pipeline.SealedBlock;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of sealed epochs are fitted in their order, once each, beside checkpoints. */
final class ModelFitOperatorTest {
  private static final Cell MODEL = new Cell(SketchJobSettings.NO_GROUP, "model", 1);
  private static final SketchJobSettings SETTINGS = settings();
  private static final int FEATURES = 3; // with the intercept
  private static final int EPOCHS = 3;
  private static final int ROWS = 200;

  private static final Published PUBLISHED = new Published();

  private static CountDownLatch gate = new CountDownLatch(0);

  private final List<AutoCloseable> harnesses = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    gate.countDown();
    for (AutoCloseable each : harnesses) {
      each.close();
    }
  }

  /** What a test publishes. */
  private static final class Published implements PublishedModels {
    private final Map<Long, long[]> models = new ConcurrentHashMap<>();
    private volatile CountDownLatch readings = new CountDownLatch(0);

    @Override
    public void read(long epoch, long oldest) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      readings.countDown();
    }

    @Override
    public Set<Long> epochs(Cell cell) {
      return models.keySet();
    }

    @Override
    public long[] numbers(Cell cell, long epoch) {
      return models.get(epoch);
    }

    @Override
    public void close() {}
  }

  private static SketchJobSettings settings() {
    return settings("huber");
  }

  private static SketchJobSettings settings(String mechanism) {
    return settings(new SketchRequest("model", mechanism, 1, Map.of()));
  }

  private static SketchJobSettings settings(SketchRequest... models) {
    List<SketchRequest> all = new ArrayList<>(List.of(models));
    all.add(0, new SketchRequest("moments", "noisy-moments", 1, Map.of()));
    StreamPlan plan =
        StreamPlan.of(OperatorFixture.request(1, 512, BudgetScope.ROWS).withSketches(all));
    return OperatorFixture.settings(plan, OperatorFixture.SECONDS);
  }

  private static FakeLog log() {
    FakeLog log = new FakeLog("rows", 50);
    for (int i = 0; i < EPOCHS * ROWS; i++) {
      String row = "{\"a\":" + 0.1 * (i % 7) + ",\"b\":3,\"y\":1}";
      log.add(0, i, i / ROWS * 1000L + 500, row);
    }
    return log;
  }

  private static FitTask task(int epoch) {
    return task(epoch, List.of(MODEL));
  }

  private static FitTask task(int epoch, List<Cell> cells) {
    RowRanges.Range range = new RowRanges.Range((long) epoch * ROWS, (epoch + 1L) * ROWS);
    return new FitTask(0, epoch, RowRanges.of(Map.of(0, range)), toFit(cells));
  }

  private static Map<Cell, byte[]> toFit(List<Cell> cells) {
    Map<Cell, byte[]> models = new LinkedHashMap<>();
    cells.forEach(cell -> models.put(cell, new byte[0]));
    return models;
  }

  private OneInputStreamOperatorTestHarness<FitTask, SealedBlock> open(
      SketchJobSettings settings, FakeLog log, Optional<OperatorSubtaskState> state)
      throws Exception {
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ModelFitOperator(settings, 2, log::open, () -> PUBLISHED));
    harnesses.add(harness);
    harness.setup(OperatorFixture.serializer(SealedBlock.TYPE));
    if (state.isPresent()) {
      harness.initializeState(state.get());
    }
    harness.open();
    return harness;
  }

  private static void send(OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness)
      throws Exception {
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      harness.processElement(new StreamRecord<>(task(epoch)));
    }
  }

  /** Waits for as many mails as there are tasks. */
  private static List<SealedBlock> models(
      OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness, int mails) throws Exception {
    for (int mail = 0; mail < mails; mail++) {
      harness.getTaskMailbox().take(0).run();
    }
    return OperatorFixture.take(harness);
  }

  private static void waitAtTheGate(FaultInjection.Step step) {
    if (step == FaultInjection.Step.FIT) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void modelsComeInTheOrderOfTheirEpochs() throws Exception {
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(SETTINGS, log(), Optional.empty());
    send(harness);
    List<SealedBlock> models = models(harness, EPOCHS);
    assertThat(models).extracting(SealedBlock::epoch).containsExactly(0L, 1L, 2L);
    assertThat(models).extracting(SealedBlock::cell).containsOnly(MODEL);
    assertThat(models).noneMatch(SealedBlock::isPublished);
  }

  /** A checkpoint in the middle of a fit does not wait; what is restored is fitted anew. */
  @Test
  void aRestoredTaskIsDoneUnlessItsReleaseIsPublished() throws Exception {
    gate = new CountDownLatch(1);
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> first =
        open(SETTINGS.withProbe(ModelFitOperatorTest::waitAtTheGate), log(), Optional.empty());
    send(first);
    Optional<OperatorSubtaskState> state = Optional.of(first.snapshot(1, 1));
    gate.countDown();
    List<SealedBlock> before = models(first, EPOCHS);

    List<SealedBlock> again = models(open(SETTINGS, log(), state), EPOCHS);
    assertThat(again).hasSize(EPOCHS);
    assertThat(again.get(0).block()).as("other noise").isNotEqualTo(before.get(0).block());

    Set<String> published =
        Set.of(SETTINGS.releaseId(MODEL, 0).toString(), SETTINGS.releaseId(MODEL, 2).toString());
    List<SealedBlock> left = models(open(SETTINGS.withPublished(published), log(), state), EPOCHS);
    assertThat(left).extracting(SealedBlock::isPublished).containsExactly(true, false, true);
  }

  @Test
  void theEndOfTheInputWaitsForModelsAndLeavesNothing() throws Exception {
    SketchJobSettings exact = SETTINGS.withRandomness(Randomness.noiseFreeForTests(3));
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(exact, log(), Optional.empty());
    send(harness);
    harness.endInput();
    assertThat(OperatorFixture.take(harness)).hasSize(EPOCHS);
    assertThat(models(harness, EPOCHS)).as("mails that come later").isEmpty();
    Optional<OperatorSubtaskState> state = Optional.of(harness.snapshot(1, 1));
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> next = open(exact, log(), state);
    next.endInput();
    assertThat(OperatorFixture.take(next)).isEmpty();
  }

  /** What is kept does not grow with the epochs. */
  @Test
  void theStateHoldsTheLastReleaseOfEachSeries() throws Exception {
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(SETTINGS, log(), Optional.empty());
    send(harness);
    models(harness, EPOCHS);
    OperatorStateHandle state = harness.snapshot(1, 1).getManagedOperatorState().iterator().next();
    try (var in = state.openInputStream()) {
      assertThat(new String(in.readAllBytes(), ISO_8859_1))
          .contains(SETTINGS.releaseId(MODEL, EPOCHS - 1).toString())
          .doesNotContain(SETTINGS.releaseId(MODEL, 0).toString())
          .doesNotContain(SETTINGS.releaseId(MODEL, 1).toString());
    }
  }

  private static long epochsBefore(String mechanism, SealedBlock model) {
    long[] numbers = Block.longs(model.block());
    PublishedTrack track =
        mechanism.equals("irls-track")
            ? ResidualTrack.of(FEATURES, numbers)
            : TrackedModel.of(numbers);
    return track.epochsBefore();
  }

  /** Waits until a fit has looked for a release several times. */
  private static void awaitReadings() throws InterruptedException {
    PUBLISHED.readings = new CountDownLatch(3);
    assertThat(PUBLISHED.readings.await(1, TimeUnit.MINUTES)).isTrue();
  }

  /** The fit of an epoch waits for the release before; rows and checkpoints do not wait for it. */
  @ParameterizedTest
  @ValueSource(strings = {"huber-track", "irls-track"})
  void aTrackedModelWaitsForTheReleaseBefore(String mechanism) throws Exception {
    PUBLISHED.models.clear();
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(settings(mechanism), log(), Optional.empty());
    send(harness);
    for (long epoch = 0; epoch < EPOCHS; epoch++) {
      SealedBlock model = models(harness, 1).get(0);
      assertThat(epochsBefore(mechanism, model)).isEqualTo(epoch == 0 ? 0 : 1);
      if (epoch < EPOCHS - 1) {
        awaitReadings();
        harness.snapshot(epoch, epoch);
        assertThat(harness.getTaskMailbox().hasMail()).as("the next one waits").isFalse();
      }
      PUBLISHED.models.put(epoch, Block.longs(model.block()));
    }
  }

  /** Two that wait and one that does not: each leaves when it is fitted, and once. */
  @Test
  void noModelWaitsForTheReleaseOfAnother() throws Exception {
    PUBLISHED.models.clear();
    SketchJobSettings settings =
        settings(
            new SketchRequest("slow", "irls-track", 1, Map.of()),
            new SketchRequest("model", "huber", 1, Map.of()),
            new SketchRequest("track", "huber-track", 1, Map.of()));
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(settings, log(), Optional.empty());
    List<Cell> cells =
        List.of("slow", "model", "track").stream()
            .map(name -> new Cell(SketchJobSettings.NO_GROUP, name, 1))
            .toList();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      harness.processElement(new StreamRecord<>(task(epoch, cells)));
    }
    List<String> first = places(models(harness, 2 + EPOCHS));
    assertThat(first)
        .containsExactlyInAnyOrder("slow 0", "track 0", "model 0", "model 1", "model 2");
    awaitReadings();
    Optional<OperatorSubtaskState> state = Optional.of(harness.snapshot(1, 1));
    assertThat(harness.getTaskMailbox().hasMail()).as("the others wait").isFalse();

    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> next = open(settings, log(), state);
    next.endInput();
    assertThat(places(OperatorFixture.take(next)))
        .containsExactlyInAnyOrder("slow 1", "track 1", "slow 2", "track 2");
  }

  /** The fit of the first model of an epoch is long. */
  @Test
  void aModelLeavesBeforeTheNextOfItsEpochIsFitted() throws Exception {
    SketchJobSettings settings =
        settings(
            new SketchRequest("model", "huber", 1, Map.of()),
            new SketchRequest("middle", "quantile", 1, Map.of()));
    gate = new CountDownLatch(1);
    AtomicInteger fits = new AtomicInteger();
    FaultInjection second =
        step -> {
          if (step == FaultInjection.Step.FIT && fits.incrementAndGet() > 1) {
            waitAtTheGate(step);
          }
        };
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(settings.withProbe(second), log(), Optional.empty());
    Cell middle = new Cell(SketchJobSettings.NO_GROUP, "middle", 1);
    harness.processElement(new StreamRecord<>(task(0, List.of(MODEL, middle))));
    assertThat(models(harness, 1)).hasSize(1);
    Optional<OperatorSubtaskState> state = Optional.of(harness.snapshot(1, 1));
    gate.countDown();
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> next = open(settings, log(), state);
    next.endInput();
    assertThat(OperatorFixture.take(next)).as("the one that was left").hasSize(1);
  }

  private static List<String> places(List<SealedBlock> models) {
    return models.stream().map(model -> model.cell().sketch() + " " + model.epoch()).toList();
  }

  /**
   * A job crashed when a release was charged and not published. The restored one publishes it, and
   * the fit of the next epoch waits for that; it does not where the charge is all that is left, nor
   * where it was published, and the topic of releases is another one since.
   */
  @ParameterizedTest
  @ValueSource(strings = {"huber-track", "irls-track"})
  @Timeout(60)
  void aTrackedModelWaitsForAReleaseThatWasCharged(String mechanism) throws Exception {
    PUBLISHED.models.clear();
    SketchJobSettings settings = settings(mechanism);
    Set<String> before = Set.of(settings.releaseId(MODEL, 0).toString());
    SketchJobSettings published = settings.withPublished(before);
    SketchJobSettings charged = published.with(published.found().withUnsent(before));
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> first =
        open(settings, log(), Optional.empty());
    first.processElement(new StreamRecord<>(task(0)));
    SealedBlock model = models(first, 1).get(0);
    Optional<OperatorSubtaskState> state = Optional.of(first.snapshot(1, 1));

    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> held = open(charged, log(), state);
    held.processElement(new StreamRecord<>(task(1)));
    awaitReadings();
    assertThat(held.getTaskMailbox().hasMail()).as("it waits").isFalse();
    PUBLISHED.models.put(0L, Block.longs(model.block()));
    assertThat(epochsBefore(mechanism, models(held, 1).get(0))).isEqualTo(1);

    PUBLISHED.models.clear();
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> elsewhere =
        open(published, log(), state);
    elsewhere.processElement(new StreamRecord<>(task(1)));
    assertThat(epochsBefore(mechanism, models(elsewhere, 1).get(0))).isZero();

    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> lost =
        open(charged, log(), Optional.empty());
    lost.processElement(new StreamRecord<>(task(0)));
    lost.processElement(new StreamRecord<>(task(1)));
    List<SealedBlock> others = models(lost, 2);
    assertThat(others).extracting(SealedBlock::isPublished).containsExactly(true, false);
    assertThat(epochsBefore(mechanism, others.get(1))).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"huber-track", "irls-track"})
  void atTheEndOfTheInputNoReleaseIsWaitedFor(String mechanism) throws Exception {
    PUBLISHED.models.clear();
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(settings(mechanism), log(), Optional.empty());
    send(harness);
    PUBLISHED.models.put(0L, Block.longs(models(harness, 1).get(0).block()));
    harness.endInput();
    assertThat(OperatorFixture.take(harness))
        .extracting(model -> epochsBefore(mechanism, model))
        .containsExactly(1L, 2L);
  }

  @Test
  void aFailureFailsTheTask() throws Exception {
    FakeLog lost = log();
    lost.deleteBefore(50);
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(SETTINGS, lost, Optional.empty());
    harness.processElement(new StreamRecord<>(task(0)));
    assertThatThrownBy(() -> models(harness, 1))
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContaining("begins at offset 50 now");
  }

  @Test
  void anEpochWithoutRowsHasAModel() throws Exception {
    OneInputStreamOperatorTestHarness<FitTask, SealedBlock> harness =
        open(SETTINGS, log(), Optional.empty());
    harness.processElement(
        new StreamRecord<>(new FitTask(0, 7, RowRanges.NONE, toFit(List.of(MODEL)))));
    assertThat(models(harness, 1)).hasSize(1);
  }
}

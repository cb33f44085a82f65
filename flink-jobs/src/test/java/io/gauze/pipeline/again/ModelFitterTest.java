package io.gauze.pipeline.again;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.FakeLog;
import io.gauze.pipeline.JobMemory;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.FitRoom;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.RowInput;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of an epoch are the same, whether its rows fit into memory or not. */
public final class ModelFitterTest {
  private static final List<String> GROUPS = List.of("de", "fr");
  private static final int ROWS = 700;
  private static final long NO_LIMIT = Long.MAX_VALUE;

  /** The polls of one reading: all but the last poll of each partition have 50 records. */
  private static final int POLLS = 14;

  private static final int NEVER = Integer.MAX_VALUE / POLLS;
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static FakeLog log = new FakeLog("rows", 50);

  /** The readings of the log after which something happens to it. */
  private static int goodReadings = NEVER;

  private static Runnable loss = () -> {};

  @BeforeEach
  void reset() {
    COUNT.set(0);
    goodReadings = NEVER;
    log = new FakeLog("rows", 50);
    for (int i = 0; i < ROWS; i++) {
      log.add(i % 2, i, 500, row(i));
    }
  }

  private static String row(int i) {
    String land = GROUPS.get(i % 7 == 0 ? 0 : 1);
    return "{\"a\":" + 0.1 * (i % 7) + ",\"b\":" + i % 11 + ",\"y\":1,\"land\":\"" + land + "\"}";
  }

  private static SketchJobSettings settings(List<SketchRequest> models) {
    StreamPlan plan =
        StreamPlan.of(OperatorFixture.request(1, 512, BudgetScope.ROWS).withSketches(models));
    return OperatorFixture.settings(plan, OperatorFixture.SECONDS)
        .withInput(RowInput.JSON.groupedBy("land", GROUPS))
        .withRandomness(Randomness.insecureForTests(8))
        .withProbe(ModelFitterTest::count);
  }

  private static void count(Step step) {
    if (step == Step.SECOND_READ && COUNT.getAndIncrement() == POLLS * goodReadings) {
      loss.run();
    }
  }

  private static SketchJobSettings settings() {
    return settings(
        List.of(
            new SketchRequest("model", "huber", 1, Map.of()),
            new SketchRequest("label", "logistic", 1, Map.of("response", "a")),
            new SketchRequest("rounds", "private-irls", 1, Map.of()),
            new SketchRequest("track", "huber-track", 1, Map.of())));
  }

  private static FitTask task(SketchJobSettings settings) {
    RowRanges ranges =
        RowRanges.of(Map.of(0, new RowRanges.Range(0, ROWS - 1), 1, new RowRanges.Range(1, ROWS)));
    Map<Cell, byte[]> models = new LinkedHashMap<>();
    for (String group : GROUPS) {
      for (SketchPlan sketch : settings.plan().sketches()) {
        models.put(new Cell(group, sketch.name(), 1), new byte[0]);
      }
    }
    return new FitTask(0, 0, ranges, models);
  }

  /** No release is published. */
  public static final PublishedModels NOTHING = published(Set.of());

  /** Releases of these epochs are published, all with the same numbers. */
  private static PublishedModels published(Set<Long> epochs, long... numbers) {
    return new PublishedModels() {
      @Override
      public void read(long epoch, long oldest) {}

      @Override
      public Set<Long> epochs(Cell cell) {
        return epochs;
      }

      @Override
      public long[] numbers(Cell cell, long epoch) {
        if (!epochs.contains(epoch)) {
          throw new IllegalStateException("nothing is published");
        }
        return numbers;
      }

      @Override
      public void close() {}
    };
  }

  /** Fits with the rows of so many bytes in memory. */
  private static Map<Cell, List<Long>> fit(SketchJobSettings settings, long memory)
      throws Exception {
    FitRoom room = new FitRoom(memory);
    try {
      return fit(settings, room);
    } finally {
      assertThat(room.left()).as("all is given back").isEqualTo(memory);
    }
  }

  private static Map<Cell, List<Long>> fit(SketchJobSettings settings, FitRoom room)
      throws Exception {
    try (EpochReader reader = new EpochReader(settings, log::open, 1, "test")) {
      return fit(settings, new EpochRows(settings, reader, counted -> {}, room));
    }
  }

  private static Map<Cell, List<Long>> fit(SketchJobSettings settings, EpochRows rows)
      throws Exception {
    return fit(settings, NOTHING, rows);
  }

  private static Map<Cell, List<Long>> fit(
      SketchJobSettings settings, PublishedModels published, EpochRows rows) throws Exception {
    EpochCentres centres = new EpochCentres(settings, published, Set.of());
    Map<Cell, List<Long>> models = new TreeMap<>(Comparator.comparing(Cell::toString));
    new ModelFitter(settings, centres, rows)
        .fit(
            task(settings),
            fitted ->
                models.put(
                    fitted.model(),
                    Arrays.stream(Block.longs(fitted.parts().get(0).block())).boxed().toList()));
    return models;
  }

  @Test
  void aDamagedReleaseBeforeEndsNoJob() throws Exception {
    SketchJobSettings settings =
        settings(
            List.of(
                new SketchRequest("white", "two-stage-moments", 1, Map.of()),
                new SketchRequest("track", "huber-track", 1, Map.of())));
    try (EpochReader reader = new EpochReader(settings, log::open, 1, "test")) {
      EpochRows rows = new EpochRows(settings, reader, counted -> {}, new FitRoom(NO_LIMIT));
      assertThat(fit(settings, published(Set.of(-1L), 1, 2, 3), rows))
          .isEqualTo(fit(settings, NO_LIMIT));
    }
  }

  private static int readings() {
    int polls = COUNT.getAndSet(0);
    assertThat(polls % POLLS).as("polls of the last reading").isZero();
    return polls / POLLS;
  }

  /** No list fits; the smaller ones do; all but one do; all do. */
  @ParameterizedTest
  @ValueSource(longs = {0, 2500, 60_000, NO_LIMIT})
  void modelsDoNotDependOnTheMemory(long memory) throws Exception {
    SketchJobSettings settings = settings();
    Map<Cell, List<Long>> expected = fit(settings, NO_LIMIT);
    assertThat(expected).hasSize(8);
    assertThat(readings()).isEqualTo(1);
    assertThat(fit(settings, memory)).isEqualTo(expected);
    int needed = readings();
    assertThat(needed).as("readings with %d bytes", memory).isBetween(1, 150);
    assertThat(needed == 1).isEqualTo(memory == NO_LIMIT);
  }

  /** The bytes of the 600 rows of the larger group, in the memory that lists grow to. */
  private static final long LARGER = 1024 * 20;

  private static final List<SketchRequest> ONE =
      List.of(new SketchRequest("rounds", "private-irls", 1, Map.of()));

  /** Both groups fit alone and not together: the larger one is read again, once. */
  @Test
  void aListThatFitsAloneIsReadOnceMore() throws Exception {
    SketchJobSettings settings = settings(ONE);
    Map<Cell, List<Long>> expected = fit(settings, NO_LIMIT);
    readings();
    assertThat(fit(settings, LARGER)).isEqualTo(expected);
    assertThat(readings()).isEqualTo(2);
    assertThat(fit(settings, LARGER - 1)).isEqualTo(expected);
    assertThat(readings()).as("a reading for each of three rounds").isEqualTo(1 + 3);
  }

  /** While a stream has its rows in memory, another one of the job fits with what it leaves. */
  @Test
  void streamsOfAJobShareTheMemory() throws Exception {
    SketchJobSettings other = settings(ONE);
    Map<Cell, List<Long>> expected = fit(other, NO_LIMIT);
    readings();
    FitRoom room = new FitRoom(2 * LARGER);
    List<Map<Cell, List<Long>>> meanwhile = new ArrayList<>();
    List<Integer> needed = new ArrayList<>();
    SketchJobSettings first =
        other.withProbe(
            step -> {
              if (step == Step.FIT && meanwhile.isEmpty()) {
                meanwhile.add(unchecked(other, room));
                needed.add(readings());
              }
            });
    assertThat(fit(first, room)).isEqualTo(expected);
    assertThat(meanwhile).containsExactly(expected);
    assertThat(needed)
        .as("the larger group had no room, not even once more")
        .containsExactly(1 + 3);
    assertThat(room.left()).isEqualTo(2 * LARGER);
    readings();
    assertThat(fit(other, room)).isEqualTo(expected);
    assertThat(readings()).as("alone it has").isEqualTo(1);
  }

  private static Map<Cell, List<Long>> unchecked(SketchJobSettings settings, FitRoom room) {
    try {
      return fit(settings, room);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aJobHasOneRoomInAProcessAsLongAsItIsUsed() {
    JobMemory one = JobMemory.open("first job", 5);
    JobMemory same = JobMemory.open("first job", 5);
    JobMemory other = JobMemory.open("second job", 7);
    assertThat(one.room()).isSameAs(same.room()).isNotSameAs(other.room());
    assertThat(other.room().limit()).isEqualTo(7);
    same.close();
    JobMemory again = JobMemory.open("first job", 5);
    assertThat(again.room()).isSameAs(one.room());
    List.of(one, again, other).forEach(JobMemory::close);
    JobMemory later = JobMemory.open("first job", 5);
    assertThat(later.room()).isNotSameAs(one.room());
    later.close();
  }

  private static void isLasting(SketchJobSettings settings, String... messages) {
    assertThatThrownBy(() -> fit(settings, 0))
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContainingAll(messages)
        .hasMessageNotContaining(Integer.toString(ROWS));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void rowsThatAreLostBetweenPassesFailTheEpoch(int good) {
    goodReadings = good;
    loss = () -> log.deleteBefore(50);
    assertThatThrownBy(() -> fit(settings(ONE), 0))
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContainingAll(
            "cannot be released: rows are gone that were still to be read again",
            "begins at offset 50 now",
            "epochs.from");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void rowsThatChangeBetweenPassesFailTheEpoch(int good) {
    goodReadings = good;
    loss = () -> log.add(0, 400, 500, row(401));
    isLasting(
        settings(ONE),
        "GZ-CHANGEDROWS",
        "a pass found other rows than the one before",
        "epochs.from");
  }

  @Test
  void rowsThatChangeBeforeTheyAreReadIntoMemoryFailTheEpoch() {
    goodReadings = 1;
    loss = () -> log.add(0, 400, 500, "no row");
    assertThatThrownBy(() -> fit(settings(ONE), LARGER))
        .isInstanceOf(LastingFaultException.class)
        .hasMessageContaining("found other rows than the one before");
  }

  /** Nothing of the first fit is kept. */
  @Test
  void aCrashInAPassEndsTheFitWhichCanBeginAgain() throws Exception {
    goodReadings = 3;
    loss =
        () -> {
          throw new IllegalStateException("crash on purpose");
        };
    SketchJobSettings settings = settings(ONE);
    assertThatThrownBy(() -> fit(settings, 0)).hasMessage("crash on purpose");
    Map<Cell, List<Long>> again = fit(settings, 0);
    assertThat(again).isEqualTo(fit(settings, NO_LIMIT));
  }
}

package io.gauze.pipeline.again;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.FakeLog;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.FitRoom;
import io.gauze.stream.RowInput;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SecondStage;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.SketchParts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Second stages are the same, whichever threads add the rows up. */
final class SharedSumsTest {
  private static final List<String> GROUPS = List.of("de", "fr");
  private static final int PARTITIONS = 3;
  private static final int ROWS = 3000; // of each partition
  private static final SketchJobSettings SETTINGS = settings();

  private static SketchJobSettings settings() {
    SketchRequest strata = new SketchRequest("strata", "residual-strata", 1, Map.of("strata", "3"));
    SketchRequest rounds = new SketchRequest("rounds", "private-irls", 1, Map.of());
    StreamPlan plan =
        StreamPlan.of(
            OperatorFixture.request(2, 512, BudgetScope.ROWS)
                .withSketches(List.of(strata, rounds)));
    return OperatorFixture.settings(plan, OperatorFixture.SECONDS)
        .withInput(RowInput.JSON.groupedBy("land", GROUPS))
        .withRandomness(Randomness.noiseFreeForTests(1));
  }

  private static FakeLog log() {
    FakeLog log = new FakeLog("rows", 700);
    for (int i = 0; i < PARTITIONS * ROWS; i++) {
      String land = GROUPS.get(i % 7 == 0 ? 0 : 1);
      String row = "{\"a\":" + 0.1 * (i % 9) + ",\"b\":" + i % 11 + ",\"y\":1,\"land\":\"";
      log.add(i / ROWS, i % ROWS, 500, row + land + "\"}");
    }
    return log;
  }

  private static FitTask task(byte[] model) {
    RowRanges.Range all = new RowRanges.Range(0, ROWS);
    Map<Cell, byte[]> models = new LinkedHashMap<>();
    GROUPS.forEach(group -> models.put(new Cell(group, "strata", 1), model));
    return new FitTask(0, 0, RowRanges.of(Map.of(0, all, 1, all, 2, all)), models);
  }

  /** The numbers of the second stages of all groups, and what their readings took. */
  private record Summed(List<Long> numbers, long rows, long leastLeft) {}

  private static Summed sum(int threads, long memory, boolean withRounds) throws Exception {
    TwoStageMechanism mechanism = (TwoStageMechanism) SETTINGS.plan().sketch("strata").mechanism();
    long[] model = new long[mechanism.modelLength()];
    model[1] = Math.round(1 / mechanism.stepSize()); // the first column alone decides the stratum
    FitTask task = task(Block.of(model, 0, model.length));
    FitRoom room = new FitRoom(memory);
    List<EpochRows.Model> models = new ArrayList<>();
    task.models().forEach((cell, first) -> models.add(stage(mechanism, cell, first)));
    if (withRounds) {
      models.add(rounds());
    }
    AtomicLong rows = new AtomicLong();
    AtomicLong leastLeft = new AtomicLong(Long.MAX_VALUE);
    try (EpochReader reader = new EpochReader(SETTINGS, log()::open, threads, "test");
        EpochRows all =
            new EpochRows(
                SETTINGS,
                reader,
                counted -> {
                  rows.addAndGet(counted);
                  leastLeft.accumulateAndGet(room.left(), Math::min);
                },
                room)) {
      all.read(task, models);
      all.release();
    }
    assertThat(room.left()).as("all is given back").isEqualTo(memory);
    List<Long> numbers =
        models.stream()
            .filter(each -> each.fit() instanceof SecondStage)
            .flatMap(each -> LongStream.of(each.fit().numbers()).boxed())
            .toList();
    return new Summed(numbers, rows.get(), leastLeft.get());
  }

  private static EpochRows.Model stage(TwoStageMechanism mechanism, Cell cell, byte[] model) {
    return new EpochRows.Model(
        cell,
        new SecondStage(
            mechanism,
            SETTINGS.plan().schema(),
            model,
            SETTINGS.releaseId(cell, 0),
            SETTINGS.randomness()));
  }

  /** A model that is fitted to rows in their order, beside the second stages of its group. */
  private static EpochRows.Model rounds() {
    Cell cell = new Cell("fr", "rounds", 0);
    return new EpochRows.Model(
        cell,
        SketchParts.of(SETTINGS.plan().sketch("rounds").mechanism())
            .ofRows()
            .orElseThrow()
            .begin(SETTINGS.randomness().entropy("model")));
  }

  @Test
  void sumsDoNotDependOnTheThreads() throws Exception {
    Summed one = sum(1, Long.MAX_VALUE, false);
    assertThat(one.numbers()).anyMatch(number -> number != 0);
    assertThat(one.rows()).isEqualTo(PARTITIONS * ROWS);
    for (int threads = 1; threads <= PARTITIONS + 1; threads++) {
      for (boolean withRounds : new boolean[] {false, true}) {
        Summed shared = sum(threads, Long.MAX_VALUE, withRounds);
        assertThat(shared.numbers()).isEqualTo(one.numbers());
        assertThat(shared.rows()).isEqualTo(one.rows());
      }
    }
  }

  @Test
  void sharesTakeRoomAndWithoutRoomThereAreNone() throws Exception {
    Summed alone = sum(1, 1 << 30, false);
    assertThat(alone.leastLeft()).as("the only thread needs no share").isEqualTo(1 << 30);
    Summed shared = sum(PARTITIONS, 1 << 30, false);
    assertThat(shared.leastLeft()).isLessThan(1 << 30);
    Summed crowded = sum(PARTITIONS, 1, false);
    assertThat(crowded.leastLeft()).as("nothing is taken").isEqualTo(1);
    assertThat(crowded.numbers()).isEqualTo(shared.numbers()).isEqualTo(alone.numbers());
    assertThat(crowded.rows()).isEqualTo(shared.rows());
  }
}

package io.gauze.pipeline.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.ledger.HeldReleases;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.row.MissingValues;
import io.gauze.row.RowSchema;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.JobEnd;
import io.gauze.stream.Offsets;
import io.gauze.stream.PartialEpoch;
import io.gauze.stream.Partials;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FoldOperatorTest {
  private static final String ROW = "{\"a\":0.5,\"b\":3,\"y\":1}";

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<OneInputStreamOperatorTestHarness<RowRecords, CellMessage>> harnesses =
      new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (OneInputStreamOperatorTestHarness<RowRecords, CellMessage> each : harnesses) {
      each.close();
    }
  }

  @Test
  void theFlushAtTheMemoryLimitCoversNoRowThatIsNotFoldedYet() throws Exception {
    SketchJobSettings big =
        OperatorFixture.settings(OperatorFixture.plan(1, 1 << 20), OperatorFixture.SECONDS);
    long bytes = PartialEpoch.bytes(big.plan(), PartialEpoch.batchRows(big.plan()));
    assertThat(2 * bytes).isGreaterThan(Partials.MEMORY_LIMIT);
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = opened(big);

    send(harness, row(0, 0, 500), row(1, 7, 700));
    assertThat(OperatorFixture.take(harness)).isEmpty();
    assertThat(fixture.count("sketchBytes")).isEqualTo(bytes);
    send(harness, row(0, 1, 1500));
    assertThat(fixture.count("sketchBytes")).as("of the second alone").isEqualTo(bytes);
    assertThat(OperatorFixture.take(harness))
        .as("no progress before the barrier")
        .hasSize(big.cells().size())
        .allMatch(sent -> sent.kind() == CellMessage.Kind.PARTIAL && sent.epoch() == 0);
    harness.endInput();
    assertPartialsThenProgress(
        OperatorFixture.take(harness), big, List.of(1L), Map.of(0, 2L, 1, 8L));
  }

  @Test
  void sendsPartialsThenProgressBeforeTheBarrier() throws Exception {
    SketchJobSettings small = OperatorFixture.small();
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = opened(small);

    assertThat(fixture.count("sketchBytes")).isZero();
    send(harness, row(0, 4, 2500), row(1, 9, 500), row(0, 5, 600));
    assertThat(fixture.count("sketchBytes"))
        .isEqualTo(2 * PartialEpoch.bytes(small.plan(), PartialEpoch.batchRows(small.plan())));
    harness.prepareSnapshotPreBarrier(1);
    assertThat(fixture.count("sketchBytes")).as("sent on").isZero();
    assertPartialsThenProgress(
        OperatorFixture.take(harness), small, List.of(0L, 2L), Map.of(0, 6L, 1, 10L));
    harness.prepareSnapshotPreBarrier(2);
    assertThat(OperatorFixture.take(harness)).isEmpty();
  }

  /** A partial of each epoch to each cell, then one progress for all cells. */
  private static void assertPartialsThenProgress(
      List<CellMessage> sent,
      SketchJobSettings settings,
      List<Long> epochs,
      Map<Integer, Long> progress) {
    List<Cell> cells = settings.cells();
    int partials = cells.size() * epochs.size();
    assertThat(sent).hasSize(partials + 1);
    Set<String> targets = new LinkedHashSet<>();
    for (CellMessage partial : sent.subList(0, partials)) {
      assertThat(partial.kind()).isEqualTo(CellMessage.Kind.PARTIAL);
      assertThat(partial.epoch()).isIn(epochs);
      assertThat(targets.add(partial.epoch() + " " + partial.cell())).isTrue();
    }
    CellMessage last = sent.get(partials);
    assertThat(last.key()).isEqualTo(OperatorFixture.EVERY_CELL);
    assertThat(last.kind()).isEqualTo(CellMessage.Kind.PROGRESS);
    assertThat(last.offsets()).isEqualTo(Offsets.of(progress));
  }

  @Test
  void theStateKnowsNoMoreOfTheRowsThanHowFarTheyWereRead() throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> busy =
        opened(OperatorFixture.small());
    send(busy, row(0, 0, 500), row(1, 0, 1500), row(1, 1, 2500));
    busy.prepareSnapshotPreBarrier(1);
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> others =
        opened(OperatorFixture.small());
    send(others, row(1, 1, 7500), row(0, 0, 9500));
    others.prepareSnapshotPreBarrier(1);

    OperatorSubtaskState state = busy.snapshot(1, 1);
    assertThat(state.getManagedKeyedState()).isEmpty();
    assertThat(state.getRawKeyedState()).isEmpty();
    assertThat(state.getRawOperatorState()).isEmpty();
    OperatorStateHandle handle = state.getManagedOperatorState().iterator().next();
    assertThat(state.getManagedOperatorState()).hasSize(1);
    assertThat(handle.getStateNameToPartitionOffsets())
        .containsOnlyKeys(
            "first-epoch-v1", "series-v1", "origin-v1", "topic-ids-v1", "noise-v1", "read-v1");
    assertThat(bytes(state)).isEqualTo(bytes(others.snapshot(1, 1)));
  }

  /**
   * The places and signs of rows are secret: each start draws its own. Each of the 12 rows has the
   * same place and sign twice with chance 1 / 1024: all of them with chance 2^-120.
   */
  @Test
  void everyStartHashesRowsUnderASecretOfItsOwn() throws Exception {
    SketchJobSettings system = OperatorFixture.small().withRandomness(Randomness.SYSTEM);
    Map<String, byte[]> one = partials(system);
    Map<String, byte[]> other = partials(system);
    assertThat(one.get("moments")).as("the same rows").isEqualTo(other.get("moments"));
    assertThat(one.get("buckets")).isNotEqualTo(other.get("buckets"));

    SketchJobSettings seeded = OperatorFixture.small();
    assertThat(partials(seeded).get("buckets"))
        .as("rows decide nothing else")
        .isEqualTo(partials(seeded).get("buckets"));
  }

  /** By sketch, of rows that are all different. */
  private Map<String, byte[]> partials(SketchJobSettings settings) throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = opened(settings);
    for (int i = 0; i < 12; i++) {
      String text = "{\"a\":0." + (11 + i) + ",\"b\":3,\"y\":1}";
      send(
          harness,
          new RowRecord(0, i, 500, true, Optional.empty(), Optional.of(text.getBytes(UTF_8))));
    }
    harness.endInput();
    Map<String, byte[]> blocks = new HashMap<>();
    for (CellMessage sent : OperatorFixture.take(harness)) {
      if (sent.kind() == CellMessage.Kind.PARTIAL) {
        assertThat(blocks.put(sent.cell().sketch(), sent.block())).isNull();
      }
    }
    return blocks;
  }

  private static byte[] bytes(OperatorSubtaskState state) {
    OperatorStateHandle handle = state.getManagedOperatorState().iterator().next();
    return handle.getDelegateStateHandle().asBytesIfInMemory().orElseThrow();
  }

  @Test
  void refusesTheStateOfAnotherConfig() throws Exception {
    OperatorSubtaskState state = opened(OperatorFixture.small()).snapshot(1, 1);
    SketchJobSettings other =
        OperatorFixture.settings(OperatorFixture.plan(2, 512), OperatorFixture.SECONDS);
    EpochSchedule longer = new EpochSchedule(2000, 0, true, 0);
    SketchJobSettings slower = OperatorFixture.settings(OperatorFixture.small().plan(), longer);

    // What was summed of one topic would be charged to another's account.
    SketchJobSettings elsewhere = OperatorFixture.small("other-rows", "ledger");
    // A ledger that knows nothing of this noise would let it out under a second sum.
    SketchJobSettings unknown = OperatorFixture.small("rows", "other-ledger");
    // Noise from a seed would be published as private.
    SketchJobSettings secret = OperatorFixture.small().withRandomness(Randomness.SYSTEM);

    for (SketchJobSettings another : List.of(other, slower, elsewhere, unknown, secret)) {
      assertThatThrownBy(() -> restored(another, state))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageContaining("The restored state of stream seconds");
    }
    restored(OperatorFixture.small(), state); // its own
  }

  /** A topic that was made anew, or is on another cluster, may hold rows that are in the sums. */
  @Test
  void refusesTheStateOfOtherTopicsOfTheSameNames() throws Exception {
    SketchJobSettings known = OperatorFixture.small().with(topicIds("rows-1, ledger-1"));
    OperatorSubtaskState state = opened(known).snapshot(1, 1);
    for (String other : List.of("rows-2, ledger-1", "rows-1, ledger-2")) {
      assertThatThrownBy(() -> restored(known.with(topicIds(other)), state))
          .isInstanceOf(PrivacyConflictException.class)
          .hasMessageStartingWith("GZ-OTHERTOPICS: ")
          .hasMessageContaining("is of other topics than those now called rows and ledger.");
    }
    restored(known, state);
    restored(OperatorFixture.small(), state); // of a broker that gives no ids
    restored(known, opened(OperatorFixture.small()).snapshot(1, 1));
  }

  /** The consumer begins such a log at its beginning, and says nothing. */
  @Test
  void aLogThatGoesBackIsNotReadAgain() throws Exception {
    SketchJobSettings small = OperatorFixture.small();
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = opened(small);
    send(harness, row(0, 4, 500), row(1, 0, 500), row(0, 5, 500), row(1, 1, 500));
    harness.prepareSnapshotPreBarrier(1);
    OperatorSubtaskState state = harness.snapshot(1, 1);

    assertThatThrownBy(() -> send(harness, row(0, 5, 500)))
        .isInstanceOf(PrivacyConflictException.class)
        .hasMessageContaining(
            "GZ-READAGAIN: Partition 0 of topic rows was read up to offset 6, and now gives offset"
                + " 5.");
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> after = restored(small, state);
    send(after, row(1, 2, 500), row(0, 6, 500));
    assertThatThrownBy(() -> send(restored(small, state), row(1, 0, 500)))
        .isInstanceOf(PrivacyConflictException.class);
  }

  @Test
  void aRestoredJobKeepsTheFirstEpochOfItsFirstStart() throws Exception {
    SketchJobSettings first = startingAt(5);
    OperatorSubtaskState state = opened(first).snapshot(1, 1);
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> later =
        restored(startingAt(9), state);

    send(later, row(0, 0, 4999), row(0, 1, 5000));
    later.endInput();
    assertPartialsThenProgress(OperatorFixture.take(later), first, List.of(5L), Map.of(0, 2L));
    assertThat(fixture.count("rowsBeforeFirstEpoch")).isEqualTo(1);
  }

  private static SketchJobSettings startingAt(long epoch) {
    return OperatorFixture.settings(
        OperatorFixture.small().plan(), new EpochSchedule(1000, epoch, false, 0));
  }

  /** A row is in the epoch of its own append time, whatever came before it. */
  @Test
  void aBrokersClockThatStepsBackMovesNoRow() throws Exception {
    SketchJobSettings small = OperatorFixture.small();
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = opened(small);
    send(
        harness, row(0, 0, 500), row(0, 1, 2500), row(0, 2, 1900), row(0, 3, 900), row(0, 4, 2600));
    harness.endInput();
    assertPartialsThenProgress(
        OperatorFixture.take(harness), small, List.of(0L, 1L, 2L), Map.of(0, 5L));
    assertThat(harness.getSideOutput(DeadLetterOutputs.LATE)).isNull();
  }

  @Test
  void rowsThatAreInNoSketchCountAsRead() throws Exception {
    SketchJobSettings small = OperatorFixture.small();
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness = opened(small);
    send(
        harness,
        new RowRecord(0, 0, 500, true, Optional.empty(), Optional.empty()),
        new RowRecord(0, 1, 500, false, Optional.empty(), Optional.of(ROW.getBytes(UTF_8))),
        new RowRecord(0, 2, 500, true, Optional.empty(), Optional.of("[]".getBytes(UTF_8))),
        row(0, 3, -1));
    harness.endInput();

    assertPartialsThenProgress(OperatorFixture.take(harness), small, List.of(), Map.of(0, 4L));
    assertThat(harness.getSideOutput(DeadLetterOutputs.DEAD).stream().map(StreamRecord::getValue))
        .extracting(DeadLetter::reason)
        .satisfiesExactly(
            reason -> assertThat(reason).contains("no value"),
            reason -> assertThat(reason).contains("message.timestamp.type=LogAppendTime"),
            reason -> assertThat(reason).contains("not a JSON object"));
    assertThat(fixture.count("deadLetters")).isEqualTo(3);
    assertThat(fixture.count("rowsBeforeFirstEpoch")).isEqualTo(1);
    assertThat(harness.getSideOutput(DeadLetterOutputs.LATE)).isNull();
    assertThat(fixture.count("rows")).isZero();
  }

  /** Records that come in one element do what they do one by one. */
  @Test
  void recordsTogetherAreRecordsAlone() throws Exception {
    SketchJobSettings small = OperatorFixture.small();
    RowRecord[] records = new RowRecord[300];
    for (int i = 0; i < records.length; i++) {
      String text = i % 7 == 3 ? "[]" : "{\"a\":" + 0.001 * i + ",\"b\":" + i % 5 + ",\"y\":1}";
      records[i] =
          new RowRecord(
              i % 2,
              i / 2,
              500 + 1000 * (i % 3),
              i % 50 != 9,
              Optional.empty(),
              i % 31 == 30 ? Optional.empty() : Optional.of(text.getBytes(UTF_8)));
    }
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> together = opened(small);
    send(together, records);
    together.endInput();
    long dead = fixture.count("deadLetters");
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> alone = opened(small);
    for (RowRecord each : records) {
      send(alone, each);
    }
    alone.endInput();
    assertThat(fixture.count("deadLetters")).isEqualTo(dead).isBetween(40L, 60L);
    assertThat(reasons(together)).isEqualTo(reasons(alone));
    List<CellMessage> expected = OperatorFixture.take(alone);
    assertThat(OperatorFixture.take(together))
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(expected);
  }

  private static List<String> reasons(OneInputStreamOperatorTestHarness<?, ?> harness) {
    return harness.getSideOutput(DeadLetterOutputs.DEAD).stream()
        .map(StreamRecord::getValue)
        .map(letter -> letter.reason() + letter.row())
        .toList();
  }

  /** Rows have a norm of sqrt(1 + the scaled values' squares), here of at most 2. */
  @Test
  void valuesAndRowsThatDoNotFitAreCounted() throws Exception {
    StreamRequest asked = OperatorFixture.small().plan().request();
    RowSchema tight = RowSchema.of(asked.schema().columns(), 1.0, 1.5, MissingValues.REJECT);
    StreamRequest changed =
        new StreamRequest(
            asked.stream(),
            tight,
            asked.budget(),
            asked.scope(),
            asked.expectedRows(),
            asked.assumptions(),
            asked.sketches());
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness =
        opened(OperatorFixture.settings(StreamPlan.of(changed), OperatorFixture.SECONDS));
    send(
        harness,
        row(0, 0, 500), // in all ranges, and short
        row(1, "{\"a\":3,\"b\":5,\"y\":0}"), // a is too large
        row(2, "{\"a\":-2,\"b\":11,\"y\":9}"), // each is out of its range, the row too long
        row(3, "{\"a\":1,\"b\":0,\"y\":-5}"), // too long only
        row(4, "{\"a\":7,\"b\":11}")); // no row at all
    harness.prepareSnapshotPreBarrier(1); // rows are clipped when they are encoded, many at once
    assertThat(fixture.count("clampedRows", "a")).isEqualTo(2);
    assertThat(fixture.count("clampedRows", "b")).isEqualTo(1);
    assertThat(fixture.count("clampedRows", "y")).isEqualTo(1);
    assertThat(fixture.count("clampedValues")).isEqualTo(4);
    assertThat(fixture.count("clippedRows")).isEqualTo(2);
    assertThat(fixture.count("rows")).isEqualTo(4);
    assertThat(fixture.count("deadLetters")).isEqualTo(1);
  }

  private static RowRecord row(int partition, long offset, long timestamp) {
    return new RowRecord(
        partition, offset, timestamp, true, Optional.empty(), Optional.of(ROW.getBytes(UTF_8)));
  }

  private static RowRecord row(long offset, String json) {
    return new RowRecord(0, offset, 500, true, Optional.empty(), Optional.of(json.getBytes(UTF_8)));
  }

  private static void send(
      OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness, RowRecord... rows)
      throws Exception {
    OperatorFixture.sendRows(harness, rows);
  }

  private OneInputStreamOperatorTestHarness<RowRecords, CellMessage> opened(
      SketchJobSettings settings) throws Exception {
    return restored(settings, new OperatorSubtaskState[0]);
  }

  private OneInputStreamOperatorTestHarness<RowRecords, CellMessage> restored(
      SketchJobSettings settings, OperatorSubtaskState... state) throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness =
        new OneInputStreamOperatorTestHarness<>(
            new FoldOperator(settings),
            OperatorFixture.serializer(RowRecords.TYPE),
            fixture.environment());
    harnesses.add(harness);
    OperatorFixture.open(harness, CellMessage.TYPE, state);
    return harness;
  }

  private static StartState topicIds(String ids) {
    return new StartState(HeldReleases.NONE, Set.of(), ids, Instant.EPOCH, List.of(), JobEnd.NEVER);
  }
}

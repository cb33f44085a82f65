package io.gauze.pipeline.read;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.job.StreamFixture;
import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.RowRecord;
import io.gauze.ledger.HeldReleases;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowSchema;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.Block;
import io.gauze.stream.CellMessage;
import io.gauze.stream.PartialEpoch;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.DebeziumEvents;
import io.gauze.testing.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a user's bound lets in, and what changes of a table leave of it. */
final class KeyedFoldOperatorTest {
  private static final SketchJobSettings TWO_A_SECOND =
      settings(BudgetScope.users("user", 2), new RecordFormat.Json(), false);
  private static final SketchJobSettings UPSERTS =
      settings(BudgetScope.keys(3), new RecordFormat.Json(), true);

  private static final SketchJobSettings EVENTS =
      settings(BudgetScope.keys(3), new RecordFormat.DebeziumJson(ReplicaIdentity.FULL), false);

  private static final SketchJobSettings EVENTS_OF_KEYS =
      settings(BudgetScope.keys(3), new RecordFormat.DebeziumJson(ReplicaIdentity.KEY), false);

  /** The last epoch whose releases are out. */
  private static final long[] RELEASED = {-1};

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<Harness> harnesses = new ArrayList<>();
  private long offset;

  /** A shorter name. */
  private static final class Harness
      extends KeyedOneInputStreamOperatorTestHarness<String, RoutedRecord, CellMessage> {
    Harness(SketchJobSettings settings, OperatorFixture fixture) throws Exception {
      super(
          new KeyedFoldOperator(
              settings, given -> HeldReleases.copyOf(given.releaseIds(0, RELEASED[0]))),
          RoutedRecord::key,
          Types.STRING,
          fixture.environment());
    }
  }

  private static SketchJobSettings settings(BudgetScope unit, RecordFormat format, boolean upsert) {
    return OperatorFixture.settings(OperatorFixture.plan(1, 512, unit), OperatorFixture.SECONDS)
        .withRandomness(Randomness.noiseFreeForTests(1))
        .withInput(new RowInput(format, upsert, "", "", List.of(SketchJobSettings.NO_GROUP)));
  }

  @AfterEach
  void close() throws Exception {
    RELEASED[0] = -1;
    for (Harness each : harnesses) {
      each.close();
    }
  }

  @Test
  void theFirstRowsOfAUserAndEpochCount() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(
        harness,
        user("ann", 0.75, -1), // before the first epoch
        user("ann", 0.25, 100),
        user("bob", 0.5, 200),
        user("ann", -0.25, 300),
        user("ann", 0.75, 400), // one too many
        user("ann", 1, 1400)); // the next second
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.25, 0.5, -0.25), 1L, moments(1)));
    assertThat(fixture.count("droppedByUserBound")).isEqualTo(1);
    assertThat(fixture.count("rowsBeforeFirstEpoch")).isEqualTo(1);
    assertThat(fixture.count("rows")).isEqualTo(4);
  }

  @Test
  void aBadRowTakesNoPlace() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(
        harness,
        user("ann", 0.25, 100),
        record("ann", "{\"a\":\"x\",\"user\":\"ann\"}", 200),
        user("ann", 0.5, 300));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.25, 0.5)));
    assertThat(reasons(harness)).hasSize(1);
  }

  /** Else a bound on the keys would be none on the users. */
  @Test
  void theKeyMustBeTheUser() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(
        harness,
        record("session-1", row(0.5, ",\"user\":\"ann\""), 100),
        record("ann", row(0.5, ""), 100));
    assertThat(sums(harness)).isEmpty();
    assertThat(reasons(harness))
        .hasSize(2)
        .allSatisfy(
            reason ->
                assertThat(reason)
                    .contains("field user, the user, is not the record's key")
                    .doesNotContain("session-1", "ann"));
  }

  @Test
  void theKeyMayBeTheUserInsideOfASerializersEnvelope() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(
        harness,
        record("\"ann\"", row(0.5, ",\"user\":\"ann\""), 100),
        record(
            "{\"schema\":{\"type\":\"string\"},\"payload\":\"ann\"}",
            row(0.25, ",\"user\":\"ann\""),
            100));
    assertThat(reasons(harness)).isEmpty();
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.5, 0.25)));
  }

  @Test
  void theKeyMayBeTheUserInAnotherWayToWriteANumber() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(
        harness,
        record("1", row(0.5, ",\"user\":1.0"), 100),
        record("1.0", row(0.25, ",\"user\":\"1\""), 100),
        record("2", row(1, ",\"user\":1.0"), 100));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.5, 0.25)));
    assertThat(reasons(harness)).hasSize(1);
  }

  @Test
  void theBoundHoldsAcrossARestore() throws Exception {
    Harness before = opened(TWO_A_SECOND);
    OperatorFixture.send(before, user("ann", 0.25, 100), user("ann", 0.5, 200));
    before.prepareSnapshotPreBarrier(1);
    OperatorSubtaskState state = before.snapshot(1, 1);
    Harness after = restored(TWO_A_SECOND, state);
    OperatorFixture.send(after, user("ann", 1, 300), user("bob", 1, 300));
    assertThat(sums(after)).isEqualTo(Map.of(0L, moments(1)));
  }

  /**
   * A million users, or a hundred thousand in the default build: who came once must not stay for
   * ever; who may come again must.
   */
  @Test
  void countsOfEpochsThatAreOverAreForgotten() throws Exception {
    int released = Effort.of(60_000, 600_000);
    int open = Effort.of(70_000, 700_000);
    Harness harness = opened(TWO_A_SECOND);
    RELEASED[0] = -1;
    for (int i = 0; i < released; i++) {
      OperatorFixture.send(harness, user("user " + i, 0.5, i % 1000));
    }
    harness.prepareSnapshotPreBarrier(1);
    assertThat(harness.numKeyedStateEntries()).as("not released yet").isEqualTo(released);
    for (int i = 0; i < open; i++) {
      OperatorFixture.send(harness, user("other " + i, 0.5, 1000));
    }
    RELEASED[0] = 0;
    harness.prepareSnapshotPreBarrier(2);
    assertThat(harness.numKeyedStateEntries()).isEqualTo(open);
    OperatorFixture.send(harness, user("other 7", 0.5, 1001), user("other 7", 0.5, 1002));
    assertThat(fixture.count("droppedByUserBound")).isEqualTo(1);
  }

  @Test
  void countsOfARestoredStateAreForgottenToo() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(harness, user("ann", 0.5, 100), user("bob", 0.5, 1100));
    OperatorSubtaskState state = harness.snapshot(1, 1);
    RELEASED[0] = 0;
    Harness after = restored(TWO_A_SECOND, state);
    after.prepareSnapshotPreBarrier(2);
    assertThat(after.numKeyedStateEntries()).isEqualTo(1);
  }

  @Test
  void upsertsLeaveTheLastRowOfAKey() throws Exception {
    Harness harness = opened(UPSERTS);
    OperatorFixture.send(
        harness,
        record("k1", row(0.25, ""), 100),
        record("k2", row(0.5, ""), 200),
        record("k1", row(0.75, ""), 300),
        record("k3", row(1, ""), 400),
        tombstone("k3", 500));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.75, 0.5)));
    assertThat(reasons(harness)).isEmpty();
  }

  @Test
  void whatIsTakenBackIsTakenBackToTheLastBitWheneverItIs() throws Exception {
    Harness before = opened(UPSERTS);
    OperatorFixture.send(before, record("k1", row(0.3, ""), 100), record("k2", row(0.7, ""), 200));
    Map<Long, List<Long>> first = allSums(before);
    OperatorSubtaskState state = before.snapshot(1, 1);
    Harness after = restored(UPSERTS, state);
    OperatorFixture.send(after, tombstone("k2", 1300), tombstone("k1", 2400));
    Map<Long, List<Long>> later = allSums(after);
    List<Long> total = first.get(0L);
    for (List<Long> change : later.values()) {
      total = plus(total, change);
    }
    assertThat(total).containsOnly(0L);
  }

  /** Where it stood before the clock stepped back, there it is taken away. */
  @Test
  void aClockThatStepsBackTakesNoRowFromASnapshotThatItIsNotIn() throws Exception {
    Harness harness = opened(UPSERTS);
    OperatorFixture.send(
        harness,
        record("k", row(0.25, ""), 1100),
        record("k", row(0.5, ""), 900),
        record("gone", row(0.75, ""), 1200),
        tombstone("gone", 2100),
        record("gone", row(1, ""), 1900));
    assertThat(sums(harness))
        .isEqualTo(Map.of(1L, moments(0.5, 0.75), 2L, plus(moments(1), negative(moments(0.75)))));
  }

  private static List<Long> negative(List<Long> sums) {
    return sums.stream().map(x -> -x).toList();
  }

  @Test
  void aDeletionOfWhatIsNotThereIsADeadLetter() throws Exception {
    Harness harness = opened(UPSERTS);
    OperatorFixture.send(
        harness, tombstone("k1", 100), record("k1", row(0.5, ""), 200), tombstone("k1", 300));
    assertThat(reasons(harness))
        .satisfiesExactly(r -> assertThat(r).contains("a deletion of a row that is not there"));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments()));
  }

  /** Debezium's transform may send a tombstone after the row that says that it is deleted. */
  @Test
  void aRowThatIsMarkedAsDeletedGoes() throws Exception {
    Harness harness = opened(UPSERTS);
    OperatorFixture.send(
        harness,
        record("k1", row(0.5, ",\"__deleted\":\"false\""), 100),
        record("k2", row(0.25, ",\"__deleted\":\"false\""), 100),
        record("k1", row(0.5, ",\"__deleted\":\"true\""), 200),
        tombstone("k1", 200),
        tombstone("k1", 300));
    assertThat(reasons(harness)).isEmpty();
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.25)));
  }

  @Test
  void aMarkedRowOfUsersIsNoRow() throws Exception {
    Harness harness = opened(TWO_A_SECOND);
    OperatorFixture.send(
        harness, record("ann", row(0.5, ",\"user\":\"ann\",\"__deleted\":true"), 100));
    assertThat(sums(harness)).isEmpty();
    assertThat(reasons(harness))
        .satisfiesExactly(r -> assertThat(r).startsWith("the row is marked as deleted"));
  }

  /** Events as a connector sends them, some twice after a crash, one without the row before. */
  @Test
  void changeEventsLeaveTheTable() throws Exception {
    Harness harness = opened(EVENTS);
    OperatorFixture.send(
        harness,
        event("r", "k1", "null", image(0.25), 100),
        event("c", "k2", "null", image(0.5), 200),
        event("c", "k2", "null", image(0.5), 250), // again
        event("u", "k1", image(0.25), image(0.75), 300),
        event("u", "k1", image(0.25), image(0.75), 350), // again
        event("u", "k3", image(0.1), image(0.3), 400), // its insertion was compacted away
        event("u", "k2", "null", image(1), 450),
        event("u", "k3", "{\"a\":0.1}", image(-1), 475), // a key alone
        event("d", "k2", image(0.5), "null", 500), // that was before
        event("d", "k1", image(0.75), "null", 600),
        event("d", "k1", image(0.75), "null", 650), // again
        event("r", "k2", "null", image(1), 700),
        tombstone("k1", 800));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(1, -1)));
    assertThat(reasons(harness))
        .satisfiesExactly(
            r -> assertThat(r).contains("has a row already"),
            r -> assertThat(r).contains("is not the row that is there"),
            r -> assertThat(r).contains("is not the row that is there"),
            r -> assertThat(r).contains("a deletion of a row that is not there"));
  }

  /** Zeros and defaults for columns that PostgreSQL has not told are not the row that was there. */
  @Test
  void ofARowBeforeAChangeTheKeyAloneCounts() throws Exception {
    Harness harness = opened(EVENTS_OF_KEYS);
    String keyAlone = DebeziumEvents.keyAlone("1");
    OperatorFixture.send(
        harness,
        event("r", "k1", "null", image(0.25), 100),
        event("c", "k2", "null", image(0.5), 200),
        event("u", "k1", "null", image(0.75), 300),
        event("u", "k3", "null", image(0.3), 400), // its insertion was compacted away
        event("d", "k2", keyAlone, "null", 500),
        tombstone("k2", 500),
        event("d", "k2", keyAlone, "null", 550), // again
        event("c", "k4", "null", image(1), 600),
        event("u", "k4", image(1), image(-1), 700), // a database that tells all
        event("d", "k3", image(0.3), "null", 800));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments(0.75, -1)));
    assertThat(reasons(harness))
        .satisfiesExactly(r -> assertThat(r).contains("a deletion of a row that is not there"));
  }

  private static String image(double a) {
    return row(a, "");
  }

  private RoutedRecord event(String op, String key, String before, String after, long timestamp) {
    return record(key, DebeziumEvents.postgresql(op, before, after), timestamp);
  }

  /** A column that is left out of an image is not one that is missing in the row. */
  @Test
  void aPartOfTheRowBeforeIsNotTakenForARowWithMissingValues() throws Exception {
    Harness harness = opened(midpoint(EVENTS));
    OperatorFixture.send(
        harness,
        event("c", "k1", "null", "{\"a\":0.25,\"b\":7,\"y\":2}", 100),
        event("c", "k2", "null", "{\"a\":0.5,\"b\":8,\"y\":3}", 150),
        event("u", "k1", "{\"a\":0.25}", "{\"a\":0.75}", 200),
        event("d", "k2", "{\"a\":0.5}", "null", 300));
    assertThat(reasons(harness)).isEmpty();
    assertThat(sums(harness))
        .as("b and y of the row after are in the middle")
        .isEqualTo(Map.of(0L, moments(0.75)));
  }

  private static SketchJobSettings midpoint(SketchJobSettings settings) {
    StreamRequest asked = settings.plan().request();
    RowSchema schema = asked.schema();
    StreamRequest changed =
        new StreamRequest(
            asked.stream(),
            RowSchema.of(
                schema.columns(), schema.intercept(), schema.rowBound(), MissingValues.MIDPOINT),
            asked.budget(),
            asked.scope(),
            asked.expectedRows(),
            asked.assumptions(),
            asked.sketches());
    return OperatorFixture.settings(StreamPlan.of(changed), OperatorFixture.SECONDS)
        .withRandomness(Randomness.noiseFreeForTests(1))
        .withInput(settings.input());
  }

  /** The row of before is no row of the table any more. */
  @Test
  void aRowThatCannotBeEncodedTakesTheOneBeforeAway() throws Exception {
    Harness harness = opened(UPSERTS);
    OperatorFixture.send(
        harness, record("k1", row(0.5, ""), 100), record("k1", "{\"a\":\"x\"}", 200));
    assertThat(sums(harness)).isEqualTo(Map.of(0L, moments()));
    assertThat(reasons(harness)).hasSize(1);
  }

  @Test
  void changesBelongToTheSnapshotsOfTheirTime() throws Exception {
    SketchJobSettings fromTheFifth =
        OperatorFixture.settings(UPSERTS.plan(), new EpochSchedule(1000, 5, true, 0))
            .withRandomness(Randomness.noiseFreeForTests(1))
            .withInput(UPSERTS.input());
    Harness harness = opened(fromTheFifth);
    OperatorFixture.send(
        harness,
        record("k1", row(0.25, ""), 100), // long before the first snapshot: in it
        record("k2", row(0.5, ""), 6100),
        record("k3", row(0.75, ""), 7999),
        record("k4", row(1, ""), 8000)); // after the third and last one
    assertThat(sums(harness))
        .isEqualTo(Map.of(5L, moments(0.25), 6L, moments(0.5), 7L, moments(0.75)));
    assertThat(fixture.count("changesAfterLastSnapshot")).isEqualTo(1);
  }

  /** An update takes one row away and adds another; only rows to come are looked at. */
  @Test
  void metricsCountRemovalsAndAdditions() throws Exception {
    Harness harness = opened(EVENTS);
    OperatorFixture.send(
        harness,
        event("c", "k1", "null", image(3), 100),
        event("u", "k1", image(3), image(0.5), 200),
        event("d", "k1", image(0.5), "null", 300));
    assertThat(fixture.count("rows")).isEqualTo(4);
    assertThat(fixture.count("clampedRows", "a")).isEqualTo(1);
    assertThat(fixture.count("clampedRows", "y")).isZero();
    assertThat(fixture.count("clampedValues")).isEqualTo(1);
    assertThat(fixture.count("clippedRows")).isZero();
    assertThat(fixture.count("sketchBytes"))
        .isEqualTo(PartialEpoch.bytes(EVENTS.plan(), PartialEpoch.batchRows(EVENTS.plan())));
    harness.prepareSnapshotPreBarrier(1);
    assertThat(fixture.count("sketchBytes")).isZero();
  }

  // -- helpers

  private RoutedRecord user(String user, double a, long timestamp) {
    return record(user, row(a, ",\"user\":\"" + user + "\""), timestamp);
  }

  private static String row(double a, String more) {
    return "{\"a\":" + a + ",\"b\":5,\"y\":0" + more + "}";
  }

  private RoutedRecord record(String key, String value, long timestamp) {
    return routed(key, Optional.of(value.getBytes(UTF_8)), timestamp);
  }

  private RoutedRecord tombstone(String key, long timestamp) {
    return routed(key, Optional.empty(), timestamp);
  }

  private RoutedRecord routed(String key, Optional<byte[]> value, long timestamp) {
    return new RoutedRecord(
        key,
        RoutedRecord.Part.WHOLE,
        new RowRecord(0, offset++, timestamp, true, Optional.of(key.getBytes(UTF_8)), value));
  }

  /**
   * The second moments of rows with these values of a, and b and y in the middle of their range.
   */
  private static List<Long> moments(double... values) throws Exception {
    RowEncoder encoder = new RowEncoder(UPSERTS.plan().schema());
    EncodedRow row = new EncodedRow(4);
    long[] sums = new long[10];
    for (double a : values) {
      encoder.begin();
      encoder.number(0, a);
      encoder.number(1, 5);
      encoder.number(2, 0);
      encoder.encode(row);
      int at = 0;
      for (int i = 0; i < 4; i++) {
        for (int j = i; j < 4; j++) {
          sums[at++] += (long) row.values()[i] * row.values()[j];
        }
      }
    }
    return StreamFixture.longs(sums);
  }

  /** The moments that come out before a barrier, by epoch. */
  private static Map<Long, List<Long>> sums(Harness harness) throws Exception {
    return sums(harness, "moments");
  }

  /** The buckets, whose rows have random places and signs. */
  private static Map<Long, List<Long>> allSums(Harness harness) throws Exception {
    return sums(harness, "buckets");
  }

  private static Map<Long, List<Long>> sums(Harness harness, String sketch) throws Exception {
    harness.prepareSnapshotPreBarrier(7);
    Map<Long, List<Long>> sums = new TreeMap<>();
    for (CellMessage message : OperatorFixture.take(harness)) {
      if (message.cell().sketch().equals(sketch)) {
        assertThat(message.kind()).isEqualTo(CellMessage.Kind.PARTIAL);
        sums.merge(
            message.epoch(),
            StreamFixture.longs(Block.longs(message.block())),
            KeyedFoldOperatorTest::plus);
      }
    }
    return sums;
  }

  private static List<Long> plus(List<Long> a, List<Long> b) {
    List<Long> sum = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      sum.add(a.get(i) + b.get(i));
    }
    return sum;
  }

  private static List<String> reasons(Harness harness) {
    if (harness.getSideOutput(DeadLetterOutputs.DEAD) == null) {
      return List.of();
    }
    return harness.getSideOutput(DeadLetterOutputs.DEAD).stream()
        .map(StreamRecord::getValue)
        .map(DeadLetter::reason)
        .toList();
  }

  private Harness opened(SketchJobSettings settings) throws Exception {
    return restored(settings);
  }

  private Harness restored(SketchJobSettings settings, OperatorSubtaskState... state)
      throws Exception {
    Harness harness = new Harness(settings, fixture);
    harnesses.add(harness);
    OperatorFixture.open(harness, CellMessage.TYPE, state);
    return harness;
  }
}

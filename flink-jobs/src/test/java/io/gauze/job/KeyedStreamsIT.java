package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.DebeziumEvents;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.testing.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Users whose rows are bounded, and tables whose rows change, through a real broker and Flink. */
@ExtendWith(SharedCluster.class)
final class KeyedStreamsIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(5);
  private static final RowInput UPSERTS = input(true);
  private static final RowInput EVENTS = events(ReplicaIdentity.FULL, "");
  private static final RowInput EVENTS_OF_POSTGRESQL = events(ReplicaIdentity.KEY, "id");
  private static final StreamFixture.Slot ALL =
      new StreamFixture.Slot(SketchJobSettings.NO_GROUP, 0);

  private static RowInput input(boolean upsert) {
    return new RowInput(
        new RecordFormat.Json(), upsert, "", "", List.of(SketchJobSettings.NO_GROUP));
  }

  private static RowInput events(ReplicaIdentity identity, String keyField) {
    return new RowInput(
        new RecordFormat.DebeziumJson(identity),
        false,
        keyField,
        "",
        List.of(SketchJobSettings.NO_GROUP));
  }

  /** Zipf-like: one user has a third of all rows. */
  @Test
  void theFirstRowsOfAUserCountWhateverTheParallelismAndCrashes() throws Exception {
    StreamFixture stream =
        new StreamFixture(
            EpochSchedule.all(), NO_NOISE, BudgetScope.users("user", 3), input(false));
    SplittableRandom random = new SplittableRandom(11);
    List<StreamFixture.Keyed> rows = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      int user = (int) (200 * Math.pow(random.nextDouble(), 5));
      String id = "u" + user;
      String row = StreamFixture.row(random);
      rows.add(keyed(id, row.substring(0, row.length() - 1) + ",\"user\":\"" + id + "\"}"));
    }
    stream.send(rows);
    Map<String, List<Long>> expected =
        stream.expected(
            log -> {
              Map<String, Integer> counts = new HashMap<>();
              List<ConsumerRecord<byte[], byte[]>> first = new ArrayList<>();
              for (ConsumerRecord<byte[], byte[]> record : log) {
                if (counts.merge(new String(record.key(), UTF_8), 1, Integer::sum) <= 3) {
                  first.add(record);
                }
              }
              assertThat(first).hasSizeLessThan(600);
              return Map.of(ALL, first);
            });
    for (int parallelism : new int[] {1, 3}) {
      assertThat(run(stream, parallelism, FaultInjection.NONE))
          .isEqualTo(StreamFixture.once(expected));
    }
    CrashPlan crashes =
        new CrashPlan("crashing users")
            .at(FaultInjection.Step.FOLD_ROW, 700)
            .at(FaultInjection.Step.FOLD_FLUSH, 2)
            .at(FaultInjection.Step.SEAL, 1);
    int before = CrashPlan.crashes();
    assertThat(run(stream, 2, crashes)).isEqualTo(StreamFixture.once(expected));
    assertThat(CrashPlan.crashes() - before).isEqualTo(3);
  }

  private static Map<String, java.util.Set<List<Long>>> run(
      StreamFixture stream, int parallelism, FaultInjection probe) throws Exception {
    StreamFixture.Output output = stream.newOutput();
    SketchJobSettings job = stream.prepare(output, true).settings();
    stream.run(job.withProbe(probe), parallelism);
    return output.bodies();
  }

  @Test
  void aTableWhoseRowsAreAllDeletedIsZero() throws Exception {
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.keys(1), UPSERTS);
    SplittableRandom random = new SplittableRandom(3);
    List<StreamFixture.Keyed> changes = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      keys.add("k" + i);
      changes.add(keyed("k" + i, StreamFixture.row(random)));
    }
    Collections.shuffle(keys, new Random(4));
    keys.subList(0, 700).forEach(key -> changes.add(keyed(key, StreamFixture.row(random))));
    Collections.shuffle(keys, new Random(5));
    keys.forEach(key -> changes.add(tombstone(key)));
    stream.send(changes);
    assertLeavesZero(stream, new CrashPlan("zero").at(FaultInjection.Step.FOLD_ROW, 1500));
  }

  /** The job takes every record, with one crash, and releases nothing but zeros. */
  private static void assertLeavesZero(StreamFixture stream, CrashPlan crash) throws Exception {
    int before = CrashPlan.crashes();
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings().withProbe(crash), 2);
    assertThat(CrashPlan.crashes() - before).isEqualTo(1);
    assertThat(output.bodies().values())
        .hasSize(2)
        .allSatisfy(
            bodies ->
                assertThat(bodies).singleElement().satisfies(s -> assertThat(s).containsOnly(0L)));
    assertThat(TopicReader.all(output.topics().deadLetters())).isEmpty();
    assertThat(TopicReader.all(output.topics().late())).isEmpty();
  }

  /** As Debezium's transform unwraps events, and rewrites deletions; each in its schema. */
  @Test
  void rowsThatAreMarkedAsDeletedLeaveZero() throws Exception {
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.keys(1), UPSERTS);
    SplittableRandom random = new SplittableRandom(8);
    List<StreamFixture.Keyed> changes = new ArrayList<>();
    for (String deleted : List.of("false", "true")) {
      for (int i = 0; i < 300; i++) {
        String row = StreamFixture.row(random);
        String marked = row.substring(0, row.length() - 1) + ",\"__deleted\":\"" + deleted + "\"}";
        changes.add(
            keyed("k" + i, i % 2 == 0 ? marked : "{\"schema\":{},\"payload\":" + marked + "}"));
      }
    }
    stream.send(changes);
    assertLeavesZero(stream, new CrashPlan("marked").at(FaultInjection.Step.FOLD_ROW, 400));
  }

  /** The schema around a key gains a default: rows are replaced and deleted all the same. */
  @Test
  void aKeyIsOneUnderTwoSchemas() throws Exception {
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.keys(1), UPSERTS);
    SplittableRandom random = new SplittableRandom(6);
    List<StreamFixture.Keyed> changes = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      changes.add(keyed(envelope("", i), StreamFixture.row(random)));
    }
    for (int i = 0; i < 200; i++) {
      changes.add(keyed(envelope(",\"default\":0", i), StreamFixture.row(random)));
    }
    for (int i = 0; i < 200; i++) {
      changes.add(tombstone("{\"id\":" + i + ".0}"));
    }
    changes.replaceAll(change -> new StreamFixture.Keyed(0, change.key(), change.value()));
    stream.send(changes);
    assertLeavesZero(stream, new CrashPlan("two schemas").at(FaultInjection.Step.FOLD_ROW, 300));
  }

  private static String envelope(String more, int id) {
    return "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"int32\""
        + more
        + ",\"field\":\"id\"}]},\"payload\":{\"id\":"
        + id
        + "}}";
  }

  @Test
  void updatesLeaveTheSketchOfTheFinalTable() throws Exception {
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.keys(1), UPSERTS);
    stream.send(randomChanges(4000, 300, 7));
    TestTopics.send(stream.topics().rows(), 0, StreamFixture.row(new SplittableRandom(1)));
    Map<String, List<Long>> expected = stream.expected(log -> Map.of(ALL, table(log)));
    for (int parallelism : new int[] {1, 3}) {
      StreamFixture.Output output = stream.newOutput();
      stream.run(stream.prepare(output, true).settings(), parallelism);
      assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
      assertThat(TopicReader.all(output.topics().deadLetters()))
          .as("the record without a key")
          .anySatisfy(
              letter ->
                  assertThat(new String(letter.headers().lastHeader("reason").value(), UTF_8))
                      .contains("has no key"));
    }
  }

  private static List<StreamFixture.Keyed> randomChanges(int count, int keys, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<StreamFixture.Keyed> changes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = "k" + random.nextInt(keys);
      int kind = random.nextInt(10);
      changes.add(
          kind < 2
              ? tombstone(key)
              : keyed(key, kind == 2 ? "{\"a\":\"no number\"}" : StreamFixture.row(random)));
    }
    return changes;
  }

  /** The last row of each key. */
  static List<ConsumerRecord<byte[], byte[]>> table(List<ConsumerRecord<byte[], byte[]>> log) {
    Map<String, ConsumerRecord<byte[], byte[]>> last = new LinkedHashMap<>();
    log.stream()
        .filter(record -> record.key() != null)
        .forEach(record -> last.put(new String(record.key(), UTF_8), record));
    return List.copyOf(last.values());
  }

  /**
   * As Debezium's connector writes them of a table of PostgreSQL with its default REPLICA IDENTITY:
   * a snapshot, changes, and after each deletion a tombstone.
   */
  @Thorough
  @Test
  void changeEventsOfATableWhoseRowsAreAllDeletedLeaveZero() throws Exception {
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.keys(1), EVENTS_OF_POSTGRESQL);
    ChangeLog log = new ChangeLog(3, false);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      keys.add("k" + i);
      log.insert("k" + i, i < 500 ? "r" : "c");
    }
    Collections.shuffle(keys, new Random(4));
    keys.subList(0, 600).forEach(log::update);
    Collections.shuffle(keys, new Random(5));
    keys.forEach(log::delete);
    stream.send(log.events);
    assertLeavesZero(stream, new CrashPlan("zero events").at(FaultInjection.Step.FOLD_ROW, 2000));
  }

  @Test
  void changeEventsLeaveTheSketchOfTheFinalTable() throws Exception {
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.keys(1), EVENTS);
    ChangeLog log = new ChangeLog(8, true);
    SplittableRandom random = new SplittableRandom(9);
    for (int i = 0; i < 4000; i++) {
      String key = "k" + random.nextInt(300);
      if (!log.table.containsKey(key)) {
        log.insert(key, i < 200 ? "r" : "c");
      } else if (random.nextInt(4) == 0) {
        log.delete(key);
      } else {
        log.update(key);
      }
    }
    stream.send(log.events);
    Map<String, List<Long>> expected = stream.expected(all -> Map.of(ALL, log.finalRows(all)));
    for (int parallelism : new int[] {1, 3}) {
      StreamFixture.Output output = stream.newOutput();
      stream.run(stream.prepare(output, true).settings(), parallelism);
      assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
      assertThat(TopicReader.all(output.topics().deadLetters())).isEmpty();
    }
  }

  /** A table, and the events that Debezium makes of its changes. */
  private static final class ChangeLog {
    private final SplittableRandom random;
    private final boolean fullIdentity;
    private final Map<String, String> table = new LinkedHashMap<>();
    private final List<StreamFixture.Keyed> events = new ArrayList<>();

    ChangeLog(long seed, boolean fullIdentity) {
      random = new SplittableRandom(seed);
      this.fullIdentity = fullIdentity;
    }

    private String row(String key) {
      return "{\"id\":\"" + key + "\"," + StreamFixture.row(random).substring(1);
    }

    void insert(String key, String op) {
      String row = row(key);
      table.put(key, row);
      events.add(event(key, op, "null", row));
    }

    void update(String key) {
      String row = row(key);
      String old = table.put(key, row);
      events.add(event(key, "u", fullIdentity ? old : "null", row));
    }

    void delete(String key) {
      String old = table.remove(key);
      String keyAlone = DebeziumEvents.keyAlone("\"" + key + "\"");
      events.add(event(key, "d", fullIdentity ? old : keyAlone, "null"));
      events.add(tombstone(key));
    }

    private static StreamFixture.Keyed event(String key, String op, String before, String after) {
      return keyed(key, DebeziumEvents.postgresql(op, before, after));
    }

    /** The rows of the table, under the places of the events that brought them. */
    List<ConsumerRecord<byte[], byte[]>> finalRows(List<ConsumerRecord<byte[], byte[]>> log) {
      List<ConsumerRecord<byte[], byte[]>> rows = new ArrayList<>();
      for (ConsumerRecord<byte[], byte[]> last : table(log)) {
        if (last.value() != null) {
          rows.add(
              new ConsumerRecord<>(
                  last.topic(),
                  last.partition(),
                  last.offset(),
                  last.key(),
                  table.get(new String(last.key(), UTF_8)).getBytes(UTF_8)));
        }
      }
      assertThat(rows).hasSameSizeAs(table.entrySet());
      return rows;
    }
  }

  /**
   * Four snapshots, two seconds apart; between them the job is stopped and goes on with another
   * parallelism, and from then on crashes at a change, at a seal and when a release is spent;
   * changes after the last one are in none.
   */
  @Test
  void snapshotsHoldTheTableAsItWasAndThereAreNoMoreThanPlanned() throws Exception {
    SharedCluster.cluster();
    int snapshots = 4;
    Instant from = Instant.now().plusSeconds(4);
    EpochSchedule schedule =
        EpochSchedule.of(Duration.ofSeconds(2), from, true, Duration.ofMillis(300));
    StreamFixture stream =
        new StreamFixture(schedule, NO_NOISE, BudgetScope.keys(snapshots), UPSERTS);
    StreamFixture.Output output = stream.newOutput();
    CrashPlan crashes =
        new CrashPlan("table")
            .at(FaultInjection.Step.FOLD_ROW, 150)
            .at(FaultInjection.Step.SEAL, 2)
            .at(FaultInjection.Step.AFTER_SPENT, 3);
    int before = CrashPlan.crashes();
    stream.send(randomChanges(500, 100, 1)); // before the first epoch: a part of the first snapshot
    SketchPreflight.Prepared prepared = stream.prepare(output, false);
    JobHandle job =
        StreamFixture.submit(SharedCluster.cluster(), prepared.settings(), 1, new Configuration());
    long first = schedule.firstEpoch();
    List<String> ids = prepared.settings().releaseIds(first, first + snapshots - 1);
    try {
      for (int second = 0; second < 14; second++) {
        WallClock.awaitMillis(first * 2000 + second * 900L);
        stream.send(randomChanges(60, 100, 100 + second));
        if (second == 3) {
          String savepoint = SharedCluster.stopWithSavepoint(job);
          Configuration restored = new Configuration();
          restored.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
          SketchJobSettings crashing = prepared.settings().withProbe(crashes);
          job = StreamFixture.submit(SharedCluster.cluster(), crashing, 3, restored);
        }
      }
      TestTopics.read(output.topics().releases(), ids.size());
      SharedCluster.checkpoint(job);
    } finally {
      job.cancel().get();
    }
    assertThat(CrashPlan.crashes() - before).isEqualTo(3);
    Map<String, List<Long>> expected =
        stream.expected(
            log -> {
              Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> tables =
                  new LinkedHashMap<>();
              for (long epoch = first; epoch < first + snapshots; epoch++) {
                long end = (epoch + 1) * 2000;
                tables.put(
                    new StreamFixture.Slot(SketchJobSettings.NO_GROUP, epoch),
                    table(log.stream().filter(record -> record.timestamp() < end).toList()));
              }
              return tables;
            });
    assertThat(expected.keySet()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
  }

  /**
   * The test must wait for an epoch of the wall clock to begin: there is nothing else to wait for.
   */
  private static StreamFixture.Keyed keyed(String key, String value) {
    return new StreamFixture.Keyed(partition(key), key, Optional.of(value));
  }

  private static StreamFixture.Keyed tombstone(String key) {
    return new StreamFixture.Keyed(partition(key), key, Optional.empty());
  }

  private static int partition(String key) {
    return Math.floorMod(key.toLowerCase(Locale.ROOT).hashCode(), StreamFixture.PARTITIONS);
  }
}

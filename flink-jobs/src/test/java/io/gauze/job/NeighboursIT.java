package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.config.RowTime;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.Thorough;
import io.gauze.testing.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Neighbouring logs through the real job, without noise: what one row changes in all releases
 * together is within the sensitivity that the noise is made for, and nowhere else. Buckets hang on
 * secret places and signs, which move with the offsets; so only moments are compared.
 */
@Thorough
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class NeighboursIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(12);
  private static final long SECOND = 1000;
  private static final long LATENESS = 30_000;
  private static final long SNAPSHOT = 3 * SECOND; // long enough for a slow machine to send in
  private static final int EPOCHS = 5;
  private static final RowInput UPSERTS =
      new RowInput(new RecordFormat.Json(), true, "", "", List.of(SketchJobSettings.NO_GROUP));
  private static final RowInput EVENTS =
      new RowInput(
          new RecordFormat.DebeziumJson(ReplicaIdentity.KEY),
          false,
          "",
          "",
          List.of(SketchJobSettings.NO_GROUP));

  /** The moments of each epoch. */
  private record Sums(Map<String, List<Long>> byId) {}

  private AppendOnly appendOnly;
  private History history;
  private Update update;

  /** The epochs of all tests go by at the same time, once the logs of the first are written. */
  @BeforeAll
  void writeTheLogs() throws Exception {
    SharedCluster.cluster();
    appendOnly = AppendOnly.write();
    history = History.create();
    update = Update.create();
    EpochSchedule schedule =
        EpochSchedule.of(
            Duration.ofMillis(SNAPSHOT),
            Instant.now().plusSeconds(3),
            true,
            Duration.ofMillis(300));
    history = history.by(schedule);
    update = update.by(schedule);
    SplittableRandom ofHistory = new SplittableRandom(9);
    SplittableRandom ofUpdate = new SplittableRandom(10);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      WallClock.awaitMillis((schedule.firstEpoch() + epoch) * SNAPSHOT + 200);
      history.send(epoch, ofHistory);
      update.send(epoch, ofUpdate);
    }
    WallClock.awaitMillis(schedule.cutMillis(schedule.firstEpoch() + EPOCHS - 1));
    WallClock.awaitMillis(appendOnly.over());
  }

  /** Logs of which one has a row more, one a row less, and one a row from a year ahead. */
  private record AppendOnly(
      StreamFixture base,
      StreamFixture withOnly,
      StreamFixture withoutMiddle,
      StreamFixture withAhead) {
    static AppendOnly write() throws Exception {
      long now = System.currentTimeMillis();
      EpochSchedule schedule =
          EpochSchedule.of(
                  Duration.ofSeconds(1),
                  Instant.ofEpochMilli(now - 8 * SECOND),
                  true,
                  Duration.ZERO)
              .by(RowTime.event("ts", Duration.ofMillis(LATENESS), Duration.ofSeconds(30)));
      long first = schedule.firstEpoch();
      SplittableRandom random = new SplittableRandom(3);
      List<StreamFixture.Keyed> rows = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        int epoch = random.nextInt(EPOCHS - 1);
        rows.add(row(random, epoch == 2 ? first : first + epoch)); // none in the third
      }
      StreamFixture.Keyed only = row(random, first + 2);
      StreamFixture.Keyed ahead =
          at(random, System.currentTimeMillis() + 365L * 24 * 3600 * SECOND);
      List<StreamFixture.Keyed> without = new ArrayList<>(rows);
      without.remove(150);
      return new AppendOnly(
          stream(schedule, rows),
          stream(schedule, inserted(rows, 150, only)),
          stream(schedule, without),
          stream(schedule, inserted(rows, 150, ahead)));
    }

    /** When all epochs are over. */
    long over() {
      EpochSchedule schedule = base.settings().schedule();
      return schedule.cutMillis(schedule.firstEpoch() + EPOCHS - 1);
    }
  }

  /** First of all: the later it runs, the more epochs are over, and released. */
  @Test
  @Order(1)
  void oneRowOfAnAppendOnlyStreamChangesOneEpochWithinItsBound() throws Exception {
    StreamFixture base = appendOnly.base();
    Sums sums = run(base);
    assertThat(run(appendOnly.withAhead())).as("a clock a year ahead").isEqualTo(sums);
    assertOneEpochDiffers(base, sums, run(appendOnly.withOnly()));
    assertOneEpochDiffers(base, sums, run(appendOnly.withoutMiddle()));
  }

  /** The same changes without and with those of one key, which comes, changes, goes and returns. */
  private record History(StreamFixture without, StreamFixture with) {
    static History create() throws Exception {
      return new History(table(UPSERTS), table(UPSERTS));
    }

    History by(EpochSchedule schedule) {
      return new History(without.by(schedule), with.by(schedule));
    }

    void send(int epoch, SplittableRandom random) throws Exception {
      List<StreamFixture.Keyed> others = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        others.add(keyed("k" + random.nextInt(40), Optional.of(StreamFixture.row(random))));
      }
      without.send(others);
      Optional<String> mine =
          epoch == 3 ? Optional.empty() : Optional.of(StreamFixture.row(random));
      with.send(inserted(others, 11, keyed("mine", mine)));
    }
  }

  /** Any two histories of a key: at each snapshot the tables differ in one row at most. */
  @Test
  void theHistoryOfAKeyChangesEachSnapshotByOneRow() throws Exception {
    List<Map<String, String>> tables = snapshots(history.with());
    List<Boolean> stands = tables.stream().map(table -> table.remove("mine") != null).toList();
    assertThat(stands).as("whether the key is in the snapshot").contains(true, false);
    assertThat(tables).as("of the other keys").isEqualTo(snapshots(history.without()));

    Map<String, Double> distances =
        distances(history.without(), run(history.without()), run(history.with()));
    assertThat(distances.values()).map(distance -> distance > 0).isEqualTo(stands);
    double bound = rowBoundSquared();
    assertThat(distances.values()).allSatisfy(d -> assertThat(d).isLessThanOrEqualTo(bound));
  }

  /** Key to row at the end of each epoch, as the log has it. */
  private static List<Map<String, String>> snapshots(StreamFixture stream) {
    List<ConsumerRecord<byte[], byte[]>> log = TopicReader.all(stream.topics().rows());
    List<Map<String, String>> snapshots = new ArrayList<>();
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
      long end = (stream.settings().schedule().firstEpoch() + epoch + 1) * SNAPSHOT;
      Map<String, String> table = new TreeMap<>();
      KeyedStreamsIT.table(log.stream().filter(row -> row.timestamp() < end).toList()).stream()
          .filter(last -> last.value() != null)
          .forEach(
              last -> table.put(new String(last.key(), UTF_8), new String(last.value(), UTF_8)));
      snapshots.add(table);
    }
    return snapshots;
  }

  /** The same new rows, without and with an update of an old one; as upserts and as events. */
  private record Update(
      StreamFixture without,
      StreamFixture with,
      StreamFixture eventsWithout,
      StreamFixture eventsWith) {
    private static final String OLD = "{\"a\":1,\"b\":10,\"y\":5}";
    private static final String CHANGED = "{\"a\":-1,\"b\":10,\"y\":-5}";

    static Update create() throws Exception {
      return new Update(table(UPSERTS), table(UPSERTS), table(EVENTS), table(EVENTS));
    }

    Update by(EpochSchedule schedule) {
      return new Update(
          without.by(schedule),
          with.by(schedule),
          eventsWithout.by(schedule),
          eventsWith.by(schedule));
    }

    void send(int epoch, SplittableRandom random) throws Exception {
      List<StreamFixture.Keyed> rows = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        rows.add(keyed("k" + epoch + "/" + i, Optional.of(StreamFixture.row(random))));
      }
      List<StreamFixture.Keyed> more = new ArrayList<>(rows);
      if (epoch == 0) {
        rows.add(keyed("mine", Optional.of(OLD)));
        more.add(keyed("mine", Optional.of(OLD)));
      }
      if (epoch == 3) {
        more.add(11, keyed("mine", Optional.of(CHANGED)));
      }
      without.send(rows);
      with.send(more);
      eventsWithout.send(events(rows));
      eventsWith.send(events(more));
    }

    /** What Debezium makes of upserts: of a value that has been there before, an update. */
    private static List<StreamFixture.Keyed> events(List<StreamFixture.Keyed> upserts) {
      return upserts.stream()
          .map(
              upsert -> {
                String value = upsert.value().orElseThrow();
                boolean update = value.equals(CHANGED);
                String event =
                    "{\"before\":"
                        + (update ? OLD : "null")
                        + ",\"after\":"
                        + value
                        + ",\"op\":\""
                        + (update ? "u" : "c")
                        + "\",\"ts_ms\":1}";
                return keyed(upsert.key(), Optional.of(event));
              })
          .toList();
    }
  }

  /**
   * Two rows at right angles, each as long as a row may be: before the fourth snapshot the key's
   * row is the same, and from then on the tables are sqrt 2 B^2 apart, as far as they may be.
   */
  @Test
  void anUpdateOfAnOldRowChangesOnlyTheSnapshotsFromThenOn() throws Exception {
    Sums before = run(update.without());
    Sums after = run(update.with());
    assertOnlyTheUpdateIsSeen(distances(update.without(), before, after));
    assertThat(run(update.eventsWithout())).as("what the changes come as").isEqualTo(before);
    assertThat(run(update.eventsWith())).isEqualTo(after);
  }

  private static void assertOnlyTheUpdateIsSeen(Map<String, Double> distances) {
    List<Double> bySnapshot = List.copyOf(distances.values());
    assertThat(bySnapshot).hasSize(EPOCHS);
    assertThat(bySnapshot.subList(0, 3)).containsOnly(0.0);
    double bound = Math.sqrt(2.0) * rowBoundSquared();
    assertThat(bySnapshot.subList(3, EPOCHS))
        .allSatisfy(d -> assertThat(d).isBetween(0.99 * bound, (1 + 1e-12) * bound));
  }

  private static void assertOneEpochDiffers(StreamFixture stream, Sums a, Sums b) {
    assertThat(b.byId().keySet()).isEqualTo(a.byId().keySet());
    Map<String, Double> distances = distances(stream, a, b);
    assertThat(distances.values().stream().filter(d -> d > 0)).hasSize(1);
    assertThat(distances.values())
        .allSatisfy(d -> assertThat(d).isLessThanOrEqualTo(rowBoundSquared()));
  }

  private static double rowBoundSquared() {
    return Math.pow(StreamFixture.schema().rowBound(), 2);
  }

  /** The Frobenius norm of what differs, in the encoded scale, of each release. */
  private static Map<String, Double> distances(StreamFixture stream, Sums a, Sums b) {
    double unit = stream.settings().plan().schema().grid().momentUnit();
    Map<String, Double> distances = new TreeMap<>();
    List<List<Long>> left = List.copyOf(a.byId().values());
    List<List<Long>> right = List.copyOf(b.byId().values());
    List<String> epochs = List.copyOf(a.byId().keySet());
    for (int e = 0; e < epochs.size(); e++) {
      distances.put(epochs.get(e), unit * norm(left.get(e), right.get(e)));
    }
    return distances;
  }

  private static double norm(List<Long> a, List<Long> b) {
    int dimension = StreamFixture.schema().dimension();
    double square = 0.0;
    int at = 0;
    for (int i = 0; i < dimension; i++) {
      for (int j = i; j < dimension; j++) {
        double difference = (double) a.get(at) - b.get(at);
        square += (i == j ? 1.0 : 2.0) * difference * difference;
        at++;
      }
    }
    return Math.sqrt(square);
  }

  /** The moments by epoch, without the name of the stream. */
  private static Sums run(StreamFixture stream) throws Exception {
    StreamFixture.Output output = stream.newOutput();
    SketchPreflight.Prepared prepared = stream.prepare(output, true);
    stream.run(prepared.settings(), 2);
    long first = prepared.settings().schedule().firstEpoch();
    Map<String, List<Long>> byEpoch = new TreeMap<>();
    output
        .bodies()
        .forEach(
            (id, bodies) -> {
              String epoch = id.split("/", -1)[2];
              boolean wanted =
                  id.endsWith("/moments")
                      && Instant.parse(epoch).toEpochMilli() < endOf(prepared, first);
              if (wanted) {
                assertThat(bodies).hasSize(1);
                byEpoch.put(epoch, bodies.iterator().next());
              }
            });
    assertThat(byEpoch).as("every epoch, with rows or without").hasSize(EPOCHS);
    return new Sums(byEpoch);
  }

  private static long endOf(SketchPreflight.Prepared prepared, long first) {
    return (first + EPOCHS) * prepared.settings().schedule().lengthMillis();
  }

  private static StreamFixture stream(EpochSchedule schedule, List<StreamFixture.Keyed> rows)
      throws Exception {
    StreamFixture stream = new StreamFixture(schedule, NO_NOISE, BudgetScope.ROWS, RowInput.JSON);
    stream.send(rows);
    return stream;
  }

  /** Its epochs are yet to be told. */
  private static StreamFixture table(RowInput input) throws Exception {
    EpochSchedule any =
        EpochSchedule.of(Duration.ofMillis(SNAPSHOT), Instant.EPOCH, true, Duration.ZERO);
    return new StreamFixture(any, NO_NOISE, BudgetScope.keys(EPOCHS), input);
  }

  private static List<StreamFixture.Keyed> inserted(
      List<StreamFixture.Keyed> rows, int at, StreamFixture.Keyed row) {
    List<StreamFixture.Keyed> longer = new ArrayList<>(rows);
    longer.add(at, row);
    return longer;
  }

  private static StreamFixture.Keyed keyed(String key, Optional<String> value) {
    return new StreamFixture.Keyed(
        Math.floorMod(key.hashCode(), StreamFixture.PARTITIONS), key, value);
  }

  private static StreamFixture.Keyed row(SplittableRandom random, long epoch) {
    return at(random, epoch * SECOND + random.nextLong(SECOND));
  }

  private static StreamFixture.Keyed at(SplittableRandom random, long time) {
    String row = StreamFixture.row(random);
    return new StreamFixture.Keyed(
        random.nextInt(StreamFixture.PARTITIONS),
        "",
        Optional.of(row.substring(0, row.length() - 1) + ",\"ts\":" + time + "}"));
  }
}

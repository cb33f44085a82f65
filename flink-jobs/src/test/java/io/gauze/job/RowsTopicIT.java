package io.gauze.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.RequiredState;
import io.gauze.source.format.RecordFormat;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.stream.StartBlocker;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Topics whose logs are no longer what they were. */
@ExtendWith(SharedCluster.class)
final class RowsTopicIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(29);

  @Test
  void aTopicThatIsMadeAnewIsAnotherOne() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), NO_NOISE);
    StreamFixture.Output output = stream.newOutput();
    String before = stream.prepare(output, true).settings().topicIds();
    assertThat(before).matches("\\S{22}, \\S{22}");
    assertThat(stream.prepare(output, true).settings().topicIds()).isEqualTo(before);

    String ledger = output.topics().ledger();
    try (Admin admin = TestTopics.admin()) {
      admin.deleteTopics(List.of(ledger)).all().get();
    }
    TestTopics.make(ledger, 1, Map.of("cleanup.policy", "compact"));
    assertThat(stream.prepare(output, true).settings().topicIds())
        .startsWith(before.substring(0, 24))
        .isNotEqualTo(before);
  }

  /** Else the first rows of a user might be others than in the release that is out. */
  @Test
  void theRestOfAnEpochOfUsersIsLeftOutWhenItsFirstRowsAreGone() throws Exception {
    RowInput byField =
        new RowInput(new RecordFormat.Json(), false, "a", "", List.of(SketchJobSettings.NO_GROUP));
    StreamFixture stream =
        new StreamFixture(EpochSchedule.all(), NO_NOISE, BudgetScope.users("a", 3), byField);
    stream.sendRows(50, 1);
    StreamFixture.Output done = stream.newOutput();
    SketchJobSettings job = stream.prepare(done, true).settings();
    stream.run(job, 1);
    List<String> ids = job.releaseIds(0, 0);
    assertThat(ids).hasSize(2);

    StreamFixture.Output half = stream.newOutput();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      ConsumerRecord<byte[], byte[]> first = TopicReader.all(done.topics().ledger()).get(0);
      producer.send(new ProducerRecord<>(half.topics().ledger(), first.key(), first.value())).get();
    }
    assertThat(stream.prepare(half, true).settings().published()).hasSize(1).isSubsetOf(ids);
    try (Admin admin = TestTopics.admin()) {
      TopicPartition partition = new TopicPartition(stream.topics().rows(), 0);
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
    }
    SketchPreflight.Prepared rest = stream.prepare(half, true);
    assertThat(rest.settings().published()).isEqualTo(Set.copyOf(ids));
    assertThat(rest.nothingLeft()).isTrue();
  }

  /** Which rows go for their size depends on all rows before them; settings tell nothing of it. */
  @Test
  void aJobWithoutStateIsRefusedWhereTheLogHasLostRows() throws Exception {
    Duration hour = Duration.ofHours(1);
    EpochSchedule from =
        EpochSchedule.of(hour, Instant.now().minus(hour.multipliedBy(2)), true, Duration.ZERO);
    StreamFixture stream = new StreamFixture(from, NO_NOISE);
    String rows = stream.topics().rows();
    stream.sendRows(50, 1);
    assertThat(gap(stream)).isEmpty();
    deleteBefore(rows, 2, 3);
    assertThat(gap(stream))
        .as("nothing goes for its age or the log's size, and records are gone all the same")
        .startsWith(
            "GZ-LOSTROWS: Rows of epoch " + from.label(from.firstEpoch()) + ", which is next")
        .endsWith("Partition 2 of topic " + rows + " has lost its records before offset 3.");
    assertThat(gap(stream.by(from.from(from.firstEpoch() + 3))))
        .as("from an hour to come")
        .isEmpty();
    assertThat(gap(stream.by(from.from(from.firstEpoch() + 2))))
        .as("all rows are of this hour, and there is none of before")
        .isNotEmpty();

    EpochSchedule days = EpochSchedule.of(Duration.ofDays(1), Instant.now(), false, Duration.ZERO);
    StreamFixture emptied = new StreamFixture(days, NO_NOISE);
    emptied.sendRows(50, 1);
    deleteBefore(emptied.topics().rows(), 0, -1);
    assertThat(gap(emptied))
        .contains(" of topic " + emptied.topics().rows() + " has lost its records");

    SketchJobSettings job = stream.prepare(stream.newOutput(), false).settings();
    assertThatExceptionOfType(PrivacyConflictException.class)
        .isThrownBy(() -> RequiredState.check(job, false))
        .withMessageContaining("set a later epochs.from");
    RequiredState.check(job, true);
  }

  /** A later change of a key takes away the one that an earlier snapshot must hold. */
  @Test
  void aTableIsRefusedWhereItsLogMayBeCompacted() throws Exception {
    EpochSchedule from =
        EpochSchedule.of(
            Duration.ofDays(1), Instant.now().minus(Duration.ofDays(2)), true, Duration.ZERO);
    StreamFixture stream = new StreamFixture(from, NO_NOISE, BudgetScope.keys(4), RowInput.JSON);
    String rows = stream.topics().rows();
    assertThat(gap(stream)).isEmpty();
    set(rows, "cleanup.policy", "compact");
    assertThat(gap(stream))
        .startsWith(
            "GZ-LOSTROWS: Rows of epoch " + from.label(from.firstEpoch()) + ", which is next")
        .contains("Topic " + rows + " was compacted after its end (min.compaction.lag.ms 0)");
    assertThat(gap(stream.by(from.from(from.firstEpoch() + 2)))).as("from today").isEmpty();
    set(rows, "min.compaction.lag.ms", Long.toString(Duration.ofDays(3).toMillis()));
    assertThat(gap(stream)).isEmpty();
    set(rows, "cleanup.policy", "delete");
    set(rows, "retention.ms", Long.toString(Duration.ofDays(7).toMillis()));
    stream.sendRows(50, 1);
    assertThat(gap(stream)).as("it has lost nothing yet").isEmpty();
    deleteBefore(rows, 1, 2);
    assertThat(gap(stream))
        .endsWith("Partition 1 of topic " + rows + " has lost its records before offset 2.");
    set(rows, "retention.ms", "-1");
    assertThat(gap(stream)).as("they are gone all the same").contains("Partition 1 of");
  }

  private static String gap(StreamFixture stream) throws Exception {
    return stream
        .prepare(stream.newOutput(), false)
        .settings()
        .found()
        .reason(StartBlocker.Kind.LOST_ROWS)
        .orElse("");
  }

  /** Up to an offset, or -1 for all. */
  private static void deleteBefore(String topic, int partition, long offset) throws Exception {
    TopicPartition place = new TopicPartition(topic, partition);
    try (Admin admin = TestTopics.admin()) {
      admin.deleteRecords(Map.of(place, RecordsToDelete.beforeOffset(offset))).all().get();
    }
  }

  static void set(String topic, String key, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    try (Admin admin = TestTopics.admin()) {
      admin.incrementalAlterConfigs(Map.of(resource, List.of(change))).all().get();
      while (!admin
          .describeConfigs(List.of(resource))
          .all()
          .get()
          .get(resource)
          .get(key)
          .value()
          .equals(value)) { // the broker applies it a little later
        LockSupport.parkNanos(1_000_000);
      }
    }
  }
}

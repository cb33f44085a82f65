package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.privacy.Randomness;
import io.gauze.release.PrivacyUnit;
import io.gauze.source.RecordFormat;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
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
        new StreamFixture(EpochSchedule.all(), NO_NOISE, new PrivacyUnit.User("a", 3), byField);
    stream.sendRows(50, 1);
    StreamFixture.Output done = stream.newOutput();
    SketchJobSettings job = stream.prepare(done, true).settings();
    stream.run(job, 1);
    List<String> ids = job.releaseIds(0, 0);
    assertThat(ids).hasSize(2);

    StreamFixture.Output half = stream.newOutput();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      ConsumerRecord<byte[], byte[]> first = StreamFixture.all(done.topics().ledger()).get(0);
      producer.send(new ProducerRecord<>(half.topics().ledger(), first.key(), first.value())).get();
    }
    assertThat(stream.prepare(half, true).settings().published()).hasSize(1).isSubsetOf(ids);
    try (Admin admin = TestTopics.admin()) {
      TopicPartition partition = new TopicPartition(stream.topics().rows(), 0);
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
    }
    SketchRun.Prepared rest = stream.prepare(half, true);
    assertThat(rest.settings().published()).isEqualTo(Set.copyOf(ids));
    assertThat(rest.nothingLeft()).isTrue();
  }
}

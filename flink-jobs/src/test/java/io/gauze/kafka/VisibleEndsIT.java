package io.gauze.kafka;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.VisibleEnds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class VisibleEndsIT {
  private final KafkaAccess kafka =
      new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of());

  /** Records 0 to 2 and an aborted one stand in the log; then the first two, then all are gone. */
  @Test
  void theEndIsThatOfTheRecordsThatAreLeft() throws Exception {
    String topic = TestTopics.create("ends", 2);
    TestTopics.send(topic, 0, "a", "b", "c");
    try (KafkaProducer<byte[], byte[]> producer =
        TestTopics.producer(Map.of("transactional.id", topic))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, 0, null, new byte[1])).get();
      producer.abortTransaction();
    }
    assertThat(ends(topic)).isEqualTo(Map.of(0, 3L, 1, 0L));
    delete(topic, 2);
    assertThat(ends(topic)).isEqualTo(Map.of(0, 3L, 1, 0L));
    delete(topic, 3);
    assertThat(ends(topic)).isEqualTo(Map.of(0, 0L, 1, 0L));
  }

  /** A bounded read would else wait without a word. */
  @Test
  void whatIsWaitedForIsSaidAndWhoHoldsIt() throws Exception {
    String topic = TestTopics.create("ends", 2);
    TestTopics.send(topic, 1, "a", "b");
    try (KafkaProducer<byte[], byte[]> other =
            TestTopics.producer(Map.of("transactional.id", "nightly-import"));
        Admin admin = kafka.admin();
        Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      other.initTransactions();
      other.beginTransaction();
      other.send(new ProducerRecord<>(topic, 1, null, new byte[1])).get();
      TestTopics.send(topic, 1, "behind");
      List<String> said = new ArrayList<>();
      VisibleEnds ends =
          new VisibleEnds(
              admin,
              consumer,
              topic,
              Duration.ofMinutes(1),
              line -> {
                said.add(line);
                other.abortTransaction();
              });
      assertThat(ends.find()).isEqualTo(Map.of(0, 0L, 1, 4L));
      assertThat(said)
          .singleElement(as(STRING))
          .startsWith("waiting for partition 1 of topic " + topic)
          .contains("up to offset 4", "transaction of transactional id nightly-import holds")
          .contains("after the last stable offset, 2;", "at most 15 minutes by default");
    }
  }

  private Map<Integer, Long> ends(String topic) throws Exception {
    try (Admin admin = kafka.admin();
        Consumer<byte[], byte[]> consumer = kafka.consumer()) {
      return new VisibleEnds(admin, consumer, topic, Duration.ofMinutes(1)).find();
    }
  }

  private void delete(String topic, long before) throws Exception {
    try (Admin admin = kafka.admin()) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(before)))
          .all()
          .get();
    }
  }
}

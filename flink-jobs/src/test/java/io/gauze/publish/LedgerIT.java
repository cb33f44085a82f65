package io.gauze.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.ledger.StreamStart;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a reader of the ledger makes of a log that is not the one that it has read so far. */
@ExtendWith(SharedCluster.class)
final class LedgerIT {
  private static final String STREAM = "wine";
  private static final String SERIES = "0".repeat(64);

  private final KafkaAccess kafka =
      new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of());
  private final String topic = TestTopics.create("ledger", 1);

  /** The entries of the new topic stand at offsets that were read before. */
  @Test
  void aTopicThatWasMadeAnewIsRefused() throws Exception {
    write(0, 3);
    try (Ledger ledger = new Ledger(kafka, topic)) {
      ledger.refresh();
      try (Admin admin = kafka.admin()) {
        admin.deleteTopics(List.of(topic)).all().get();
      }
      TestTopics.make(topic, 1, Map.of());
      write(7, 8);
      assertThatThrownBy(ledger::refresh)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the ledger topic " + topic + " was made anew since it was opened; start again");
      assertThat(ledger.book().begins(STREAM, SERIES)).doesNotContain(label(7));
    }
    assertThat(Ledger.read(kafka, topic).begins(STREAM, SERIES)).containsExactly(label(7));
  }

  @Test
  void recordsThatAreLostBeforeTheyWereReadAreNotPassedOver() throws Exception {
    write(0, 3);
    try (Ledger ledger = new Ledger(kafka, topic)) {
      ledger.refresh();
      write(3, 8);
      try (Admin admin = kafka.admin()) {
        TopicPartition log = new TopicPartition(topic, 0);
        admin.deleteRecords(Map.of(log, RecordsToDelete.beforeOffset(5))).all().get();
      }
      assertThatThrownBy(ledger::refresh)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "the ledger topic " + topic + " has lost records since it was opened; start again");
    }
  }

  private void write(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Ledger.write(kafka, topic, new StreamStart(STREAM, label(i), SERIES));
    }
  }

  private static String label(int second) {
    return "2026-01-01T00:00:0" + second + "Z";
  }
}

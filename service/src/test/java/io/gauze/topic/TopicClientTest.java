package io.gauze.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;

/** What needs no broker. */
final class TopicClientTest {
  private static final String KEY = "message.timestamp.after.max.ms";

  @Test
  void brokersThatAreTooOldForASettingAreNamed() throws Exception {
    Config settings = new Config(List.of(new ConfigEntry(KEY, "7")));
    assertThat(TopicClient.value(settings, KEY, "rows", "Kafka at b:1")).isEqualTo("7");
    assertThatThrownBy(() -> TopicClient.value(new Config(List.of()), KEY, "rows", "Kafka at b:1"))
        .isInstanceOfSatisfying(
            TopicException.class, e -> assertThat(e.faults().get(0).topic()).isEqualTo("rows"))
        .hasMessage(
            "topic rows: Kafka at b:1 does not know "
                + KEY
                + "; producers' timestamps need Kafka 3.6 or later. Upgrade the brokers, or leave"
                + " out epochs.timestamps: producer.");
  }
}

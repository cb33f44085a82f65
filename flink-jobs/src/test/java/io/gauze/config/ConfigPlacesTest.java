package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.topic.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigPlacesTest {
  /** A default stands where its section begins; without one, in the file. */
  @ParameterizedTest
  @CsvSource({
    "kafka.rows.topic, :19",
    "kafka.releases.topic, :20",
    "kafka.rows, :19",
    "kafka.rows.registry.url, :19",
    "kafka.ledger.topic, :17",
    "kafka, :17",
    "epochs.from, :11",
    "flink.properties.execution.checkpointing.interval, :25",
    "flink.properties.execution.checkpointing.timeout, :24",
    "groups.column, ''",
    "all, ''"
  })
  void saysTheLineOfAKey(String key, String line) throws Exception {
    StreamConfig config = StreamConfig.parse(ConfigText.FILE, ConfigText.GOOD);
    assertThat(config.places().of(key)).isEqualTo(ConfigText.FILE + line + ": ");
    assertThat(config.withBootstrap("h:1").places()).isEqualTo(config.places());
  }

  @Test
  void everyTopicHasItsKey() {
    Topics topics = new Topics("a", "b", "c", "d", "e", "f", "g");
    assertThat("abcdefg".chars().mapToObj(name -> topics.keyOf(Character.toString(name))))
        .containsExactly(
            "kafka.rows.topic",
            "kafka.releases.topic",
            "kafka.ledger.topic",
            "kafka.requests.topic",
            "kafka.answers.topic",
            "kafka.deadLetters.topic",
            "kafka.late.topic");
    assertThatThrownBy(() -> topics.keyOf("h"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Provided value: h");
  }
}

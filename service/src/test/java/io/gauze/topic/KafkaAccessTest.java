package io.gauze.topic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class KafkaAccessTest {
  private static final String FIRST = "reconnect.backoff.ms";
  private static final String MOST = "reconnect.backoff.max.ms";

  @Test
  void aBrokerThatIsAwayIsAskedForLessAndLessOften() {
    assertThat(new KafkaAccess("localhost:1", Map.of()).properties())
        .containsEntry(FIRST, "500")
        .containsEntry(MOST, "10000")
        .containsEntry("bootstrap.servers", "localhost:1");
  }

  /** Kafka refuses a call that may take less time than one of its requests. */
  @Test
  void ourPatienceDoesNotMixWithTheUsers() {
    Optional<Duration> patience = Optional.of(Duration.ofSeconds(10));
    for (String key : List.of("request.timeout.ms", "default.api.timeout.ms")) {
      new KafkaAccess("localhost:1", Map.of(key, "40000")).admin(patience).close(Duration.ZERO);
    }
  }

  /** Kafka takes the first for the most if that is not given; ours would come between. */
  @Test
  void theUsersWordCounts() {
    assertThat(new KafkaAccess("localhost:1", Map.of(FIRST, "20000")).properties())
        .containsEntry(FIRST, "20000")
        .doesNotContainKey(MOST);
    assertThat(new KafkaAccess("localhost:1", Map.of(MOST, "100")).properties())
        .containsEntry(MOST, "100")
        .doesNotContainKey(FIRST);
  }

  /** Kafka's client would begin anew with the addresses a thousand times a second. */
  @Test
  void anAdminWithoutAConnectionDoesNotBeginAnew() {
    String key = "metadata.recovery.strategy";
    KafkaAccess access = new KafkaAccess("localhost:1", Map.of());
    assertThat(access.adminProperties(Optional.empty())).containsEntry(key, "none");
    assertThat(
            new KafkaAccess("localhost:1", Map.of(key, "rebootstrap"))
                .adminProperties(Optional.empty()))
        .containsEntry(key, "rebootstrap");
  }

  @Test
  void aConsumerDoesNotWaitLongAtTheEndOfALog() {
    String key = "fetch.max.wait.ms";
    KafkaAccess access = new KafkaAccess("localhost:1", Map.of());
    assertThat(access.forConsumer(Map.of())).containsEntry(key, "50");
    assertThat(new KafkaAccess("localhost:1", Map.of(key, "300")).forConsumer(Map.of(key, "9")))
        .containsEntry(key, "300");
  }
}

package io.gauze.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
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
}

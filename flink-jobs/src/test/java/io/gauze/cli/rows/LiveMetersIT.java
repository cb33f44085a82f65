package io.gauze.cli.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gauze.cli.UpCommand;
import io.gauze.config.StreamConfig;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What up says when the broker takes no reading. */
@ExtendWith(SharedCluster.class)
final class LiveMetersIT {
  @Test
  void readingsThatAreRefusedAreNoFailureOfAJob() throws Exception {
    StreamConfig stream =
        LiveMeters.stream()
            .configs()
            .get(0)
            .withPlainBroker(SharedCluster.broker().bootstrapServers());
    TestTopics.make(stream.kafka().topics().rows(), 1, Map.of("max.message.bytes", "10"));
    try (LiveMeters meters = LiveMeters.start(stream)) {
      ExecutionException failure =
          catchThrowableOfType(
              ExecutionException.class,
              () -> meters.end().get(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS));
      assertThat(UpCommand.reason(failure))
          .hasMessageStartingWith("the made-up readings cannot be sent any more: ")
          .hasMessageContaining("Start gauze up again")
          .hasMessageNotContaining("job failed");
    }
  }
}

package io.gauze.pipeline.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What a job says of rows that are gone before they were read; LostRowsIT has the rest. */
final class ReadOffsetsTest {
  @Test
  void lostRowsAreToldWithBothOffsets() {
    Message message = ReadOffsets.lostRows("wine", new TopicPartition("rows", 3), 17, 29);
    assertThat(message.is(JobMessage.SKIPPEDROWS)).isTrue();
    assertThat(message.message())
        .isEqualTo(
            "Rows of stream wine are lost: partition 3 was read up to offset 17, and its log begins"
                + " at 29 now.");
    assertThat(message.details()).isEqualTo("The topic is rows.");
  }
}

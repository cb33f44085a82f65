package io.gauze.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A call emits what is at hand, and leaves to the next one what is not. */
final class LogReaderTest {
  private final Deque<InputStatus> polls = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private final CompletableFuture<Void> available = new CompletableFuture<>();
  private final List<KafkaPartitionSplit> splits =
      List.of(new KafkaPartitionSplit(new TopicPartition("rows", 3), 5));
  private final LogReader<String, KafkaPartitionSplit> reader = new LogReader<>(kafkas());

  /** A reader that answers polls with the given states, and notes all other calls. */
  @SuppressWarnings("unchecked")
  private SourceReader<String, KafkaPartitionSplit> kafkas() {
    return (SourceReader<String, KafkaPartitionSplit>)
        Proxy.newProxyInstance(
            SourceReader.class.getClassLoader(),
            new Class<?>[] {SourceReader.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pollNext")) {
                assertThat(arguments[0]).isSameAs(output);
                return polls.remove();
              }
              calls.add(method.getName() + List.of(arguments == null ? new Object[0] : arguments));
              return switch (method.getName()) {
                case "isAvailable" -> available;
                case "snapshotState" -> splits;
                default -> null;
              };
            });
  }

  @SuppressWarnings("unchecked")
  private final ReaderOutput<String> output =
      (ReaderOutput<String>)
          Proxy.newProxyInstance(
              ReaderOutput.class.getClassLoader(),
              new Class<?>[] {ReaderOutput.class},
              (proxy, method, arguments) -> {
                throw new AssertionError("only Kafka's reader emits");
              });

  private void poll(InputStatus expected, int left) throws Exception {
    assertThat(reader.pollNext(output)).isEqualTo(expected);
    assertThat(polls).hasSize(left);
  }

  @Test
  void readsOnWhileThereIsMore() throws Exception {
    polls.addAll(Collections.nCopies(10, InputStatus.MORE_AVAILABLE));
    polls.add(InputStatus.NOTHING_AVAILABLE);
    polls.add(InputStatus.MORE_AVAILABLE);
    polls.add(InputStatus.END_OF_INPUT);
    poll(InputStatus.NOTHING_AVAILABLE, 2);
    poll(InputStatus.END_OF_INPUT, 0);
  }

  @Test
  void letsBarriersPassAfterSomeRecords() throws Exception {
    polls.addAll(Collections.nCopies(2 * LogReader.MOST + 1, InputStatus.MORE_AVAILABLE));
    polls.add(InputStatus.END_OF_INPUT);
    poll(InputStatus.MORE_AVAILABLE, LogReader.MOST + 2);
    poll(InputStatus.MORE_AVAILABLE, 2);
    poll(InputStatus.END_OF_INPUT, 0);
  }

  @Test
  void passesAllElseOn() throws Exception {
    SourceEvent event = new SourceEvent() {};
    reader.start();
    reader.addSplits(splits);
    assertThat(reader.snapshotState(7)).isSameAs(splits);
    assertThat(reader.isAvailable()).isSameAs(available);
    reader.notifyCheckpointComplete(8);
    reader.notifyCheckpointAborted(9);
    reader.handleSourceEvents(event);
    reader.pauseOrResumeSplits(Set.of("a"), Set.of("b"));
    reader.notifyNoMoreSplits();
    reader.close();
    assertThat(calls)
        .containsExactly(
            "start[]",
            "addSplits[" + splits + "]",
            "snapshotState[7]",
            "isAvailable[]",
            "notifyCheckpointComplete[8]",
            "notifyCheckpointAborted[9]",
            "handleSourceEvents[" + event + "]",
            "pauseOrResumeSplits[[a], [b]]",
            "notifyNoMoreSplits[]",
            "close[]");
  }
}

package io.gauze.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** A call hands over what is at hand in one element, and keeps nothing. */
final class LogReaderTest {
  /** The state that a poll returns, after a record if it is one. */
  private record Poll(InputStatus status, boolean isRecord) {
    static final Poll ROW = new Poll(InputStatus.MORE_AVAILABLE, true);
    static final Poll LAST_ROW = new Poll(InputStatus.NOTHING_AVAILABLE, true);
    static final Poll NEXT_SPLIT = new Poll(InputStatus.MORE_AVAILABLE, false);
    static final Poll NOTHING = new Poll(InputStatus.NOTHING_AVAILABLE, false);
    static final Poll END = new Poll(InputStatus.END_OF_INPUT, false);
  }

  private final Deque<Poll> polls = new ArrayDeque<>();
  private final List<String> calls = new ArrayList<>();
  private final List<RowRecords> emitted = new ArrayList<>();
  private final CompletableFuture<Void> available = new CompletableFuture<>();
  private final List<KafkaPartitionSplit> splits =
      List.of(new KafkaPartitionSplit(new TopicPartition("rows", 3), 5));
  private final SimpleCounter count = new SimpleCounter();
  private final LogReader<KafkaPartitionSplit> reader = new LogReader<>(kafkas(), count);
  private Optional<byte[]> value = Optional.empty();
  private long offset;

  /** A reader that answers polls with the given states, and notes all other calls. */
  @SuppressWarnings("unchecked")
  private SourceReader<RowRecord, KafkaPartitionSplit> kafkas() {
    return (SourceReader<RowRecord, KafkaPartitionSplit>)
        Proxy.newProxyInstance(
            SourceReader.class.getClassLoader(),
            new Class<?>[] {SourceReader.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("pollNext")) {
                return answer((ReaderOutput<RowRecord>) arguments[0]);
              }
              calls.add(method.getName() + List.of(arguments == null ? new Object[0] : arguments));
              return switch (method.getName()) {
                case "isAvailable" -> available;
                case "snapshotState" -> splits;
                default -> null;
              };
            });
  }

  private InputStatus answer(ReaderOutput<RowRecord> output) {
    Poll poll = polls.remove();
    if (poll.isRecord()) {
      Optional<byte[]> none = Optional.empty();
      RowRecord row = new RowRecord(3, offset, 500, true, none, value);
      output.createOutputForSplit("rows-3").collect(row, 500);
      output.releaseOutputForSplit("rows-3");
      offset++;
    }
    return poll.status();
  }

  /** What is emitted is collected; a call of anything else fails. */
  @SuppressWarnings("unchecked")
  private final ReaderOutput<RowRecords> output =
      (ReaderOutput<RowRecords>)
          Proxy.newProxyInstance(
              ReaderOutput.class.getClassLoader(),
              new Class<?>[] {ReaderOutput.class},
              (proxy, method, arguments) -> {
                if (!method.getName().equals("collect")) {
                  calls.add(method.getName() + List.of(arguments));
                  return null;
                }
                emitted.add((RowRecords) arguments[0]);
                assertThat(arguments[1]).isEqualTo(500L);
                return null;
              });

  /** A call with its state; the numbers of records of all elements so far; and the polls left. */
  private void poll(InputStatus expected, List<Integer> sizes, int left) throws Exception {
    assertThat(reader.pollNext(output)).isEqualTo(expected);
    assertThat(emitted).extracting(RowRecords::size).isEqualTo(sizes);
    assertThat(polls).hasSize(left);
  }

  private List<Long> offsets() {
    return emitted.stream()
        .flatMap(rows -> IntStream.range(0, rows.size()).mapToObj(rows::get))
        .map(RowRecord::offset)
        .toList();
  }

  @Test
  void handsOverWhatIsAtHand() throws Exception {
    polls.addAll(List.of(Poll.ROW, Poll.ROW, Poll.NEXT_SPLIT, Poll.ROW, Poll.NOTHING));
    polls.addAll(List.of(Poll.LAST_ROW, Poll.NOTHING, Poll.ROW, Poll.END));
    poll(InputStatus.NOTHING_AVAILABLE, List.of(3), 4);
    poll(InputStatus.NOTHING_AVAILABLE, List.of(3, 1), 3);
    poll(InputStatus.NOTHING_AVAILABLE, List.of(3, 1), 2);
    poll(InputStatus.END_OF_INPUT, List.of(3, 1, 1), 0);
    assertThat(offsets()).containsExactly(0L, 1L, 2L, 3L, 4L);
  }

  @Test
  void letsBarriersPassAfterSomeRecords() throws Exception {
    polls.addAll(Collections.nCopies(2 * LogReader.MOST + 1, Poll.ROW));
    polls.add(Poll.END);
    poll(InputStatus.MORE_AVAILABLE, List.of(LogReader.MOST), LogReader.MOST + 2);
    poll(InputStatus.MORE_AVAILABLE, List.of(LogReader.MOST, LogReader.MOST), 2);
    poll(InputStatus.END_OF_INPUT, List.of(LogReader.MOST, LogReader.MOST, 1), 0);
    assertThat(offsets()).containsExactlyElementsOf(LongStream.range(0, offset).boxed().toList());
  }

  /** A barrier waits for some bytes, of as many records as these are. */
  @Test
  void elementsOfLongRecordsHaveFewOfThem() throws Exception {
    value = Optional.of(new byte[LogReader.MOST_BYTES / 2 - 1]);
    polls.addAll(List.of(Poll.ROW, Poll.ROW, Poll.ROW, Poll.ROW, Poll.END));
    poll(InputStatus.MORE_AVAILABLE, List.of(3), 2);
    poll(InputStatus.END_OF_INPUT, List.of(3, 1), 0);
  }

  /** Flink ends the metrics of a split that has ended. */
  @Test
  void endsOfSplitsAreToldToFlink() throws Exception {
    polls.add(Poll.LAST_ROW);
    poll(InputStatus.NOTHING_AVAILABLE, List.of(1), 0);
    assertThat(calls)
        .containsExactly("createOutputForSplit[rows-3]", "releaseOutputForSplit[rows-3]");
  }

  @Test
  void countsRecordsAndNotElements() throws Exception {
    polls.addAll(List.of(Poll.ROW, Poll.ROW, Poll.LAST_ROW, Poll.NOTHING, Poll.LAST_ROW));
    for (int call = 0; call < 3; call++) {
      int before = emitted.size();
      assertThat(reader.pollNext(output)).isEqualTo(InputStatus.NOTHING_AVAILABLE);
      count.inc(emitted.size() - before); // as Flink does
    }
    assertThat(count.getCount()).isEqualTo(4);
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

package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.local.JobHandle;
import io.gauze.privacy.Randomness;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class EpochsIT {
  private static final int EPOCHS = 20;

  /**
   * 20 epochs of a second, 10 of them empty, the last ones too; partition 3 always empty, partition
   * 2 silent from the middle on; partition 1 written by transactions, some aborted, so that its log
   * ends with markers that no reader sees; one transaction stays open until long after its epoch,
   * and hides rows of others behind it.
   */
  @Test
  void everyEpochIsReleasedOnceWithoutFurtherInput() throws Exception {
    SharedCluster.broker(); // started before the clock counts
    SharedCluster.cluster();
    Instant from = Instant.now().plusSeconds(6);
    EpochSchedule schedule =
        EpochSchedule.of(Duration.ofSeconds(1), from, true, Duration.ofMillis(500));
    StreamFixture stream = new StreamFixture(schedule, Randomness.noiseFreeForTests(3));
    StreamFixture.Output output = stream.newOutput();
    stream.sendRows(50, 1); // before the range: late
    SketchRun.Prepared prepared = stream.prepare(output, false);
    JobHandle job =
        StreamFixture.submit(SharedCluster.cluster(), prepared.settings(), 2, new Configuration());
    try {
      sendEveryOtherSecond(stream, schedule);
      List<Long> epochs =
          LongStream.range(0, EPOCHS).mapToObj(i -> schedule.firstEpoch() + i).toList();
      List<String> lastIds =
          prepared.settings().releaseIds(schedule.firstEpoch(), schedule.firstEpoch() + EPOCHS - 1);
      awaitReleases(output, lastIds);
      Map<String, List<Long>> expected = stream.expected(epochs);
      assertThat(
              expected.values().stream().filter(sum -> sum.stream().anyMatch(x -> x != 0)).count())
          .as("sums that are not zero; a slow machine may spill rows into the next second")
          .isBetween(20L, 26L);
      assertThat(output.bodies()).containsAllEntriesOf(StreamFixture.once(expected));
      assertThat(
              StreamFixture.all(output.topics().releases()).stream()
                  .map(r -> new String(r.key(), UTF_8)))
          .doesNotHaveDuplicates();
      assertThat(StreamFixture.all(output.topics().late())).hasSize(50);
    } finally {
      job.cancel().get();
    }
  }

  /** A release an epoch and sketch: 10 epochs with rows make 20 sums that are not zero. */
  private static void sendEveryOtherSecond(StreamFixture stream, EpochSchedule schedule)
      throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> plain = TestTopics.producer(Map.of("linger.ms", 0));
        KafkaProducer<byte[], byte[]> transactional =
            TestTopics.producer(Map.of("transactional.id", "epochs-" + stream.topics().rows()));
        KafkaProducer<byte[], byte[]> slow =
            TestTopics.producer(Map.of("transactional.id", "slow-" + stream.topics().rows()))) {
      transactional.initTransactions();
      slow.initTransactions();
      sent.add(
          at(
              timer,
              (schedule.firstEpoch() + 6) * 1000 + 200,
              () -> {
                slow.beginTransaction();
                send(slow, stream, 1, random);
              }));
      sent.add(
          at(
              timer,
              (schedule.firstEpoch() + 6) * 1000 + 700,
              () -> send(plain, stream, 1, random)));
      sent.add(at(timer, (schedule.firstEpoch() + 10) * 1000 + 200, slow::commitTransaction));
      for (int i = 0; i < EPOCHS; i += 2) {
        int second = i;
        long middle = (schedule.firstEpoch() + i) * 1000 + 400;
        sent.add(
            at(
                timer,
                middle,
                () -> {
                  send(plain, stream, 0, random);
                  if (second < EPOCHS / 2) {
                    send(plain, stream, 2, random);
                  }
                  transactional.beginTransaction();
                  send(transactional, stream, 1, random);
                  if (second % 4 == 0) {
                    transactional.commitTransaction();
                  } else {
                    transactional.abortTransaction();
                  }
                }));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    } finally {
      timer.shutdownNow();
    }
  }

  private interface Action {
    void run() throws Exception;
  }

  private static Future<?> at(ScheduledExecutorService timer, long wallClock, Action action) {
    return timer.schedule(
        () -> {
          action.run();
          return null;
        },
        wallClock - System.currentTimeMillis(),
        TimeUnit.MILLISECONDS);
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer,
      StreamFixture stream,
      int partition,
      SplittableRandom random)
      throws Exception {
    for (int i = 0; i < 10; i++) {
      byte[] row = StreamFixture.row(random).getBytes(UTF_8);
      producer.send(new ProducerRecord<>(stream.topics().rows(), partition, null, row)).get();
    }
  }

  private static void awaitReleases(StreamFixture.Output output, List<String> ids) {
    List<String> seen = new ArrayList<>();
    int wanted = ids.size();
    while (!seen.containsAll(ids)) {
      seen.clear();
      TestTopics.read(output.topics().releases(), wanted)
          .forEach(r -> seen.add(new String(r.key(), UTF_8)));
      wanted = Math.max(wanted, seen.size()) + (seen.containsAll(ids) ? 0 : 1);
    }
  }
}

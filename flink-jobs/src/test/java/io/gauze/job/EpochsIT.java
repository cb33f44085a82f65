package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.local.JobHandle;
import io.gauze.noise.Randomness;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class EpochsIT {
  private static final int BURSTS = Effort.of(3, 10);

  /**
   * Ten bursts of rows, or three in the default build, with an empty epoch of a second after each,
   * the last one too; partition 3 always empty, partition 2 silent from the middle on; partition 1
   * written by transactions, some aborted, so that its log ends with markers that no reader sees;
   * one transaction stays open until long after its epoch, and hides rows of others behind it.
   *
   * <p>A slow machine spreads a burst over more epochs than one. So which epochs have rows is taken
   * from the broker's acknowledgements, and the next burst waits until one second after them has
   * gone by: on any machine at least as many epochs have rows, and as many have none.
   */
  @Test
  void everyEpochIsReleasedOnceWithoutFurtherInput() throws Exception {
    SharedCluster.broker(); // started before the clock counts
    SharedCluster.cluster();
    StreamFixture early =
        StreamFixture.readTwice(
            EpochSchedule.all(), Randomness.noiseFreeForTests(3), RowInput.JSON);
    StreamFixture.Output output = early.newOutput();
    early.sendRows(50, 1); // in no epoch, since the range begins after they are acknowledged
    Instant from = Instant.now().plusSeconds(6);
    EpochSchedule schedule =
        EpochSchedule.of(Duration.ofSeconds(1), from, true, Duration.ofMillis(500));
    StreamFixture stream = early.by(schedule);
    SketchPreflight.Prepared prepared = stream.prepare(output, false);
    JobHandle job =
        StreamFixture.submit(SharedCluster.cluster(), prepared.settings(), 2, new Configuration());
    try {
      Bursts bursts = new Bursts(stream, schedule);
      bursts.send();
      long last = bursts.lastAppend + 1;
      List<Long> epochs = LongStream.rangeClosed(schedule.firstEpoch(), last).boxed().toList();
      awaitReleases(output, prepared.settings().releaseIds(last, last));
      Map<String, List<Long>> expected = stream.expected(epochs);
      assertThat(notZero(expected))
          .as("sums that are not zero")
          .isEqualTo(bursts.releaseIds(prepared.settings()));
      assertThat(bursts.committed).as("epochs with rows").hasSizeGreaterThanOrEqualTo(BURSTS);
      assertThat(epochs.size() - bursts.committed.size())
          .as("epochs without rows")
          .isGreaterThanOrEqualTo(BURSTS);
      assertThat(output.bodies()).containsAllEntriesOf(StreamFixture.once(expected));
      assertThat(
              TopicReader.all(output.topics().releases()).stream()
                  .map(r -> new String(r.key(), UTF_8)))
          .doesNotHaveDuplicates();
      assertThat(TopicReader.all(output.topics().late())).isEmpty();
    } finally {
      job.cancel().get();
    }
  }

  /** Whether a release is all zero without rows: none of a model, selection or transform is. */
  private static boolean isSum(String id) {
    return Stream.of("/second", "/chosen", "/white", "/squares", "/model", "/middle")
        .noneMatch(id::endsWith);
  }

  private static Set<String> notZero(Map<String, List<Long>> sums) {
    return sums.entrySet().stream()
        .filter(sum -> isSum(sum.getKey()))
        .filter(sum -> sum.getValue().stream().anyMatch(x -> x != 0))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Sends the rows, and keeps when the broker appended them. */
  private static final class Bursts {
    /** The epochs of the rows that count. */
    private final Set<Long> committed = new TreeSet<>();

    private final StreamFixture stream;
    private final EpochSchedule schedule;
    private final SplittableRandom random = new SplittableRandom(9);

    /** The epoch of the last row, whether it counts or not. */
    private long lastAppend;

    Bursts(StreamFixture stream, EpochSchedule schedule) {
      this.stream = stream;
      this.schedule = schedule;
      lastAppend = schedule.firstEpoch() - 2;
    }

    void send() throws Exception {
      try (KafkaProducer<byte[], byte[]> plain = TestTopics.producer(Map.of("linger.ms", 0));
          KafkaProducer<byte[], byte[]> transactional = transactional("epochs-");
          KafkaProducer<byte[], byte[]> slow = transactional("slow-")) {
        for (int i = 0; i < BURSTS; i++) {
          awaitEpoch(lastAppend + 2);
          if (i == 3) {
            slow.beginTransaction();
            committed.addAll(rows(slow, 1));
          } else if (i == 5) {
            slow.commitTransaction();
          }
          burst(i, plain, transactional);
          if (i == 3) {
            committed.addAll(rows(plain, 1));
          }
        }
      }
    }

    private void burst(
        int i, KafkaProducer<byte[], byte[]> plain, KafkaProducer<byte[], byte[]> transactional)
        throws Exception {
      committed.addAll(rows(plain, 0));
      if (i < BURSTS / 2) {
        committed.addAll(rows(plain, 2));
      }
      transactional.beginTransaction();
      Set<Long> epochs = rows(transactional, 1);
      if (i % 2 == 0) {
        transactional.commitTransaction();
        committed.addAll(epochs);
      } else {
        transactional.abortTransaction();
      }
    }

    private KafkaProducer<byte[], byte[]> transactional(String name) {
      KafkaProducer<byte[], byte[]> producer =
          TestTopics.producer(Map.of("transactional.id", name + stream.topics().rows()));
      producer.initTransactions();
      return producer;
    }

    /** Appends ten rows, one after the other, and returns the epochs of their append times. */
    private Set<Long> rows(KafkaProducer<byte[], byte[]> producer, int partition) throws Exception {
      Set<Long> epochs = new TreeSet<>();
      for (int i = 0; i < 10; i++) {
        byte[] row = StreamFixture.row(random).getBytes(UTF_8);
        var record =
            new ProducerRecord<byte[], byte[]>(stream.topics().rows(), partition, null, row);
        lastAppend = schedule.epochOf(producer.send(record).get().timestamp());
        epochs.add(lastAppend);
      }
      return epochs;
    }

    private void awaitEpoch(long epoch) throws Exception {
      long wait = epoch * schedule.lengthMillis() + 200 - System.currentTimeMillis();
      CompletableFuture.runAsync(
              () -> {}, CompletableFuture.delayedExecutor(wait, TimeUnit.MILLISECONDS))
          .get();
    }

    Set<String> releaseIds(SketchJobSettings settings) {
      return committed.stream()
          .flatMap(epoch -> settings.releaseIds(epoch, epoch).stream())
          .filter(EpochsIT::isSum)
          .collect(Collectors.toSet());
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

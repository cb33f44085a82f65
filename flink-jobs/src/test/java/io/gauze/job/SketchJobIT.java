package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.noise.Randomness;
import io.gauze.publish.Ledger;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class SketchJobIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(7);
  private static final List<Long> ONE_EPOCH = List.of(0L);

  /** Those of streams whose rows are read once. */
  private static final List<FaultInjection.Step> STEPS =
      Stream.of(FaultInjection.Step.values())
          .filter(
              step -> step != FaultInjection.Step.SECOND_READ && step != FaultInjection.Step.FIT)
          .toList();

  @Test
  void sumsAreTheSameBitsForAnyParallelism() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), NO_NOISE);
    stream.sendRows(5000, 1);
    Map<String, List<Long>> expected = stream.expected(ONE_EPOCH);
    for (int parallelism : new int[] {1, 2, 4}) {
      StreamFixture.Output output = stream.newOutput();
      stream.run(stream.prepare(output, true).settings(), parallelism);
      assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
    }
  }

  @Test
  void malformedRecordsAreDeadLettersAndNothingElseChanges() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), NO_NOISE);
    stream.sendRows(100, 2);
    List<byte[]> bad = new ArrayList<>();
    bad.add("not JSON".getBytes(UTF_8));
    bad.add("{\"a\":0.5,\"b\":3}".getBytes(UTF_8));
    bad.add("{\"a\":\"half\",\"b\":3,\"y\":1}".getBytes(UTF_8));
    bad.add("{\"a\":NaN,\"b\":3,\"y\":1}".getBytes(UTF_8));
    bad.add("{\"a\":0.5,\"b\":1e999,\"y\":1}".getBytes(UTF_8));
    bad.add("{\"a\":Infinity,\"b\":3,\"y\":1}".getBytes(UTF_8));
    bad.add(new byte[0]);
    bad.add(
        ("{\"a\":0.5,\"b\":3,\"y\":1,\"pad\":\"" + "x".repeat(2 << 20) + "\"}").getBytes(UTF_8));
    bad.add("{\"a\":0.5,\"b\":3,\"y\":1}".getBytes(StandardCharsets.UTF_16));
    bad.add(null);
    try (KafkaProducer<byte[], byte[]> producer =
        TestTopics.producer(Map.of("max.request.size", 8_000_000))) {
      for (byte[] value : bad) {
        producer.send(new ProducerRecord<>(stream.topics().rows(), 1, null, value)).get();
      }
      producer
          .send(
              new ProducerRecord<>(
                  stream.topics().rows(),
                  1,
                  null,
                  "{\"a\":0.5,\"b\":1e300,\"y\":1}".getBytes(UTF_8)))
          .get();
    }
    stream.sendRows(100, 3);
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings(), 2);

    assertThat(output.bodies()).isEqualTo(StreamFixture.once(stream.expected(ONE_EPOCH)));
    List<ConsumerRecord<byte[], byte[]>> letters = TopicReader.all(output.topics().deadLetters());
    assertThat(letters).hasSize(bad.size());
    assertThat(letters.stream().map(letter -> header(letter, "reason")).distinct())
        .hasSizeGreaterThanOrEqualTo(7);
    long first = firstBad(stream);
    for (ConsumerRecord<byte[], byte[]> letter : letters) {
      byte[] sent = bad.get((int) (Long.parseLong(header(letter, "offset")) - first));
      assertThat(header(letter, "reason")).isNotBlank().doesNotContain("half");
      assertThat(header(letter, "partition")).isEqualTo("1");
      assertThat(header(letter, "length"))
          .isEqualTo(Integer.toString(sent == null ? -1 : sent.length));
      assertThat(letter.value())
          .isEqualTo(sent == null ? null : Arrays.copyOf(sent, Math.min(sent.length, 64 * 1024)));
    }
  }

  private static long firstBad(StreamFixture stream) {
    return TopicReader.all(stream.topics().rows()).stream()
        .filter(row -> row.value() != null && new String(row.value(), UTF_8).equals("not JSON"))
        .findFirst()
        .orElseThrow()
        .offset();
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader(name).value(), UTF_8);
  }

  /**
   * Three random crashes a run: 24 points in all, or 6 in the default build, half of the runs with
   * real noise.
   */
  @Test
  void crashesChangeNothing() throws Exception {
    StreamFixture noiseFree = new StreamFixture(EpochSchedule.all(), NO_NOISE);
    noiseFree.sendRows(5000, 4);
    Map<String, List<Long>> expected = noiseFree.expected(ONE_EPOCH);
    SplittableRandom random = new SplittableRandom(20);
    int before = CrashPlan.crashes();
    int runs = Effort.of(2, 8);
    for (int run = 0; run < runs; run++) {
      StreamFixture.Output output = noiseFree.newOutput();
      SketchJobSettings job =
          noiseFree.prepare(output, true).settings().withProbe(randomCrashes("run" + run, random));
      boolean noise = run % 2 == 1;
      noiseFree.run(noise ? job.withRandomness(Randomness.SYSTEM) : job, 2);
      output.assertOnce(expected, noise);
      assertThat(
              Ledger.read(job.kafka(), job.topics().ledger())
                  .held(job.plan().stream(), entry -> true))
          .containsExactlyInAnyOrderElementsOf(expected.keySet());
    }
    assertThat(CrashPlan.crashes() - before).isGreaterThanOrEqualTo(Effort.of(5, 20));
  }

  private static CrashPlan randomCrashes(String name, SplittableRandom random) {
    CrashPlan plan = new CrashPlan(name);
    for (int crash = 0; crash < 3; crash++) {
      FaultInjection.Step step = STEPS.get(random.nextInt(STEPS.size()));
      // An epoch is complete once.
      boolean once = step.compareTo(FaultInjection.Step.BEFORE_COMPLETE) >= 0;
      int most = step == FaultInjection.Step.FOLD_ROW ? 5000 : once ? 1 : 2;
      plan.at(step, 1 + random.nextInt(most));
    }
    return plan;
  }

  @Test
  void everyStepSurvivesACrash() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), NO_NOISE);
    stream.sendRows(200, 5);
    Map<String, List<Long>> expected = stream.expected(ONE_EPOCH);
    List<FaultInjection.Step> few =
        List.of(
            FaultInjection.Step.SEAL,
            FaultInjection.Step.AFTER_SPENT,
            FaultInjection.Step.DURING_SEND,
            FaultInjection.Step.DURING_COMPLETE);
    for (FaultInjection.Step step : Effort.of(few, STEPS)) {
      CrashPlan.assertSurvived(stream, "each", step, 1, expected);
    }
  }

  @Test
  void aFreshStartOverTheSameTopicsHasNothingLeft() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), Randomness.SYSTEM);
    stream.sendRows(100, 6);
    StreamFixture.Output output = stream.newOutput();
    SketchPreflight.Prepared first = stream.prepare(output, true);
    assertThat(first.nothingLeft()).isFalse();
    stream.run(first.settings(), 2);
    SketchPreflight.Prepared second = stream.prepare(output, true);
    assertThat(second.nothingLeft()).isTrue();
    assertThat(second.skipped()).hasSize(2);
    stream.run(second.settings(), 2); // even if it ran
    assertThat(output.bodies().values()).allSatisfy(bodies -> assertThat(bodies).hasSize(1));
  }

  /**
   * The first job's ids were not known to the second when it was submitted: only the committer can
   * tell.
   */
  @Test
  void aSecondSumOfAnEpochIsNotSent() throws Exception {
    StreamFixture stream = new StreamFixture(EpochSchedule.all(), Randomness.SYSTEM);
    stream.sendRows(100, 7);
    StreamFixture.Output output = stream.newOutput();
    SketchJobSettings unaware = stream.prepare(output, true).settings();
    stream.run(unaware, 2);
    assertThatThrownBy(() -> stream.run(unaware, 2))
        .satisfies(failure -> assertThat(SketchPreflight.conflict(failure)).isPresent())
        .satisfies(
            failure ->
                assertThat(SketchPreflight.conflict(failure).orElseThrow())
                    .contains("GZ-BODY", "Restore the newest savepoint or checkpoint"));
    assertThat(output.bodies().values()).allSatisfy(bodies -> assertThat(bodies).hasSize(1));
  }

  @Test
  void settingsThatBreakTheProtocolAreRefused() {
    for (String[] wrong :
        new String[][] {
          {"execution.checkpointing.unaligned.enabled", "true"},
          {"execution.runtime-mode", "BATCH"},
          {"state.backend.type", "rocksdb"},
          {"state.changelog.enabled", "true"},
          {"execution.checkpointing.interval", "0 s"},
          {"execution.checkpointing.mode", "AT_LEAST_ONCE"}
        }) {
      Configuration user = new Configuration();
      user.setString(wrong[0], wrong[1]);
      assertThatThrownBy(() -> SketchJob.configuration(user))
          .as(wrong[0])
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong[0])
          .hasMessageContaining("must be");
    }
  }
}

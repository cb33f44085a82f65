package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.EpochSchedule;
import io.gauze.config.ModelMemory;
import io.gauze.local.JobHandle;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.release.Release;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.FaultInjection.Step;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sketches and models for which rows are read twice, beside others, on a real broker. */
@ExtendWith(SharedCluster.class)
final class SecondReadingIT {
  private static final Randomness NO_NOISE = Randomness.noiseFreeForTests(12);
  private static final List<String> GROUPS = List.of("de", "no rows", "fr");
  private static final int EPOCHS = 4;
  private static final int NO_ROWS = 2; // that many epochs after the first

  private static StreamFixture stream(Randomness randomness) throws IOException {
    return StreamFixture.readTwice(
        PastEpochs.of(EPOCHS), randomness, RowInput.JSON.groupedBy("land", GROUPS));
  }

  /** Rows of several hours in any order, and every tenth record one that is no row. */
  private static void send(StreamFixture stream, int rows) {
    SplittableRandom random = new SplittableRandom(rows);
    EpochSchedule schedule = stream.settings().schedule();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (int i = 0; i < rows; i++) {
        int partition = random.nextInt(StreamFixture.PARTITIONS - 1); // the last one has none
        long epoch = schedule.firstEpoch() + (partition == 0 ? 0 : random.nextInt(EPOCHS));
        epoch += epoch == schedule.firstEpoch() + NO_ROWS ? 1 : 0;
        String row = StreamFixture.row(random);
        String land = i % 10 == 0 ? "it" : GROUPS.get(2 * random.nextInt(2));
        var unused = // flushed below
            producer.send(
                new ProducerRecord<>(
                    stream.topics().rows(),
                    partition,
                    epoch * schedule.lengthMillis() + i,
                    null,
                    row.replace("\"x\"", "\"x\",\"land\":\"" + land + "\"").getBytes(UTF_8)));
      }
      producer.flush();
    }
  }

  private static Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> slots(
      EpochSchedule schedule, List<ConsumerRecord<byte[], byte[]>> log) {
    Map<StreamFixture.Slot, List<ConsumerRecord<byte[], byte[]>>> slots = new LinkedHashMap<>();
    for (String group : GROUPS) {
      for (int epoch = 0; epoch < EPOCHS; epoch++) {
        slots.put(new StreamFixture.Slot(group, schedule.firstEpoch() + epoch), new ArrayList<>());
      }
    }
    for (ConsumerRecord<byte[], byte[]> record : log) {
      long epoch = schedule.epochOf(record.timestamp());
      for (String group : GROUPS) {
        if (new String(record.value(), UTF_8).contains("\"" + group + "\"")) {
          slots.getOrDefault(new StreamFixture.Slot(group, epoch), new ArrayList<>()).add(record);
        }
      }
    }
    return slots;
  }

  private static Map<String, List<Long>> expected(StreamFixture stream) {
    return stream.expected(log -> slots(stream.settings().schedule(), log));
  }

  @Test
  void releasesHoldTheRowsOfTheirGroupAndEpoch() throws Exception {
    StreamFixture stream = stream(NO_NOISE);
    send(stream, 3000);
    Map<String, List<Long>> expected = expected(stream);
    assertThat(expected).hasSize(12 * GROUPS.size() * EPOCHS);
    for (int parallelism : new int[] {1, 3}) {
      StreamFixture.Output output = stream.newOutput();
      stream.run(stream.prepare(output, true).settings(), parallelism);
      assertThat(output.bodies()).isEqualTo(StreamFixture.once(expected));
      assertThat(TopicReader.all(output.topics().deadLetters())).hasSize(300);
    }
  }

  @Test
  void everyStepSurvivesACrash() throws Exception {
    StreamFixture stream = stream(NO_NOISE);
    send(stream, 400);
    Map<String, List<Long>> expected = expected(stream);
    List<Step> few = List.of(Step.SECOND_READ, Step.FIT, Step.SEAL, Step.DURING_SEND);
    for (Step step : Effort.of(few, List.of(Step.values()))) {
      CrashPlan.assertSurvived(stream, "twice", step, 2, expected);
    }
  }

  /**
   * Stopped in the middle of the second reading, the job goes on with another parallelism. Then the
   * same savepoint is restored again, when all is published.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aSavepointInTheMiddleIsGoneOnWithOnce(boolean noise) throws Exception {
    StreamFixture stream = stream(noise ? Randomness.SYSTEM : NO_NOISE);
    send(stream, 3000);
    Map<String, List<Long>> expected = expected(stream);
    StreamFixture.Output output = stream.newOutput();
    Steps steps = new Steps("middle" + noise);
    SketchJobSettings job = stream.prepare(output, false).settings();
    JobHandle first = submit(job.withProbe(steps.pausing()), 1, new Configuration());
    steps.awaitCount(Step.SECOND_READ, 5);
    Configuration restored = new Configuration();
    restored.set(StateRecoveryOptions.SAVEPOINT_PATH, SharedCluster.stopWithSavepoint(first));
    assertThat(output.committed()).as("before").hasSizeLessThan(expected.size());
    steps.reset();

    JobHandle second = submit(job.withProbe(steps), 3, restored);
    StreamFixture.awaitReleases(
        stream.settings().kafka(), output.topics().releases(), expected.keySet());
    second.cancel().get();
    int parts = steps.reset().get(Step.ASSEMBLE);
    Map<String, Set<List<Long>>> bodies = output.bodies();
    output.assertBodies(expected, noise);

    SketchJobSettings again = stream.prepare(output, false).settings();
    JobHandle third = submit(again.withProbe(steps), 2, restored);
    steps.awaitCount(Step.ASSEMBLE, parts);
    SharedCluster.checkpoint(third);
    SharedCluster.checkpoint(third);
    assertThat(third.result()).isNotDone();
    third.cancel().get();
    assertThat(output.bodies()).as("no second noise").isEqualTo(bodies);
    assertThat(output.committed()).containsExactlyInAnyOrderElementsOf(expected.keySet());
  }

  private static JobHandle submit(SketchJobSettings job, int parallelism, Configuration extra)
      throws IOException {
    return StreamFixture.submit(SharedCluster.cluster(), job, parallelism, extra);
  }

  /** Counts the steps of a job of this JVM. */
  private static final class Steps implements FaultInjection {
    private static final long serialVersionUID = 1L;
    private static final Map<String, Map<Step, Integer>> COUNTS = new ConcurrentHashMap<>();
    private final String name;

    Steps(String name) {
      this.name = name;
      COUNTS.put(name, new ConcurrentHashMap<>());
    }

    @Override
    public void reached(Step step) {
      COUNTS.get(name).merge(step, 1, Integer::sum);
    }

    /** The same, but that a pause of a tenth of a second is before each slice of rows. */
    FaultInjection pausing() {
      return step -> {
        if (step == Step.SECOND_READ) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        reached(step);
      };
    }

    /** Returns the numbers until now. */
    Map<Step, Integer> reset() {
      return COUNTS.put(name, new ConcurrentHashMap<>());
    }

    void awaitCount(Step step, int count) {
      ProcessCluster.await(
          step + " " + count + " times", () -> COUNTS.get(name).getOrDefault(step, 0) >= count);
    }
  }

  /** As {@link #everyStepSurvivesACrash}, where no rows are kept in memory for models. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void modelsOfRowsThatDoNotFitIntoMemorySurviveACrash(boolean noise) throws Exception {
    Randomness randomness = noise ? Randomness.SYSTEM : NO_NOISE;
    StreamFixture stream = StreamFixture.readTwice(EpochSchedule.all(), randomness, RowInput.JSON);
    stream.sendRows(2000, 3);
    Map<String, List<Long>> expected = stream.expected(List.of(0L));
    StreamFixture.Output output = stream.newOutput();
    CrashInAPass crash = new CrashInAPass("pass" + noise);
    SketchJobSettings job = stream.prepare(output, true).settings().withProbe(crash);
    Configuration tight = new Configuration();
    tight.set(ModelMemory.LIMIT, MemorySize.ZERO);
    submit(job, 2, tight).result().get();
    assertThat(crash.slices()).as("slices").isGreaterThan(3);
    output.assertOnce(expected, noise);
  }

  private static final CountDownLatch MODELS = new CountDownLatch(1);
  private static final CountDownLatch LOST = new CountDownLatch(1);

  @Test
  void anEpochWhoseRowsTheLogHasLostFailsTheJob() throws Exception {
    StreamFixture stream =
        StreamFixture.readTwice(EpochSchedule.all(), Randomness.SYSTEM, RowInput.JSON);
    stream.sendRows(500, 1);
    StreamFixture.Output output = stream.newOutput();
    SketchJobSettings job = stream.prepare(output, true).settings();
    JobHandle running =
        submit(job.withProbe(SecondReadingIT::awaitTheLoss), 1, new Configuration());
    assertThat(MODELS.await(TestTopics.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    try (Admin admin = TestTopics.admin()) {
      Map<TopicPartition, RecordsToDelete> some = new HashMap<>();
      for (int partition = 0; partition < StreamFixture.PARTITIONS; partition++) {
        some.put(
            new TopicPartition(stream.topics().rows(), partition),
            RecordsToDelete.beforeOffset(10));
      }
      admin.deleteRecords(some).all().get();
    }
    LOST.countDown();
    assertThatThrownBy(() -> running.result().get())
        .satisfies(
            failure ->
                assertThat(SketchPreflight.lastingFault(failure).orElseThrow())
                    .contains(
                        "GZ-REREAD: Epoch all of stream fixture-",
                        "still to be read again",
                        "begins at offset 10 now, and rows from offset 0 to",
                        "retention",
                        "epochs.from"));
    assertThat(output.bodies().keySet()).noneMatch(id -> id.endsWith("/second"));
  }

  private static void awaitTheLoss(Step step) {
    if (step == Step.SECOND_READ) {
      MODELS.countDown();
      try {
        LOST.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void oneEpochOfAllRowsIsReadTwiceToo() throws Exception {
    StreamFixture stream = StreamFixture.readTwice(EpochSchedule.all(), NO_NOISE, RowInput.JSON);
    stream.sendRows(2000, 1);
    StreamFixture.Output output = stream.newOutput();
    stream.run(stream.prepare(output, true).settings(), 2);
    assertThat(output.bodies()).isEqualTo(StreamFixture.once(stream.expected(List.of(0L))));
  }

  /** Rows are read again for each sum; with noise each release is another one of the same form. */
  @Test
  void momentsOfTransformedRowsAreFitted() throws Exception {
    StreamFixture stream =
        StreamFixture.of(
            EpochSchedule.all(),
            Randomness.SYSTEM,
            List.of(new SketchRequest("white", "two-stage-moments", 1, Map.of("response", "y"))));
    stream.sendRows(2000, 1);
    StreamFixture.Output output = stream.newOutput();
    Configuration tight = new Configuration();
    tight.set(ModelMemory.LIMIT, MemorySize.ZERO);
    submit(stream.prepare(output, true).settings(), 2, tight).result().get();
    List<ConsumerRecord<byte[], byte[]>> records = TopicReader.all(output.topics().releases());
    assertThat(records).isNotEmpty();
    Release release = Release.fromBytes(records.get(0).value());
    RowsMechanism mechanism = (RowsMechanism) stream.settings().plan().sketch("white").mechanism();
    assertThat(release.numbers()).hasSize(mechanism.payloadLength());
    RegressionProblem problem = RegressionProblem.of(StreamFixture.schema(), "y");
    assertThat(Regression.fit(FitInput.of(release), problem)).isInstanceOf(FitOutcome.Fitted.class);
  }
}

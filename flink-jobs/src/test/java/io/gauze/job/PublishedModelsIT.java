package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.local.JobHandle;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.noise.Randomness;
import io.gauze.payload.Payload;
import io.gauze.publish.LedgerRebuild;
import io.gauze.regression.moments.ResidualModel;
import io.gauze.release.Release;
import io.gauze.sketch.LinearSketch;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.Effort;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of several epochs: a function of the releases of the epochs before. */
@ExtendWith(SharedCluster.class)
final class PublishedModelsIT {
  private static final int ROWS = 300; // of each epoch
  private static final SketchRequest THREE_EPOCHS =
      new SketchRequest("second", "residual-strata", 1, Map.of("strata", "3", "modelEpochs", "3"));

  private StreamFixture stream;
  private SketchJobSettings settings;
  private TwoStageMechanism mechanism;
  private long first; // the first epoch that the job releases

  /**
   * Of epochs that earlier jobs published, the two before the job's first one are in its model. So
   * they are after a crash in the second reading. A release that was not charged is no release.
   */
  @Test
  void theModelOfAnEpochHoldsWhatEarlierJobsPublished() throws Exception {
    stream =
        StreamFixture.readTwice(
            PastEpochs.of(1), Randomness.noiseFreeForTests(12), RowInput.JSON, THREE_EPOCHS);
    settings = stream.settings();
    mechanism = (TwoStageMechanism) settings.plan().sketch("second").mechanism();
    first = settings.schedule().firstEpoch();
    sendRows();
    List<long[]> stages = new ArrayList<>();
    for (long epoch = first - 4; epoch <= first; epoch++) {
      stages.add(firstStage(epoch));
    }
    StreamFixture.Output output = stream.newOutput();
    publish(output, first - 4, stages.get(0));
    publish(output, first - 2, stages.get(2));
    publish(output, first - 1, stages.get(3));
    send(output, first - 1, "no release".getBytes(UTF_8));
    LedgerRebuild.run(stream.job(output));
    Set<String> charged =
        Set.of(id(first - 4).toString(), id(first - 2).toString(), id(first - 1).toString());

    int before = CrashPlan.crashes();
    CrashPlan crash = new CrashPlan("published").at(FaultInjection.Step.SECOND_FLUSH, 1);
    SketchJobSettings job = stream.prepare(output, true).settings().withPublished(charged);
    stream.run(job.withProbe(crash), 2);
    assertThat(CrashPlan.crashes()).isEqualTo(before + 1);

    long[] model =
        ResidualModel.of(mechanism, List.of(stages.get(4), stages.get(2), stages.get(3)));
    assertThat(model).isNotEqualTo(ResidualModel.of(mechanism, stages.get(4)));
    Release release = released(output, first);
    Payload.ResidualStrata payload = (Payload.ResidualStrata) release.payload();
    long[] held = release.numbers();
    assertThat(Arrays.copyOfRange(held, payload.weightsAt(), payload.strataAt())).isEqualTo(model);
    LinearSketch<?> strata = mechanism.second(model).zero();
    ExpectedSums.add(settings, rows(first), Map.of("second", strata));
    assertThat(held).isEqualTo(mechanism.joined(stages.get(4), model, strata.state()));
  }

  /**
   * In a job that ends nothing is published before its end; in one that goes on, some releases are,
   * at times that nobody knows. In both, each model is that of the first stages that the releases
   * of its epoch and of the two before hold. The noise is another one after a crash.
   */
  @ParameterizedTest
  @CsvSource({
    "MODEL, 3, true",
    "SECOND_FLUSH, 2, true",
    "MODEL, 4, false",
    "SECOND_FLUSH, 3, false",
    "AFTER_SPENT, 2, false",
    "AFTER_SEND, 1, false",
    "AFTER_PUBLISHED, 1, false"
  })
  void everyModelIsMadeOfTheReleasesBefore(FaultInjection.Step step, int nth, boolean bounded)
      throws Exception {
    Effort.skipIfLong(nth > 1 && step != FaultInjection.Step.MODEL);
    int epochs = 6;
    stream = StreamFixture.of(PastEpochs.of(epochs), Randomness.SYSTEM, List.of(THREE_EPOCHS));
    settings = stream.settings();
    mechanism = (TwoStageMechanism) settings.plan().sketch("second").mechanism();
    first = settings.schedule().firstEpoch() + epochs - 1; // of the rows the last one
    sendRows();
    StreamFixture.Output output = stream.newOutput();
    int before = CrashPlan.crashes();
    String name = "models " + step + nth + bounded;
    SketchJobSettings job =
        stream.prepare(output, bounded).settings().withProbe(new CrashPlan(name).at(step, nth));
    JobHandle handle = StreamFixture.submit(SharedCluster.cluster(), job, 2, new Configuration());
    if (bounded) {
      handle.result().get();
    } else {
      StreamFixture.awaitReleases(
          job.kafka(), output.topics().releases(), job.releaseIds(first - epochs + 1, first));
      handle.cancel().get();
    }
    assertThat(CrashPlan.crashes()).isEqualTo(before + 1);

    List<long[]> stages = new ArrayList<>();
    for (long epoch = first - epochs + 1; epoch <= first; epoch++) {
      Release release = released(output, epoch);
      Payload.ResidualStrata payload = (Payload.ResidualStrata) release.payload();
      long[] numbers = release.numbers();
      List<long[]> used = new ArrayList<>();
      used.add(Arrays.copyOf(numbers, mechanism.spec().stateLength()));
      used.addAll(stages.subList(Math.max(0, stages.size() - 2), stages.size()));
      assertThat(Arrays.copyOfRange(numbers, payload.weightsAt(), payload.strataAt()))
          .as("model of epoch %d", epoch)
          .isEqualTo(ResidualModel.of(mechanism, used));
      stages.add(used.get(0));
    }
  }

  private void sendRows() throws Exception {
    SplittableRandom random = new SplittableRandom(9);
    long length = settings.schedule().lengthMillis();
    // With several requests at once, the second may come to a new topic before the first.
    Map<String, Object> inTurn = Map.of("max.in.flight.requests.per.connection", 1);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(inTurn)) {
      for (long epoch = first - 4; epoch <= first; epoch++) {
        for (int i = 0; i < ROWS; i++) {
          sent.add(
              producer.send(
                  new ProducerRecord<>(
                      settings.topics().rows(),
                      random.nextInt(StreamFixture.PARTITIONS),
                      epoch * length + i,
                      null,
                      StreamFixture.row(random).getBytes(UTF_8))));
        }
      }
    }
    for (Future<RecordMetadata> each : sent) {
      each.get();
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> rows(long epoch) {
    return TopicReader.all(settings.topics().rows()).stream()
        .filter(row -> settings.schedule().epochOf(row.timestamp()) == epoch)
        .toList();
  }

  private long[] firstStage(long epoch) {
    LinearSketch<?> sums = mechanism.spec().zero();
    ExpectedSums.add(settings, rows(epoch), Map.of("second", sums));
    return sums.state();
  }

  private ReleaseId id(long epoch) {
    return settings.releaseId(new Cell(SketchJobSettings.NO_GROUP, "second", 0), epoch);
  }

  /** As an earlier run of the stream would have. */
  private void publish(StreamFixture.Output output, long epoch, long... stage) {
    long[] numbers =
        mechanism.joined(
            stage, new long[mechanism.modelLength()], new long[mechanism.secondLength()]);
    Release release = Release.of(settings.plan(), id(epoch), settings.randomness(), numbers);
    send(output, epoch, release.toBytes());
  }

  private void send(StreamFixture.Output output, long epoch, byte[] body) {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      var unused = // flushed below
          producer.send(
              new ProducerRecord<>(
                  output.topics().releases(), id(epoch).toString().getBytes(UTF_8), body));
      producer.flush();
    }
  }

  /** The one body of a release; a transaction that was aborted may have it, too. */
  private Release released(StreamFixture.Output output, long epoch) {
    Map<List<Long>, Release> found = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : TopicReader.all(output.topics().releases())) {
      if (new String(record.key(), UTF_8).equals(id(epoch).toString())) {
        Release release = Release.fromBytes(record.value());
        found.put(StreamFixture.longs(release.numbers()), release);
      }
    }
    assertThat(found.keySet()).as("bodies of epoch %d", epoch).hasSize(1);
    return found.values().iterator().next();
  }
}

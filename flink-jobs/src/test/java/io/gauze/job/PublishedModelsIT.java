package io.gauze.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.Payload;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.noise.Randomness;
import io.gauze.publish.LedgerRebuild;
import io.gauze.regression.ResidualModel;
import io.gauze.release.Release;
import io.gauze.sketch.LinearSketch;
import io.gauze.stream.Cell;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.RowInput;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Models of which a part is published: the first stages of the epochs before. */
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
   * Two of three published epochs before the job's first one are in its model: the nearest ones. So
   * they are after a crash in the second reading.
   */
  @Test
  void theModelOfAnEpochHoldsWhatIsPublishedOfThoseBefore() throws Exception {
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

    int before = CrashPlan.crashes();
    CrashPlan crash = new CrashPlan("published").at(FaultInjection.Step.SECOND_FLUSH, 1);
    stream.run(stream.prepare(output, true).settings().withProbe(crash), 2);
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

  private void sendRows() {
    SplittableRandom random = new SplittableRandom(9);
    long length = settings.schedule().lengthMillis();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (long epoch = first - 4; epoch <= first; epoch++) {
        for (int i = 0; i < ROWS; i++) {
          var unused = // flushed below
              producer.send(
                  new ProducerRecord<>(
                      settings.topics().rows(),
                      random.nextInt(StreamFixture.PARTITIONS),
                      epoch * length + i,
                      null,
                      StreamFixture.row(random).getBytes(UTF_8)));
        }
      }
      producer.flush();
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

  private Release released(StreamFixture.Output output, long epoch) {
    List<Release> found =
        TopicReader.all(output.topics().releases()).stream()
            .filter(record -> new String(record.key(), UTF_8).equals(id(epoch).toString()))
            .map(record -> Release.fromBytes(record.value()))
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}

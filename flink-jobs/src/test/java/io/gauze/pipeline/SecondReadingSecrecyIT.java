package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.job.ExpectedSums;
import io.gauze.job.PastEpochs;
import io.gauze.job.StreamFixture;
import io.gauze.job.TopicReader;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.again.ModelFitOperator;
import io.gauze.sketch.LinearSketch;
import io.gauze.stream.FaultInjection;
import io.gauze.stream.SketchJobSettings;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a checkpoint holds that is taken in the middle of a second reading: offsets. No sum of the
 * rows that are read again is there, also where no noise would hide it from the search, which finds
 * the offsets.
 */
@ExtendWith(SharedCluster.class)
final class SecondReadingSecrecyIT {
  private static final int ROWS = 1200;
  private static final int READS = 6;
  private static final String SKETCH = "second";

  private static volatile CountDownLatch reads;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noSumIsInTheState(boolean isNoisy) throws Exception {
    Randomness randomness = isNoisy ? Randomness.SYSTEM : Randomness.noiseFreeForTests(1);
    StreamFixture stream = stream(randomness);
    SketchJobSettings settings = stream.prepare(stream.newOutput(), false).settings();
    send(settings);
    List<ConsumerRecord<byte[], byte[]>> rows = TopicReader.all(settings.topics().rows());
    CheckpointFiles files = new CheckpointFiles(folder);
    List<byte[]> sums = sums(settings, rows, isNoisy);
    reads = new CountDownLatch(READS);
    String taken;
    try (LocalCluster cluster = CheckpointFiles.cluster()) {
      JobHandle running =
          StreamFixture.submit(
              cluster, settings.withProbe(SecondReadingSecrecyIT::pause), 1, files.configuration());
      // Rows leave the first reading before a checkpoint, so an epoch is not sealed without one.
      long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
      while (!reads.await(10, TimeUnit.MILLISECONDS)) {
        CheckpointFiles.checkpoint(running);
        assertThat(files.holdAny(sums)).as("a sum").isFalse();
        assertThat(System.nanoTime() - deadline).as("nanoseconds of waiting left").isNegative();
      }
      taken = CheckpointFiles.checkpoint(running);
      running.cancel().get();
    }
    List<byte[]> tasks = new ArrayList<>();
    for (byte[] task :
        CheckpointFiles.list(
            taken,
            JobUids.MODEL_FIT.of(settings.plan().stream()),
            ModelFitOperator.TASKS.getName())) {
      tasks.add(task);
    }
    assertThat(tasks).as("epochs that are being read").hasSize(1);
    assertThat(files.holdAny(tasks)).as("the search sees the state").isTrue();
    assertThat(files.holdAny(sums)).as("a sum").isFalse();
    assertThat(files.holdAny(texts(rows))).as("a row or a key").isFalse();
  }

  private static StreamFixture stream(Randomness randomness) throws Exception {
    return StreamFixture.noisyInState(PastEpochs.of(1), randomness);
  }

  private static void send(SketchJobSettings settings) {
    SplittableRandom random = new SplittableRandom(5);
    EpochSchedule schedule = settings.schedule();
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (int i = 0; i < ROWS; i++) {
        var unused = // flushed below
            producer.send(
                new ProducerRecord<>(
                    settings.topics().rows(),
                    i % 2,
                    schedule.firstEpoch() * schedule.lengthMillis() + i,
                    ("a key of row " + i).getBytes(UTF_8),
                    StreamFixture.row(random).getBytes(UTF_8)));
      }
      producer.flush();
    }
  }

  /** Before each slice of rows, so that a checkpoint fits in between. */
  private static void pause(FaultInjection.Step step) {
    if (step == FaultInjection.Step.SECOND_READ) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      reads.countDown();
    }
  }

  private static List<byte[]> texts(List<ConsumerRecord<byte[], byte[]>> rows) {
    List<byte[]> texts = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> row : rows.subList(0, 50)) {
      texts.add(row.key());
      texts.add(row.value());
    }
    return texts;
  }

  private static List<Long> nonZero(long... sums) {
    return StreamFixture.longs(sums).stream().filter(sum -> sum != 0).toList();
  }

  /**
   * Returns what sums of the rows would look like, if they were in the state without noise.
   *
   * @param isNoisy whether another sketch does not hold the moments of encoded rows as they are
   */
  private static List<byte[]> sums(
      SketchJobSettings settings, List<ConsumerRecord<byte[], byte[]>> rows, boolean isNoisy) {
    LinearSketch<?> encoded = settings.plan().sketch("moments").mechanism().spec().zero();
    ExpectedSums.add(settings, rows, Map.of("moments", encoded));
    TwoStageStrata mechanism = (TwoStageStrata) settings.plan().sketch(SKETCH).mechanism();
    EpochFitter fit = mechanism.begin(Randomness.noiseFreeForTests(1).entropy("sums"));
    ExpectedSums.addRows(settings, rows, fit);
    long[] numbers = fit.numbers();
    int triangle = SymmetricMatrix.length(settings.plan().schema().dimension());
    int strata = numbers.length - mechanism.strata() * triangle;
    int moments = strata - settings.plan().schema().dimension() - triangle;
    List<byte[]> sums = new ArrayList<>();
    if (isNoisy) {
      sums.addAll(CheckpointFiles.firstTwo(nonZero(encoded.state())));
    }
    for (int from : new int[] {moments, strata}) {
      long[] triangles = Arrays.copyOfRange(numbers, from, numbers.length);
      sums.addAll(CheckpointFiles.firstTwo(nonZero(triangles)));
    }
    return sums;
  }
}

package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.job.ExpectedSums;
import io.gauze.job.PastEpochs;
import io.gauze.job.StreamFixture;
import io.gauze.job.TopicReader;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.noise.Randomness;
import io.gauze.sketch.LinearSketch;
import io.gauze.stream.Block;
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
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a checkpoint holds that is taken in the middle of a second reading: sums with noise, public
 * models and offsets. The sums of the rows that have been read so far are not there. The same
 * search finds them in a twin without noise.
 */
@ExtendWith(SharedCluster.class)
final class SecondReadingSecrecyIT {
  private static final int ROWS = 1200;
  private static final int READS = 6;
  private static final String SKETCH = "second";

  private static volatile CountDownLatch reads;

  @TempDir private Path folder;

  @Test
  void noSumWithoutNoiseIsInTheState() throws Exception {
    search(Randomness.SYSTEM, false);
  }

  @Test
  void theSumsOfATwinWithoutNoiseAre() throws Exception {
    search(Randomness.noiseFreeForTests(1), true);
  }

  private void search(Randomness randomness, boolean exact) throws Exception {
    StreamFixture stream = stream(randomness);
    SketchJobSettings settings =
        StreamFixture.slow(stream.prepare(stream.newOutput(), false).settings());
    send(settings);
    List<ConsumerRecord<byte[], byte[]>> rows = TopicReader.all(settings.topics().rows());
    CheckpointFiles files = new CheckpointFiles(folder);
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
        assertThat(System.nanoTime() - deadline).as("nanoseconds of waiting left").isNegative();
      }
      taken = CheckpointFiles.checkpoint(running);
      running.cancel().get();
    }
    Middle middle = middle(taken, settings, rows);
    assertThat(middle.rows()).as("rows read again").isPositive().isLessThan(ROWS);
    if (exact) {
      assertThat(middle.held()).isEqualTo(middle.sums());
    } else {
      for (int i = 0; i < middle.sums().size(); i++) {
        assertThat(middle.held().get(i)).as("sum %s", i).isNotEqualTo(middle.sums().get(i));
      }
    }
    List<byte[]> sums = new ArrayList<>(CheckpointFiles.firstTwo(nonZero(middle.sums())));
    sums.addAll(
        CheckpointFiles.firstTwo(
            stream.expected(List.of(settings.schedule().firstEpoch())).entrySet().stream()
                .filter(release -> release.getKey().endsWith('/' + SKETCH))
                .findFirst()
                .orElseThrow()
                .getValue()));
    assertThat(files.holdAny(sums)).isEqualTo(exact);
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

  private static List<Long> nonZero(List<Long> sums) {
    return sums.stream().filter(sum -> sum != 0).toList();
  }

  /**
   * The middle of a second reading.
   *
   * @param rows the number of rows that have been read again
   * @param sums their sums
   * @param held what the state has in the place of these sums
   */
  private record Middle(int rows, List<Long> sums, List<Long> held) {}

  private static Middle middle(
      String checkpoint, SketchJobSettings settings, List<ConsumerRecord<byte[], byte[]>> rows)
      throws Exception {
    String stream = settings.plan().stream();
    List<long[]> left = // partition, the next offset, the model
        CheckpointFiles.read(
                checkpoint, JobUids.SECOND_READ.of(stream), Types.INT, new ReadsReader())
            .stream()
            .filter(read -> read.length > 0)
            .toList();
    assertThat(left).as("partitions with rows to read").isNotEmpty();
    long[] model = Arrays.copyOfRange(left.get(0), 2, left.get(0).length);
    TwoStageMechanism mechanism = (TwoStageMechanism) settings.plan().sketch(SKETCH).mechanism();
    LinearSketch<?> sums = mechanism.second(model).zero();
    List<ConsumerRecord<byte[], byte[]>> read =
        rows.stream()
            .filter(
                row ->
                    left.stream()
                        .noneMatch(rest -> rest[0] == row.partition() && row.offset() >= rest[1]))
            .toList();
    ExpectedSums.add(settings, read, Map.of(SKETCH, sums));
    List<long[]> blocks =
        CheckpointFiles.read(
                checkpoint,
                JobUids.SECOND_ACCUMULATE.of(stream),
                Types.STRING,
                new CheckpointSecrecyIT.BlockReader())
            .stream()
            .filter(block -> block.length > 0)
            .toList();
    assertThat(blocks).hasSize(1);
    return new Middle(
        read.size(), StreamFixture.longs(sums.state()), StreamFixture.longs(blocks.get(0)));
  }

  /** What is left to read. */
  static final class ReadsReader extends KeyedStateReaderFunction<Integer, long[]> {
    private static final long serialVersionUID = 1L;
    private transient ListState<byte[]> reads;

    @Override
    public void open(OpenContext context) {
      reads = getRuntimeContext().getListState(SecondReadOperator.READS);
    }

    @Override
    public void readKey(Integer key, Context context, Collector<long[]> out) throws Exception {
      out.collect(new long[0]); // Flink's reader wants a value for each key
      for (byte[] bytes : reads.get()) {
        SecondRead read = SecondRead.fromBytes(bytes);
        long[] model = Block.longs(read.models().values().iterator().next());
        long[] found = new long[2 + model.length];
        found[0] = read.partition();
        found[1] = read.range().from();
        System.arraycopy(model, 0, found, 2, model.length);
        out.collect(found);
      }
    }
  }
}

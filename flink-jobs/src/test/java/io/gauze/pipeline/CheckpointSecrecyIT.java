package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.job.StreamFixture;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.noise.Randomness;
import io.gauze.stream.Block;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What checkpoints and temporary folders hold, read through the state's serializers and searched
 * byte by byte: never an un-noised sum. The same search finds it in a twin without noise.
 */
@ExtendWith(SharedCluster.class)
final class CheckpointSecrecyIT {
  private static final int ROWS = 2000;

  @TempDir private Path folder;
  private String uid;

  @Test
  void noCheckpointHoldsAnUnNoisedSum() throws Exception {
    Found found = search(Randomness.SYSTEM);
    assertThat(found.inState()).isFalse();
    assertThat(found.inFiles()).isFalse();
  }

  @Test
  void theSearchFindsTheSumsOfATwinWithoutNoise() throws Exception {
    Found found = search(Randomness.noiseFreeForTests(1));
    assertThat(found.inState()).isTrue();
    assertThat(found.inFiles()).isTrue();
  }

  private record Found(boolean inState, boolean inFiles) {}

  private Found search(Randomness randomness) throws Exception {
    EpochSchedule hours =
        EpochSchedule.of(Duration.ofDays(3650), Instant.EPOCH, true, Duration.ZERO);
    StreamFixture stream = new StreamFixture(hours, randomness);
    uid = JobUids.ACCUMULATE.of(stream.settings().plan().stream());
    stream.sendRows(ROWS, 11);
    List<Long> sums =
        stream.expected(List.of(hours.epochOf(System.currentTimeMillis()))).entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("/moments"))
            .findFirst()
            .orElseThrow()
            .getValue();
    // A checkpoint that Flink takes by itself, as after a restart, must not remove the one that is
    // being read.
    Configuration retaining = new Configuration();
    retaining.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 1000);
    try (LocalCluster cluster = LocalCluster.start(1, 2, retaining)) {
      Configuration job = new Configuration(retaining);
      job.set(
          CheckpointingOptions.CHECKPOINTS_DIRECTORY,
          folder.resolve("checkpoints").toUri().toString());
      job.set(
          CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
          ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
      job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofHours(1));
      JobHandle running =
          StreamFixture.submit(
              cluster, stream.prepare(stream.newOutput(), false).settings(), 1, job);
      try {
        Set<List<Long>> blocks = checkpointWithAllRows(running);
        return new Found(blocks.contains(sums), anyFileHolds(sums));
      } finally {
        running.cancel().get();
      }
    }
  }

  private Set<List<Long>> checkpointWithAllRows(JobHandle running) throws Exception {
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    while (true) {
      String path = checkpoint(running);
      long rows = rowsIn(path);
      if (rows == ROWS) {
        return blocksIn(path);
      }
      assertThat(System.nanoTime() - deadline)
          .as("nanoseconds after the end of waiting for %s rows, of which %s are there", ROWS, rows)
          .isNegative();
    }
  }

  /** The job may not be running yet. */
  private static String checkpoint(JobHandle running) throws Exception {
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    while (true) {
      try {
        return running.triggerCheckpoint().get();
      } catch (java.util.concurrent.ExecutionException e) {
        assertThat(running.result()).isNotDone();
        assertThat(System.nanoTime() - deadline).as("nanoseconds of waiting left").isNegative();
      }
    }
  }

  private long rowsIn(String checkpoint) throws Exception {
    long rows = 0;
    for (long[] progress : read(checkpoint, new ProgressReader())) {
      rows += Arrays.stream(progress).sum();
    }
    return rows;
  }

  private Set<List<Long>> blocksIn(String checkpoint) throws Exception {
    Set<List<Long>> blocks = new LinkedHashSet<>();
    for (long[] block : read(checkpoint, new BlockReader())) {
      blocks.add(StreamFixture.longs(block));
    }
    return blocks;
  }

  private List<long[]> read(String checkpoint, KeyedStateReaderFunction<String, long[]> reader)
      throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
    List<long[]> found = new ArrayList<>();
    try (CloseableIterator<long[]> values =
        SavepointReader.read(env, checkpoint, new HashMapStateBackend())
            .readKeyedState(
                OperatorIdentifier.forUid(uid),
                reader,
                Types.STRING,
                PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)
            .executeAndCollect()) {
      values.forEachRemaining(found::add);
    }
    return found;
  }

  /** The blocks of every cell. */
  static final class BlockReader extends KeyedStateReaderFunction<String, long[]> {
    private static final long serialVersionUID = 1L;
    private transient MapState<Long, byte[]> blocks;

    @Override
    public void open(OpenContext context) {
      blocks = getRuntimeContext().getMapState(CellState.BLOCKS);
    }

    @Override
    public void readKey(String key, Context context, Collector<long[]> out) throws Exception {
      out.collect(new long[0]); // Flink's reader wants a value for each key
      for (byte[] block : blocks.values()) {
        out.collect(Block.longs(block));
      }
    }
  }

  /** The next offsets of the moments' cell. */
  static final class ProgressReader extends KeyedStateReaderFunction<String, long[]> {
    private static final long serialVersionUID = 1L;
    private transient MapState<Integer, Long> progress;

    @Override
    public void open(OpenContext context) {
      progress = getRuntimeContext().getMapState(CellState.PROGRESS);
    }

    @Override
    public void readKey(String key, Context context, Collector<long[]> out) throws Exception {
      List<Long> next = new ArrayList<>();
      if (key.contains("moments")) {
        progress.values().forEach(next::add);
      }
      out.collect(
          next.stream().mapToLong(x -> x).toArray()); // Flink's reader wants a value for each key
    }
  }

  /** Whether the first two diagonal sums stand anywhere as bytes, in either byte order. */
  private boolean anyFileHolds(List<Long> sums) throws IOException {
    List<byte[]> patterns = new ArrayList<>();
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      patterns.add(
          ByteBuffer.allocate(16).order(order).putLong(sums.get(0)).putLong(sums.get(1)).array());
    }
    for (Path file : filesOfTheJob()) {
      byte[] bytes = bytes(file);
      if (patterns.stream().anyMatch(pattern -> contains(bytes, pattern))) {
        return true;
      }
    }
    return false;
  }

  /** The checkpoints, and whatever local clusters have in the folder for temporary files. */
  private List<Path> filesOfTheJob() throws IOException {
    List<Path> files = new ArrayList<>();
    List<Path> roots = new ArrayList<>(List.of(folder));
    try (DirectoryStream<Path> clusters =
        Files.newDirectoryStream(Path.of(System.getProperty("java.io.tmpdir")), "gauze-flink-*")) {
      clusters.forEach(roots::add);
    }
    for (Path root : roots) {
      try (Stream<Path> found = Files.walk(root)) {
        found.filter(Files::isRegularFile).forEach(files::add);
      } catch (UncheckedIOException | NoSuchFileException e) {
        assertThat(root).as("only another cluster's folder may go away").isNotEqualTo(folder);
      }
    }
    return files;
  }

  private static byte[] bytes(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      return new byte[0]; // a temporary file that is gone holds nothing
    }
  }

  private static boolean contains(byte[] bytes, byte[] pattern) {
    for (int from = 0; from + pattern.length <= bytes.length; from++) {
      if (Arrays.equals(bytes, from, from + pattern.length, pattern, 0, pattern.length)) {
        return true;
      }
    }
    return false;
  }
}

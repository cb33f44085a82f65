package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.SavepointReader;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** The checkpoints of a job, which stay, and whatever else a local cluster writes. */
record CheckpointFiles(Path folder) {
  /** Starts a cluster for jobs whose checkpoints stay. */
  static LocalCluster cluster() throws IOException {
    return LocalCluster.start(1, 2, retaining());
  }

  private static final TypeInformation<byte[]> BYTES =
      PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;

  // A checkpoint that Flink takes by itself, as after a restart, must not remove the one that is
  // being read.
  private static Configuration retaining() {
    Configuration retaining = new Configuration();
    retaining.set(CheckpointingOptions.MAX_RETAINED_CHECKPOINTS, 1000);
    return retaining;
  }

  /** For a job that takes a checkpoint only when it is told to. */
  Configuration configuration() {
    Configuration job = retaining();
    job.set(
        CheckpointingOptions.CHECKPOINTS_DIRECTORY,
        folder.resolve("checkpoints").toUri().toString());
    job.set(
        CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
        ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
    job.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofHours(1));
    return job;
  }

  /** Takes a checkpoint of a job that may not be running yet, and returns its path. */
  static String checkpoint(JobHandle running) throws Exception {
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    while (true) {
      try {
        return running.triggerCheckpoint().get();
      } catch (ExecutionException e) {
        assertThat(running.result()).isNotDone();
        assertThat(System.nanoTime() - deadline).as("nanoseconds of waiting left").isNegative();
      }
    }
  }

  /**
   * Returns what a reader finds in the state of an operator.
   *
   * @param reader must find something under each key
   */
  static <K> List<long[]> read(
      String checkpoint,
      String uid,
      TypeInformation<K> key,
      KeyedStateReaderFunction<K, long[]> reader)
      throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
    List<long[]> found = new ArrayList<>();
    try (CloseableIterator<long[]> values =
        SavepointReader.read(env, checkpoint, new HashMapStateBackend())
            .readKeyedState(
                OperatorIdentifier.forUid(uid),
                reader,
                key,
                PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO)
            .executeAndCollect()) {
      values.forEachRemaining(found::add);
    }
    return found;
  }

  /** Returns the entries of a list of bytes in the state of an operator. */
  static List<byte[]> list(String checkpoint, String uid, String name) throws Exception {
    return collect(reader(checkpoint).readListState(OperatorIdentifier.forUid(uid), name, BYTES));
  }

  /** Returns the entries of a union list of bytes in the state of an operator. */
  static List<byte[]> union(String checkpoint, String uid, String name) throws Exception {
    return collect(reader(checkpoint).readUnionState(OperatorIdentifier.forUid(uid), name, BYTES));
  }

  private static SavepointReader reader(String checkpoint) throws IOException {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(1);
    return SavepointReader.read(env, checkpoint, new HashMapStateBackend());
  }

  private static List<byte[]> collect(DataStream<byte[]> state) throws Exception {
    List<byte[]> found = new ArrayList<>();
    try (CloseableIterator<byte[]> values = state.executeAndCollect()) {
      values.forEachRemaining(found::add);
    }
    return found;
  }

  /** The first two sums as bytes, in either byte order. */
  static List<byte[]> firstTwo(List<Long> sums) {
    return Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
        .map(
            order ->
                ByteBuffer.allocate(16)
                    .order(order)
                    .putLong(sums.get(0))
                    .putLong(sums.get(1))
                    .array())
        .toList();
  }

  /** Returns whether one of the patterns stands anywhere in the files. */
  boolean holdAny(List<byte[]> patterns) throws IOException {
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
      if (bytes[from] == pattern[0]
          && Arrays.equals(bytes, from, from + pattern.length, pattern, 0, pattern.length)) {
        return true;
      }
    }
    return false;
  }
}

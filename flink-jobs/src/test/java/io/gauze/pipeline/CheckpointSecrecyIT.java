package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.EpochSchedule;
import io.gauze.job.StreamFixture;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.seal.CellState;
import io.gauze.stream.Block;
import io.gauze.stream.Offsets;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
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
    CheckpointFiles files = new CheckpointFiles(folder);
    try (LocalCluster cluster = CheckpointFiles.cluster()) {
      JobHandle running =
          StreamFixture.submit(
              cluster,
              stream.prepare(stream.newOutput(), false).settings(),
              1,
              files.configuration());
      try {
        Set<List<Long>> blocks = checkpointWithAllRows(running);
        return new Found(blocks.contains(sums), files.holdAny(CheckpointFiles.firstTwo(sums)));
      } finally {
        running.cancel().get();
      }
    }
  }

  private Set<List<Long>> checkpointWithAllRows(JobHandle running) throws Exception {
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    while (true) {
      String path = CheckpointFiles.checkpoint(running);
      long rows = rowsIn(path);
      if (rows == ROWS) {
        return blocksIn(path);
      }
      assertThat(System.nanoTime() - deadline)
          .as("nanoseconds after the end of waiting for %s rows, of which %s are there", ROWS, rows)
          .isNegative();
    }
  }

  private long rowsIn(String checkpoint) throws Exception {
    DataInputDeserializer held =
        new DataInputDeserializer(
            CheckpointFiles.union(checkpoint, uid, "seal-progress-v1").get(0));
    held.skipBytesToRead(2 + Long.BYTES); // version, and what is sealed
    return Offsets.read(held).byPartition().values().stream().mapToLong(Long::longValue).sum();
  }

  private Set<List<Long>> blocksIn(String checkpoint) throws Exception {
    Set<List<Long>> blocks = new LinkedHashSet<>();
    for (long[] block : CheckpointFiles.read(checkpoint, uid, Types.STRING, new BlockReader())) {
      blocks.add(StreamFixture.longs(block));
    }
    return blocks;
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
}

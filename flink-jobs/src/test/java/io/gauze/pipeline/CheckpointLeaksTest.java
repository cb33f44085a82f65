package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.LeakProtection;
import io.gauze.mechanism.Mechanism;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.seal.AccumulateOperator;
import io.gauze.pipeline.seal.AssembleFunction;
import io.gauze.pipeline.seal.CellState;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.ReleaseCommittable;
import io.gauze.release.Release;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;
import java.util.Arrays;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;

/** A checkpoint that was stolen holds one noise, the release of the same rows another one more. */
final class CheckpointLeaksTest {
  private static final SketchJobSettings SETTINGS =
      OperatorFixture.settings(
              StreamPlan.of(
                  OperatorFixture.request(1, 512, BudgetScope.ROWS).withCheckpointLeaks(1)),
              OperatorFixture.SECONDS)
          .withRandomness(Randomness.SYSTEM);
  private static final Cell CELL = new Cell(SketchJobSettings.NO_GROUP, "buckets", 0);

  /**
   * The noise is Gaussian, of n = 2048 entries or more, so that its mean square over sigma^2 is
   * chi-squared / n: outside of (1/2, 2) with chance below 2 exp(-0.096 n) < 1e-80. No noise, the
   * same noise twice, or one draw in two places are all outside of one of the three.
   */
  @Test
  void theReleaseHasANoiseThatTheCheckpointHasNot() throws Exception {
    Mechanism mechanism = SETTINGS.plan().sketch(CELL.sketch()).mechanism();
    assertThat(mechanism).isInstanceOf(LeakProtection.class);
    double one = mechanism.sigma() / Math.sqrt(2.0);
    long[] exact = new long[mechanism.spec().stateLength()];
    assertThat(exact).hasSizeGreaterThanOrEqualTo(2048).hasSizeLessThan(Block.MAX_LONGS);
    Arrays.setAll(exact, i -> 1000L * i);
    byte[] partial = Block.of(exact, 0, exact.length);

    OperatorSubtaskState checkpoint;
    try (Accumulating before = new Accumulating()) {
      before.open();
      before.processElement(new StreamRecord<>(CellMessage.partial(CELL, 0, partial)));
      checkpoint = before.snapshot(1, 1);
    }
    try (Accumulating after = new Accumulating()) {
      after.initializeState(checkpoint);
      after.open();
      long[] stolen = after.held();
      assertNoise(stolen, exact, one);

      after.processElement(new StreamRecord<>(OperatorFixture.cut(0, Map.of())));
      SealedBlock sealed =
          OperatorFixture.take(after).stream()
              .filter(block -> block.cell().equals(CELL))
              .findFirst()
              .orElseThrow();
      long[] released = released(sealed);
      assertThat(released).isNotEqualTo(stolen);
      assertNoise(released, stolen, one);
      assertNoise(released, exact, mechanism.sigma());
    }
  }

  private static void assertNoise(long[] noisy, long[] without, double sigma) {
    double square = 0.0;
    for (int i = 0; i < noisy.length; i++) {
      square += Math.pow((noisy[i] - without[i]) / sigma, 2);
    }
    assertThat(square / noisy.length).isBetween(0.5, 2.0);
  }

  private static long[] released(SealedBlock sealed) throws Exception {
    try (KeyedOneInputStreamOperatorTestHarness<String, SealedBlock, ReleaseCommittable> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new AssembleFunction(SETTINGS)),
            SealedBlock::releaseKey,
            Types.STRING,
            new OperatorFixture().environment())) {
      harness.setup(OperatorFixture.serializer(ReleaseCommittable.TYPE));
      harness.open();
      harness.processElement(new StreamRecord<>(sealed));
      return Release.fromBytes(OperatorFixture.take(harness).get(0).body()).numbers();
    }
  }

  private static final class Accumulating
      extends KeyedOneInputStreamOperatorTestHarness<String, CellMessage, SealedBlock> {
    Accumulating() throws Exception {
      super(
          new AccumulateOperator(SETTINGS),
          CellMessage::key,
          Types.STRING,
          new OperatorFixture().environment());
      setup(OperatorFixture.serializer(SealedBlock.TYPE));
    }

    long[] held() throws Exception {
      KeyedStateBackend<String> backend = getOperator().getKeyedStateBackend();
      backend.setCurrentKey(CELL.key());
      MapState<Long, byte[]> blocks =
          backend.getPartitionedState(
              VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, CellState.BLOCKS);
      return Block.longs(blocks.get(0L));
    }
  }
}

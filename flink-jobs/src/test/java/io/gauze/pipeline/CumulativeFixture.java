package io.gauze.pipeline;

import io.gauze.config.EpochSchedule;
import io.gauze.mechanism.BudgetScope;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.seal.AccumulateOperator;
import io.gauze.pipeline.seal.CellState;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;

/** Four cumulative releases of epochs of a second, the first of them number 5. */
public final class CumulativeFixture implements AutoCloseable {
  static final int RELEASES = 4;
  public static final long FIRST = 5;
  public static final SketchJobSettings EXACT =
      settings(RELEASES, FIRST).withRandomness(Randomness.noiseFreeForTests(1));
  static final SketchJobSettings NOISY = EXACT.withRandomness(Randomness.insecureForTests(3));
  public static final Cell CELL = new Cell(SketchJobSettings.NO_GROUP, "moments", 0);

  private final OperatorFixture operators = new OperatorFixture();
  private final List<Harness> harnesses = new ArrayList<>();

  /** The accumulators. */
  static final class Harness
      extends KeyedOneInputStreamOperatorTestHarness<String, CellMessage, SealedBlock> {
    private Harness(
        OneInputStreamOperator<CellMessage, SealedBlock> operator, OperatorFixture operators)
        throws Exception {
      super(operator, CellMessage::key, Types.STRING, operators.environment());
    }

    void send(CellMessage... messages) throws Exception {
      for (CellMessage message : messages) {
        processElement(new StreamRecord<>(message));
      }
    }

    /** The blocks of {@link #CELL} that were sealed since the last call. */
    List<long[]> sealed() {
      return OperatorFixture.take(this).stream()
          .filter(block -> block.cell().equals(CELL))
          .map(block -> Block.longs(block.block()))
          .toList();
    }

    long[] total() throws Exception {
      return Block.longs(held(CellState.TOTAL).value());
    }

    <S extends State> S held(StateDescriptor<S, ?> state) throws Exception {
      KeyedStateBackend<String> backend = getOperator().getKeyedStateBackend();
      backend.setCurrentKey(CELL.key());
      return backend.getPartitionedState(
          VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, state);
    }
  }

  static SketchJobSettings settings(int releases, long first) {
    return OperatorFixture.settings(
        OperatorFixture.plan(1, 512, BudgetScope.cumulative(releases)),
        new EpochSchedule(1000, first, true, 0));
  }

  Harness opened(SketchJobSettings settings) throws Exception {
    return restored(settings);
  }

  Harness restored(SketchJobSettings settings, OperatorSubtaskState... state) throws Exception {
    return restored(new AccumulateOperator(settings), state);
  }

  /** Where nothing but the draws can tell that the state is of another config. */
  Harness restoredUnchecked(SketchJobSettings settings, OperatorSubtaskState state)
      throws Exception {
    OperatorSubtaskState keyed =
        OperatorSubtaskState.builder().setManagedKeyedState(state.getManagedKeyedState()).build();
    return restored(new AccumulateOperator(settings), keyed);
  }

  private Harness restored(
      OneInputStreamOperator<CellMessage, SealedBlock> operator, OperatorSubtaskState... state)
      throws Exception {
    Harness harness = new Harness(operator, operators);
    harnesses.add(harness);
    harness.setup(OperatorFixture.serializer(SealedBlock.TYPE));
    for (OperatorSubtaskState each : state) {
      harness.initializeState(each);
    }
    harness.open();
    return harness;
  }

  /** Of the harness that was made last. */
  long count(String counter) {
    return operators.count(counter);
  }

  static int length() {
    return EXACT.plan().sketch(CELL.sketch()).mechanism().spec().stateLength();
  }

  public static long[] sums(long value) {
    return LongStream.generate(() -> value).limit(length()).toArray();
  }

  static CellMessage partial(long epoch, long value) {
    return CellMessage.partial(CELL, epoch, Block.of(sums(value), 0, length()));
  }

  static CellMessage cut(long epoch) {
    return OperatorFixture.cut(epoch, Map.of());
  }

  @Override
  public void close() throws Exception {
    for (Harness each : harnesses) {
      each.close();
    }
  }
}

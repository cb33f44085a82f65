package io.gauze.pipeline;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.again.FitTask;
import io.gauze.pipeline.again.ModelOperator;
import io.gauze.pipeline.read.FoldOperator;
import io.gauze.pipeline.seal.AccumulateOperator;
import io.gauze.pipeline.seal.AssembleFunction;
import io.gauze.publish.ReleaseCommittable;
import io.gauze.release.Release;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.RowRanges;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the operators around a second reading send each other. */
final class SecondReadingOperatorsTest {
  private static final SketchJobSettings EXACT = RowsReadAgainTest.SETTINGS;
  private static final SketchJobSettings NOISY =
      EXACT.withRandomness(Randomness.insecureForTests(3));
  private static final SecondReadingMechanism MECHANISM =
      (SecondReadingMechanism) EXACT.plan().sketch("second").mechanism();
  private static final Cell FIRST = new Cell(SketchJobSettings.NO_GROUP, "second", 0);
  private static final Cell MODEL = new Cell(SketchJobSettings.NO_GROUP, "second", 1);
  private static final Cell MOMENTS = new Cell(SketchJobSettings.NO_GROUP, "moments", 0);

  private final OperatorFixture fixture = new OperatorFixture();
  private final List<AutoCloseable> harnesses = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : harnesses) {
      each.close();
    }
  }

  private KeyedOneInputStreamOperatorTestHarness<String, CellMessage, SealedBlock> accumulate(
      SketchJobSettings settings, Optional<OperatorSubtaskState> state) throws Exception {
    return keyed(new AccumulateOperator(settings), CellMessage::key, state);
  }

  private <I, O> KeyedOneInputStreamOperatorTestHarness<String, I, O> keyed(
      OneInputStreamOperator<I, O> operator, Optional<OperatorSubtaskState> state)
      throws Exception {
    return keyed(operator, any -> EXACT.plan().stream(), state);
  }

  private <I, O> KeyedOneInputStreamOperatorTestHarness<String, I, O> keyed(
      OneInputStreamOperator<I, O> operator,
      KeySelector<I, String> key,
      Optional<OperatorSubtaskState> state)
      throws Exception {
    KeyedOneInputStreamOperatorTestHarness<String, I, O> harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            operator, key, Types.STRING, fixture.environment());
    harnesses.add(harness);
    if (state.isPresent()) {
      harness.initializeState(state.get());
    }
    harness.open();
    return harness;
  }

  @SafeVarargs
  private static <I> void send(OneInputStreamOperatorTestHarness<I, ?> harness, I... messages)
      throws Exception {
    for (I message : messages) {
      harness.processElement(new StreamRecord<>(message));
    }
  }

  /** What came out beside the output so far. */
  private static <T> List<T> side(
      OneInputStreamOperatorTestHarness<?, ?> harness, OutputTag<T> tag) {
    var sent = harness.getSideOutput(tag);
    return sent == null ? List.of() : sent.stream().map(StreamRecord::getValue).toList();
  }

  private static RowRanges ranges(int partition, long from, long to) {
    return RowRanges.of(Map.of(partition, new RowRanges.Range(from, to)));
  }

  private static byte[] block(int length, long value) {
    long[] entries = new long[length];
    entries[0] = value;
    return Block.of(entries, 0, length);
  }

  private static byte[] first(long value) {
    return block(MECHANISM.spec().stateLength(), value);
  }

  @Test
  void theFoldSendsWhereTheRowsOfAnEpochLie() throws Exception {
    OneInputStreamOperatorTestHarness<RowRecords, CellMessage> harness =
        new OneInputStreamOperatorTestHarness<>(
            new FoldOperator(EXACT),
            OperatorFixture.serializer(RowRecords.TYPE),
            fixture.environment());
    harnesses.add(harness);
    harness.setup(OperatorFixture.serializer(CellMessage.TYPE));
    harness.open();
    OperatorFixture.sendRows(
        harness, row(0, 4, 500), row(1, 2, 1500), row(0, 5, 700), row(0, 6, 1500), row(0, 7, 400));
    harness.prepareSnapshotPreBarrier(1);
    List<CellMessage> sent = OperatorFixture.take(harness);
    List<CellMessage> found =
        sent.stream().filter(each -> each.kind() == CellMessage.Kind.RANGE).toList();
    assertThat(found).extracting(CellMessage::cell).containsOnly(FIRST);
    assertThat(found).extracting(CellMessage::epoch).containsExactly(0L, 1L);
    assertThat(found)
        .extracting(CellMessage::ranges)
        .containsExactly(ranges(0, 4, 8), ranges(1, 2, 3).and(ranges(0, 6, 7)));
    assertThat(sent.subList(sent.size() - 1, sent.size()))
        .as("the progress comes last")
        .extracting(CellMessage::kind)
        .containsOnly(CellMessage.Kind.PROGRESS);

    OperatorFixture.sendRows(harness, row(0, 8, 500));
    harness.endInput();
    assertThat(OperatorFixture.take(harness))
        .filteredOn(each -> each.kind() == CellMessage.Kind.RANGE)
        .extracting(CellMessage::ranges)
        .containsExactly(ranges(0, 8, 9));
  }

  private static RowRecord row(int partition, long offset, long timestamp) {
    byte[] value = "{\"a\":0.5,\"b\":3,\"y\":1}".getBytes(UTF_8);
    return new RowRecord(partition, offset, timestamp, true, Optional.empty(), Optional.of(value));
  }

  @Test
  void anEpochIsSealedWithAllItsRanges() throws Exception {
    OneInputStreamOperatorTestHarness<CellMessage, SealedBlock> before =
        accumulate(EXACT, Optional.empty());
    send(
        before,
        CellMessage.partial(FIRST, 0, first(1)),
        CellMessage.range(FIRST, 0, ranges(0, 4, 6)),
        CellMessage.range(FIRST, 1, ranges(0, 5, 9)),
        CellMessage.range(FIRST, 0, ranges(1, 2, 3)));
    OneInputStreamOperatorTestHarness<CellMessage, SealedBlock> harness =
        accumulate(EXACT, Optional.of(before.snapshot(1, 1)));
    send(
        harness,
        CellMessage.range(FIRST, 0, ranges(0, 7, 8)),
        OperatorFixture.cut(0, Map.of()),
        CellMessage.range(FIRST, 0, ranges(0, 20, 21)));
    SealedBlock sealed =
        side(harness, AccumulateOperator.FIRST_STAGE).stream()
            .filter(each -> each.cell().equals(FIRST))
            .findFirst()
            .orElseThrow();
    assertThat(sealed.ranges()).isEqualTo(ranges(0, 4, 8).and(ranges(1, 2, 3)));
    assertThat(sealed.block()).isEqualTo(first(1));
    assertThat(OperatorFixture.take(harness))
        .as("not to be assembled yet")
        .extracting(SealedBlock::cell)
        .doesNotContain(FIRST);
  }

  /** No second noise over the same rows, and no release of parts that belong to two. */
  @Test
  void whatIsPublishedGetsNoNoiseAndNoModel() throws Exception {
    SketchJobSettings published = NOISY.withPublished(Set.of(NOISY.releaseId(FIRST, 0).toString()));
    OneInputStreamOperatorTestHarness<CellMessage, SealedBlock> first =
        accumulate(published, Optional.empty());
    send(
        first,
        CellMessage.partial(FIRST, 0, first(1)),
        CellMessage.range(FIRST, 0, ranges(0, 4, 8)),
        OperatorFixture.cut(0, Map.of()));
    List<SealedBlock> sealed = side(first, AccumulateOperator.FIRST_STAGE);
    assertThat(sealed).hasSize(1).allMatch(SealedBlock::isPublished);

    OneInputStreamOperatorTestHarness<SealedBlock, SealedBlock> model =
        keyed(new ModelOperator(published), Optional.empty());
    send(model, sealed.get(0));
    assertThat(side(model, ModelOperator.FITS)).isEmpty();
    List<SealedBlock> parts = OperatorFixture.take(model);
    assertThat(parts).extracting(SealedBlock::cell).containsExactly(FIRST, MODEL);
    assertThat(parts).allMatch(SealedBlock::isPublished);
    OneInputStreamOperatorTestHarness<SealedBlock, ReleaseCommittable> assemble = assemble();
    for (SealedBlock part : parts) {
      send(assemble, part);
    }
    assertThat(OperatorFixture.take(assemble)).isEmpty();
    assertThat(((KeyedOneInputStreamOperatorTestHarness<?, ?, ?>) assemble).numKeyedStateEntries())
        .isZero();
  }

  private OneInputStreamOperatorTestHarness<SealedBlock, ReleaseCommittable> assemble()
      throws Exception {
    return keyed(new KeyedProcessOperator<>(new AssembleFunction(EXACT)), Optional.empty());
  }

  @Test
  void epochsBeginInOrder() throws Exception {
    OneInputStreamOperatorTestHarness<SealedBlock, SealedBlock> before =
        keyed(new ModelOperator(EXACT), Optional.empty());
    send(before, new SealedBlock(FIRST, 1, first(0), ranges(2, 5, 7)));
    assertThat(OperatorFixture.take(before)).extracting(SealedBlock::cell).containsExactly(FIRST);
    assertThat(side(before, ModelOperator.FITS)).as("epoch 0 comes first").isEmpty();
    OperatorSubtaskState state = before.snapshot(1, 1);

    OneInputStreamOperatorTestHarness<SealedBlock, SealedBlock> harness =
        keyed(new ModelOperator(EXACT), Optional.of(state));
    send(harness, new SealedBlock(FIRST, 0, first(0), ranges(0, 1, 6).and(ranges(2, 3, 6))));
    List<SealedBlock> parts = OperatorFixture.take(harness);
    assertThat(parts).extracting(SealedBlock::cell).containsExactly(FIRST);
    assertThat(parts).allMatch(part -> part.ranges().isEmpty());
    List<FitTask> tasks = side(harness, ModelOperator.FITS);
    assertThat(tasks)
        .extracting(task -> task.epoch() + " " + task.ranges())
        .containsExactly(
            "0 {0=Range[from=1, to=6], 2=Range[from=3, to=6]}", "1 {2=Range[from=5, to=7]}");
    assertThat(tasks).allMatch(task -> task.models().keySet().equals(Set.of(MODEL)));
  }

  @Test
  void aReleaseIsWhatWasMadeOfTheRows() throws Exception {
    OneInputStreamOperatorTestHarness<SealedBlock, ReleaseCommittable> harness = assemble();
    byte[] model = block(MECHANISM.payloadLength(), 1L << 30);
    send(harness, new SealedBlock(MODEL, 3, model));
    assertThat(OperatorFixture.take(harness)).isEmpty();
    send(harness, new SealedBlock(FIRST, 3, first(0)));
    List<ReleaseCommittable> sent = OperatorFixture.take(harness);
    assertThat(sent).hasSize(1);
    assertThat(Release.fromBytes(sent.get(0).body()).numbers()).isEqualTo(Block.longs(model));
  }

  /** Nothing is new in the state of streams whose rows are read once. */
  @Test
  void otherStreamsKeepNoRanges() throws Exception {
    SketchJobSettings once = OperatorFixture.small();
    OneInputStreamOperatorTestHarness<CellMessage, SealedBlock> harness =
        accumulate(once, Optional.empty());
    int length = once.plan().sketch("moments").mechanism().spec().stateLength();
    send(harness, CellMessage.partial(MOMENTS, 0, block(length, 1)));
    assertThat(state(harness)).contains("blocks-v1").doesNotContain("row-ranges-v1");
    send(harness, OperatorFixture.cut(0, Map.of()));
    assertThat(OperatorFixture.take(harness)).hasSize(once.cells().size());

    OneInputStreamOperatorTestHarness<CellMessage, SealedBlock> twice =
        accumulate(EXACT, Optional.empty());
    send(twice, CellMessage.partial(FIRST, 0, first(1)));
    assertThat(state(twice)).contains("blocks-v1", "row-ranges-v1");
  }

  private static String state(OneInputStreamOperatorTestHarness<?, ?> harness) throws Exception {
    KeyedStateHandle handle = harness.snapshot(1, 1).getManagedKeyedState().iterator().next();
    try (var in = ((KeyGroupsStateHandle) handle).openInputStream()) {
      return new String(in.readAllBytes(), ISO_8859_1);
    }
  }
}

package io.gauze.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.kafka.DeadLetter;
import io.gauze.kafka.RowRecord;
import io.gauze.kafka.RowRecords;
import io.gauze.kafka.WireType;
import io.gauze.pipeline.again.FitTask;
import io.gauze.publish.ReleaseCommittable;
import io.gauze.solver.RequestRecord;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.CellMessage;
import io.gauze.stream.Offsets;
import io.gauze.stream.RowRanges;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message that travels between operators, through its serializer. */
final class WireTypeTest {
  private static final Cell CELL = new Cell("group", "skétch", 3);
  private static final byte[] BLOCK = Block.of(new long[] {1, -2, Long.MIN_VALUE}, 0, 3);
  private static final Offsets OFFSETS = Offsets.of(Map.of(0, 0L, 7, Long.MAX_VALUE));

  private static final RowRanges RANGES =
      RowRanges.of(Map.of(0, new RowRanges.Range(0, 1), 7, new RowRanges.Range(5, Long.MAX_VALUE)));

  /** A message, its type and the name that the exception gives it. */
  record Message<T>(WireType<T> type, T value, String name, int version, String known) {
    Message(WireType<T> type, T value, String name) {
      this(type, value, name, 1, "version 1");
    }
  }

  static Stream<Message<?>> messages() {
    RowRecord row =
        new RowRecord(
            2,
            Long.MAX_VALUE,
            -1,
            true,
            Optional.of(new byte[] {7}),
            Optional.of(new byte[] {0, -1}));
    RowRecord empty =
        new RowRecord(0, 0, 0, false, Optional.of(new byte[0]), Optional.of(new byte[0]));
    RowRecord none = new RowRecord(0, 0, 0, false, Optional.empty(), Optional.empty());
    return Stream.of(
        new Message<>(RowRecord.TYPE, row, "row record"),
        new Message<>(RowRecord.TYPE, empty, "row record"),
        new Message<>(RowRecord.TYPE, none, "row record"),
        new Message<>(RowRecords.TYPE, RowRecords.of(row, none, empty), "row records"),
        new Message<>(RowRecords.TYPE, RowRecords.of(empty), "row records"),
        new Message<>(DeadLetter.TYPE, new DeadLetter("reason \u00e9", row), "dead letter"),
        new Message<>(DeadLetter.TYPE, new DeadLetter("", none), "dead letter"),
        new Message<>(
            CellMessage.TYPE, CellMessage.partial(CELL, -5, BLOCK), "cell message", 2, "version 2"),
        new Message<>(
            CellMessage.TYPE, CellMessage.progress("7", OFFSETS), "cell message", 2, "version 2"),
        new Message<>(
            CellMessage.TYPE, CellMessage.cut("7", 8, 9, OFFSETS), "cell message", 2, "version 2"),
        new Message<>(
            CellMessage.TYPE,
            CellMessage.cut("7", 0, 0, Offsets.of(Map.of())),
            "cell message",
            2,
            "version 2"),
        new Message<>(
            CellMessage.TYPE, CellMessage.range(CELL, 9, RANGES), "cell message", 2, "version 2"),
        new Message<>(
            SealedBlock.TYPE,
            new SealedBlock(CELL, -5, BLOCK),
            "sealed block",
            1,
            "versions 1 to 2"),
        new Message<>(
            SealedBlock.TYPE,
            new SealedBlock(CELL, -5, BLOCK, RANGES),
            "sealed block",
            2,
            "versions 1 to 2"),
        new Message<>(
            SealedBlock.TYPE, SealedBlock.published(CELL, 4), "sealed block", 2, "versions 1 to 2"),
        new Message<>(
            FitTask.TYPE,
            new FitTask(
                3, 4, RowRanges.of(Map.of(5, new RowRanges.Range(6, 7))), Map.of(CELL, BLOCK)),
            "fit task",
            2,
            "versions 1 to 2"),
        new Message<>(
            ReleaseCommittable.TYPE,
            new ReleaseCommittable("s/all/all/x", "rows", 7, new byte[] {1, 2}),
            "finished release"),
        new Message<>(
            RequestRecord.TYPE,
            RequestRecord.of(2, 7, Optional.of(new byte[] {1}), Optional.of(new byte[] {2, 3})),
            "request record"),
        new Message<>(
            RequestRecord.TYPE,
            RequestRecord.of(2, 7, Optional.empty(), Optional.of(new byte[1 << 17])),
            "request record"));
  }

  @ParameterizedTest
  @MethodSource("messages")
  <T> void comesBackAsItWas(Message<T> message) throws IOException {
    TypeSerializer<T> serializer = OperatorFixture.serializer(message.type());
    byte[] bytes = bytes(serializer, message.value());
    DataInputDeserializer in = new DataInputDeserializer(bytes);
    T back = serializer.deserialize(in);
    assertThat(in.available()).as("bytes left").isZero();
    assertThat(back).usingRecursiveComparison().isEqualTo(message.value());

    DataOutputSerializer copy = new DataOutputSerializer(64);
    serializer.copy(new DataInputDeserializer(bytes), copy);
    assertThat(copy.getCopyOfBuffer()).isEqualTo(bytes);
    assertThat(serializer.copy(message.value())).isSameAs(message.value());
  }

  @ParameterizedTest
  @MethodSource("messages")
  <T> void anUnknownVersionIsRefused(Message<T> message) throws IOException {
    TypeSerializer<T> serializer = OperatorFixture.serializer(message.type());
    byte[] bytes = bytes(serializer, message.value());
    assertThat(bytes[0]).as("version").isEqualTo((byte) message.version());
    bytes[0] = 3;
    assertThatThrownBy(() -> serializer.deserialize(new DataInputDeserializer(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            message.name() + " has version 3; this program reads " + message.known());
  }

  @Test
  void finishedReleasesSurviveACommit() throws IOException {
    ReleaseCommittable.CommittableSerializer serializer =
        new ReleaseCommittable.CommittableSerializer();
    ReleaseCommittable now = new ReleaseCommittable("s/all/all/x", "rows", 7, new byte[] {1, 2});
    ReleaseCommittable back = serializer.deserialize(1, serializer.serialize(now));
    assertThat(back).usingRecursiveComparison().isEqualTo(now);
    assertThat(back.isOf("rows")).isTrue();
    assertThat(back.isOf("any")).isFalse();
  }

  /** As savepoints of models hold it that were made before tasks had models. */
  @Test
  void aFitTaskOfVersion1HasModelsToFit() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    out.writeByte(1);
    out.writeLong(3);
    out.writeLong(4);
    RowRanges.NONE.write(out);
    out.writeInt(1);
    CELL.write(out);
    FitTask task = FitTask.fromBytes(out.getCopyOfBuffer());
    assertThat(task.epoch()).isEqualTo(4);
    assertThat(task.models()).containsOnlyKeys(CELL);
    assertThat(task.models().get(CELL)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("messages")
  <T> void aTruncatedMessageIsRefused(Message<T> message) throws IOException {
    TypeSerializer<T> serializer = OperatorFixture.serializer(message.type());
    byte[] bytes = bytes(serializer, message.value());
    for (int length = 0; length < bytes.length; length++) {
      DataInputDeserializer in = new DataInputDeserializer(bytes, 0, length);
      assertThatThrownBy(() -> serializer.deserialize(in)).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  <T> void theSnapshotOfItsSerializerRestores(Message<T> message) throws IOException {
    TypeSerializer<T> serializer = OperatorFixture.serializer(message.type());
    TypeSerializerSnapshot<T> restored = snapshotThroughBytes(serializer);
    assertThat(restored.restoreSerializer()).isEqualTo(serializer);
    assertThat(
            serializer
                .snapshotConfiguration()
                .resolveSchemaCompatibility(restored)
                .isCompatibleAsIs())
        .isTrue();
    T back =
        restored
            .restoreSerializer()
            .deserialize(new DataInputDeserializer(bytes(serializer, message.value())));
    assertThat(back).usingRecursiveComparison().isEqualTo(message.value());
  }

  private static <T> TypeSerializerSnapshot<T> snapshotThroughBytes(TypeSerializer<T> serializer)
      throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(out, serializer.snapshotConfiguration());
    return TypeSerializerSnapshot.readVersionedSnapshot(
        new DataInputDeserializer(out.getCopyOfBuffer()), WireTypeTest.class.getClassLoader());
  }

  private static <T> byte[] bytes(TypeSerializer<T> serializer, T value) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(value, out);
    return out.getCopyOfBuffer();
  }
}

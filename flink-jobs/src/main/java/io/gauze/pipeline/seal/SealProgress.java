package io.gauze.pipeline.seal;

import io.gauze.stream.Offsets;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Which epochs a subtask of the accumulators has sealed, which offsets the next ones wait for, and
 * how far the rows have been read. All cells of the subtask share it.
 *
 * <p>Every subtask gets the same messages about these. They are sent between two barriers, and
 * checkpoints are aligned, so the subtasks of a checkpoint that keep them hold the same. The state
 * is a union list: after a change of the parallelism each subtask restores what all of them held.
 * Its order is not known, and what is restored does not depend on it.
 */
final class SealProgress {
  /** Name and type belong to the savepoint format: never change them, add a -v2. */
  static final ListStateDescriptor<byte[]> STATE =
      new ListStateDescriptor<>(
          "seal-progress-v1", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final int VERSION = 1;

  /**
   * The epochs in [first, last], which end at the same offsets.
   *
   * @param ends the offset after the last row of each partition
   */
  record Cut(long first, long last, Offsets ends) {}

  private final ListState<byte[]> state;
  private final Map<Integer, Long> read = new HashMap<>();
  private final Map<Integer, Long> readAtEnd = new HashMap<>();
  private final Deque<Cut> cuts = new ArrayDeque<>(); // in the order of the epochs, without gaps
  private OptionalLong sealed = OptionalLong.empty();

  private SealProgress(ListState<byte[]> state) {
    this.state = state;
  }

  /** Returns the restored progress; of a new job there is none. */
  static SealProgress of(OperatorStateStore store) throws Exception {
    SealProgress progress = new SealProgress(store.getUnionListState(STATE));
    List<Cut> held = new ArrayList<>();
    for (byte[] each : progress.state.get()) {
      held.addAll(progress.add(each));
    }
    held.sort(Comparator.comparingLong(Cut::first));
    held.forEach(progress::cut);
    return progress;
  }

  /** Returns whether the restored state held any progress, as it does since this state is there. */
  boolean wasHeld() throws Exception {
    return state.get().iterator().hasNext();
  }

  /** Keeps the larger offset of each partition: progress is monotone. */
  void advance(Map<Integer, Long> next) {
    next.forEach((partition, offset) -> read.merge(partition, offset, Math::max));
  }

  /** Keeps how far the rows will have been read at the end of all input: see {@link #end}. */
  void advanceAtEnd(Map<Integer, Long> next) {
    next.forEach((partition, offset) -> readAtEnd.merge(partition, offset, Math::max));
  }

  /** Takes the progress of {@link #advanceAtEnd} as reached, since all input has ended. */
  void end() {
    advance(readAtEnd);
  }

  /**
   * Keeps where epochs end. Cuts come in the order of the epochs, without gaps.
   *
   * @return the epochs of it that were not cut before; empty for a copy of an earlier cut
   */
  Optional<Cut> cut(Cut next) {
    OptionalLong known = lastCut();
    if (known.isPresent() && next.last() <= known.getAsLong()) {
      return Optional.empty();
    }
    long first = known.isPresent() ? Math.max(next.first(), known.getAsLong() + 1) : next.first();
    Cut added = new Cut(first, next.last(), next.ends());
    Cut before = cuts.peekLast();
    if (before != null && before.last() + 1 == first && before.ends().equals(next.ends())) {
      cuts.removeLast();
      cuts.add(new Cut(before.first(), next.last(), next.ends()));
    } else {
      cuts.add(added);
    }
    return Optional.of(added);
  }

  private OptionalLong lastCut() {
    return cuts.isEmpty() ? sealed : OptionalLong.of(cuts.getLast().last());
  }

  /** The epochs that wait for rows. */
  Iterable<Cut> cuts() {
    return cuts;
  }

  /** Returns whether an epoch waits for rows. */
  boolean hasCuts() {
    return !cuts.isEmpty();
  }

  /** Returns the next epochs to seal, if all of their rows have been read. */
  Optional<Cut> complete() {
    return Optional.ofNullable(cuts.peek()).filter(cut -> isReached(cut.ends()));
  }

  // The ends of the partitions never decrease, so epochs are complete in their order.
  private boolean isReached(Offsets ends) {
    return ends.byPartition().entrySet().stream()
        .allMatch(end -> read.getOrDefault(end.getKey(), 0L) >= end.getValue());
  }

  /** Says that the epochs of {@link #complete} are sealed in all cells. */
  void seal() {
    sealed = OptionalLong.of(cuts.remove().last());
  }

  /** The last sealed epoch; empty if no epoch is sealed yet. */
  OptionalLong sealedThrough() {
    return sealed;
  }

  /** Takes an epoch, and all before it, as sealed, as a restored state says. */
  void restoreSealed(long through) {
    sealed = OptionalLong.of(Math.max(through, sealed.orElse(through)));
  }

  /** Describes how far the first partition that is behind a cut was read. */
  String firstUnread() {
    SortedMap<Integer, Long> ends = new TreeMap<>();
    for (Cut each : cuts) {
      each.ends().byPartition().forEach((partition, end) -> ends.merge(partition, end, Math::max));
    }
    for (Map.Entry<Integer, Long> end : ends.entrySet()) {
      long reached = read.getOrDefault(end.getKey(), 0L);
      if (reached < end.getValue()) {
        return String.format(
            Locale.ROOT,
            "partition %d was read up to offset %d of %d",
            end.getKey(),
            reached,
            end.getValue());
      }
    }
    return "no partition is behind";
  }

  /** Writes the progress into the next checkpoint. */
  void snapshot() throws Exception {
    state.update(List.of(toBytes()));
  }

  /** Writes nothing into the next checkpoint, as a subtask that keeps no progress. */
  void snapshotNothing() throws Exception {
    state.clear();
  }

  /**
   * Returns version 1 of the stored form: whether an epoch is sealed, and the last one; the offsets
   * read, and those read at the end; the number of cuts, then first epoch, last epoch and offsets
   * of each.
   */
  private byte[] toBytes() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    out.writeByte(VERSION);
    out.writeBoolean(sealed.isPresent());
    out.writeLong(sealed.orElse(0));
    Offsets.of(read).write(out);
    Offsets.of(readAtEnd).write(out);
    out.writeInt(cuts.size());
    for (Cut cut : cuts) {
      out.writeLong(cut.first());
      out.writeLong(cut.last());
      cut.ends().write(out);
    }
    return out.getCopyOfBuffer();
  }

  /** Adds what a subtask held, but for its cuts, which are returned. */
  private List<Cut> add(byte[] held) throws IOException {
    DataInputDeserializer in = new DataInputDeserializer(held);
    int version = in.readByte();
    if (version != VERSION) {
      throw new IOException(
          "seal progress has version " + version + "; this program reads version " + VERSION);
    }
    boolean hasSealed = in.readBoolean();
    long through = in.readLong();
    if (hasSealed) {
      restoreSealed(through);
    }
    advance(Offsets.read(in).byPartition());
    advanceAtEnd(Offsets.read(in).byPartition());
    List<Cut> waiting = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      waiting.add(new Cut(in.readLong(), in.readLong(), Offsets.read(in)));
    }
    return waiting;
  }
}

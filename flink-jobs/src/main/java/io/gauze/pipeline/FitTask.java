package io.gauze.pipeline;

import io.gauze.kafka.WireType;
import io.gauze.stream.Cell;
import io.gauze.stream.RowRanges;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The task to read the rows of a sealed epoch again and to fit models to them. Everything in it is
 * public, but for the offsets.
 *
 * @param firstEpoch the first epoch of the stream
 * @param epoch the epoch
 * @param ranges the offsets between which its rows lie
 * @param cells the models, each by the cell of its part
 */
record FitTask(long firstEpoch, long epoch, RowRanges ranges, List<Cell> cells) {
  /** The Flink type of these tasks. */
  static final WireType<FitTask> TYPE = WireType.of(FitTask.class, Codec.class);

  FitTask {
    cells = List.copyOf(cells);
  }

  /** Returns the task for some of its models. */
  FitTask of(List<Cell> some) {
    return new FitTask(firstEpoch, epoch, ranges, some);
  }

  /** Returns the bytes in which state holds the task. */
  byte[] toBytes() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    new Codec().write(this, out);
    return out.getCopyOfBuffer();
  }

  /** Parses the bytes that {@link #toBytes} returns. */
  static FitTask fromBytes(byte[] bytes) throws IOException {
    return new Codec().read(new DataInputDeserializer(bytes));
  }

  @Override
  public String toString() {
    return "models of epoch " + epoch;
  }

  /** The serialized form, version 1: first epoch, epoch, ranges; the number of cells, then each. */
  public static final class Codec implements WireType.Codec<FitTask> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(FitTask task, DataOutputView out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(task.firstEpoch);
      out.writeLong(task.epoch);
      task.ranges.write(out);
      out.writeInt(task.cells.size());
      for (Cell cell : task.cells) {
        cell.write(out);
      }
    }

    @Override
    public FitTask read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "fit task");
      long firstEpoch = in.readLong();
      long epoch = in.readLong();
      RowRanges ranges = RowRanges.read(in);
      List<Cell> cells = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        cells.add(Cell.read(in));
      }
      return new FitTask(firstEpoch, epoch, ranges, cells);
    }
  }
}

package io.gauze.pipeline.again;

import io.gauze.kafka.WireType;
import io.gauze.stream.Block;
import io.gauze.stream.Cell;
import io.gauze.stream.RowRanges;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The task to read the rows of a sealed epoch again, and to make of them what its releases lack.
 * Everything in it is public, but for the offsets. Immutable.
 *
 * @param firstEpoch the first epoch of the stream
 * @param epoch the epoch
 * @param ranges the offsets between which its rows lie
 * @param models the blocks of the public models, each by the cell of its part; without bytes where
 *     the model is to be fitted
 */
public record FitTask(long firstEpoch, long epoch, RowRanges ranges, Map<Cell, byte[]> models) {
  /** The Flink type of these tasks. */
  public static final WireType<FitTask> TYPE = WireType.of(FitTask.class, Codec.class);

  public FitTask {
    models = Collections.unmodifiableMap(new LinkedHashMap<>(models));
  }

  /** The cells of the models, in their order. */
  List<Cell> cells() {
    return List.copyOf(models.keySet());
  }

  /** Returns the task for some of its models. */
  FitTask of(Collection<Cell> some) {
    Map<Cell, byte[]> left = new LinkedHashMap<>(models);
    left.keySet().retainAll(some);
    return new FitTask(firstEpoch, epoch, ranges, left);
  }

  /** Returns the bytes in which state holds the task. */
  byte[] toBytes() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(256);
    new Codec().write(this, out);
    return out.getCopyOfBuffer();
  }

  /** Parses the bytes that {@link #toBytes} returns. */
  public static FitTask fromBytes(byte[] bytes) throws IOException {
    return new Codec().read(new DataInputDeserializer(bytes));
  }

  @Override
  public String toString() {
    return "models of epoch " + epoch;
  }

  /**
   * The serialized form: first epoch, epoch, ranges; the number of models, then the cell of each,
   * and in version 2 whether it is to be fitted, and its block if it is not.
   */
  public static final class Codec implements WireType.Codec<FitTask> {
    private static final long serialVersionUID = 1L;
    private static final int CELLS_ONLY = 1;
    private static final int WITH_MODELS = 2;

    /** For Flink, which creates it by reflection. */
    public Codec() {}

    @Override
    public void write(FitTask task, DataOutputView out) throws IOException {
      out.writeByte(WITH_MODELS);
      out.writeLong(task.firstEpoch);
      out.writeLong(task.epoch);
      task.ranges.write(out);
      out.writeInt(task.models.size());
      for (Map.Entry<Cell, byte[]> model : task.models.entrySet()) {
        model.getKey().write(out);
        out.writeBoolean(model.getValue().length == 0);
        if (model.getValue().length > 0) {
          Block.write(model.getValue(), out);
        }
      }
    }

    @Override
    public FitTask read(DataInputView in) throws IOException {
      int version = WireType.Codec.version(in, CELLS_ONLY, WITH_MODELS, "fit task");
      long firstEpoch = in.readLong();
      long epoch = in.readLong();
      RowRanges ranges = RowRanges.read(in);
      Map<Cell, byte[]> models = new LinkedHashMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        Cell cell = Cell.read(in);
        boolean fitted = version == CELLS_ONLY || in.readBoolean();
        models.put(cell, fitted ? new byte[0] : Block.read(in));
      }
      return new FitTask(firstEpoch, epoch, ranges, models);
    }
  }
}

package io.gauze.pipeline.read;

import io.gauze.stream.CellMessage;
import io.gauze.stream.KeyGroups;
import io.gauze.stream.Offsets;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.VisibleEnds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A source that tells the accumulators when epochs are over. Once the wall clock has passed the end
 * of an epoch by {@code epochs.sealDelay}, and with event times also by {@code
 * epochs.allowedLateness}, it asks the broker where every partition ends and sends a cut to every
 * accumulator. The clock does not decide which rows are in an epoch. The source has one subtask,
 * whose only state is the number of the next epoch.
 */
public final class ClockSource
    implements Source<CellMessage, ClockSource.Split, List<ClockSource.Split>> {
  private static final long serialVersionUID = 2L;

  private final SketchJobSettings settings;
  private final int keyGroups;

  /**
   * Creates the source.
   *
   * @param keyGroups the maximum parallelism of the accumulators
   */
  public ClockSource(SketchJobSettings settings, int keyGroups) {
    this.settings = settings;
    this.keyGroups = keyGroups;
  }

  @Override
  public Boundedness getBoundedness() {
    return settings.bounded() ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<CellMessage, Split> createReader(SourceReaderContext context) {
    return new ClockReader(
        settings,
        KeyGroups.keys(keyGroups),
        () -> Offsets.of(VisibleEnds.now(settings.kafka(), settings.topics().rows())));
  }

  @Override
  public SplitEnumerator<Split, List<Split>> createEnumerator(
      SplitEnumeratorContext<Split> context) {
    return new Enumerator(context, List.of(new Split(settings.schedule().firstEpoch())));
  }

  @Override
  public SplitEnumerator<Split, List<Split>> restoreEnumerator(
      SplitEnumeratorContext<Split> context, List<Split> waiting) {
    return new Enumerator(context, waiting);
  }

  @Override
  public SimpleVersionedSerializer<Split> getSplitSerializer() {
    return new SplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<List<Split>> getEnumeratorCheckpointSerializer() {
    return new WaitingSerializer();
  }

  /**
   * The clock's state.
   *
   * @param nextEpoch the first epoch whose cut has not been sent
   */
  record Split(long nextEpoch) implements SourceSplit {
    @Override
    public String splitId() {
      return "clock";
    }
  }

  /** Assigns the one split to the one reader; its state is the split until then. */
  private static final class Enumerator implements SplitEnumerator<Split, List<Split>> {
    private final SplitEnumeratorContext<Split> context;
    private final List<Split> waiting;

    Enumerator(SplitEnumeratorContext<Split> context, List<Split> waiting) {
      this.context = context;
      this.waiting = new ArrayList<>(waiting);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<Split> splits, int subtask) {
      waiting.addAll(splits);
    }

    @Override
    public void addReader(int subtask) {
      waiting.forEach(split -> context.assignSplit(split, subtask));
      waiting.clear();
      context.signalNoMoreSplits(subtask);
    }

    @Override
    public List<Split> snapshotState(long checkpointId) {
      return List.copyOf(waiting);
    }

    @Override
    public void close() {}
  }

  private static final class SplitSerializer implements SimpleVersionedSerializer<Split> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Split split) {
      return ByteBuffer.allocate(Long.BYTES).putLong(split.nextEpoch()).array();
    }

    @Override
    public Split deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1) {
        throw new IOException(
            "clock state has version " + version + "; this program reads version 1");
      }
      return new Split(ByteBuffer.wrap(bytes).getLong());
    }
  }

  private static final class WaitingSerializer implements SimpleVersionedSerializer<List<Split>> {
    private final SplitSerializer each = new SplitSerializer();

    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(List<Split> waiting) {
      return waiting.isEmpty() ? new byte[0] : each.serialize(waiting.get(0));
    }

    @Override
    public List<Split> deserialize(int version, byte[] bytes) throws IOException {
      return bytes.length == 0 ? List.of() : List.of(each.deserialize(version, bytes));
    }
  }
}

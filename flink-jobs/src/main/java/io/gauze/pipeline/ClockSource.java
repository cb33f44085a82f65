package io.gauze.pipeline;

import java.io.IOException;
import java.nio.ByteBuffer;
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
 * Says when epochs are over: once the wall clock has passed an epoch's end by the grace time, it
 * asks the broker where every partition ends and sends a cut to every cell. What is in an epoch
 * does not depend on it. One subtask; its only state is the number of the next epoch.
 */
final class ClockSource implements Source<CellMessage, ClockSource.Split, Boolean> {
  private static final long serialVersionUID = 1L;

  private final SketchJobSettings settings;

  ClockSource(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public Boundedness getBoundedness() {
    return settings.bounded() ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<CellMessage, Split> createReader(SourceReaderContext context) {
    return new ClockReader(
        settings, () -> SketchRun.endsNow(settings.kafka(), settings.topics().rows()));
  }

  @Override
  public SplitEnumerator<Split, Boolean> createEnumerator(SplitEnumeratorContext<Split> context) {
    return new Enumerator(context, settings.schedule().firstEpoch(), false);
  }

  @Override
  public SplitEnumerator<Split, Boolean> restoreEnumerator(
      SplitEnumeratorContext<Split> context, Boolean assigned) {
    return new Enumerator(context, settings.schedule().firstEpoch(), assigned);
  }

  @Override
  public SimpleVersionedSerializer<Split> getSplitSerializer() {
    return new SplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
    return new AssignedSerializer();
  }

  /**
   * The clock's state.
   *
   * @param nextEpoch the first epoch that no cut was sent for
   */
  record Split(long nextEpoch) implements SourceSplit {
    @Override
    public String splitId() {
      return "clock";
    }
  }

  /** Hands the one split to the one reader. */
  private static final class Enumerator implements SplitEnumerator<Split, Boolean> {
    private final SplitEnumeratorContext<Split> context;
    private Split waiting;

    Enumerator(SplitEnumeratorContext<Split> context, long firstEpoch, boolean assigned) {
      this.context = context;
      this.waiting = assigned ? null : new Split(firstEpoch);
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<Split> splits, int subtask) {
      for (Split split : splits) {
        waiting = split;
      }
    }

    @Override
    public void addReader(int subtask) {
      if (waiting != null) {
        context.assignSplit(waiting, subtask);
        waiting = null;
      }
      context.signalNoMoreSplits(subtask);
    }

    @Override
    public Boolean snapshotState(long checkpointId) {
      return waiting == null;
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

  private static final class AssignedSerializer implements SimpleVersionedSerializer<Boolean> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Boolean assigned) {
      return new byte[] {(byte) (assigned ? 1 : 0)};
    }

    @Override
    public Boolean deserialize(int version, byte[] bytes) throws IOException {
      if (version != 1) {
        throw new IOException(
            "clock enumerator state has version " + version + "; this program reads version 1");
      }
      return bytes[0] == 1;
    }
  }
}

package io.gauze.publish;

import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A sink that publishes releases after the checkpoint that contains them is complete. The finished
 * releases are the sink's committables.
 */
public final class ReleaseSink
    implements Sink<ReleaseCommittable>, SupportsCommitter<ReleaseCommittable> {
  private static final long serialVersionUID = 1L;

  private final SketchJobSettings settings;

  public ReleaseSink(SketchJobSettings settings) {
    this.settings = settings;
  }

  @Override
  public SinkWriter<ReleaseCommittable> createWriter(WriterInitContext context) {
    return new Collecting();
  }

  @Override
  public Committer<ReleaseCommittable> createCommitter(CommitterInitContext context) {
    return new ReleaseCommitter(
        settings,
        context.metricGroup().addGroup("gauze"),
        Optional.of(StreamLease.hold(settings, StreamLease.Holder.of(context))));
  }

  @Override
  public SimpleVersionedSerializer<ReleaseCommittable> getCommittableSerializer() {
    return new ReleaseCommittable.CommittableSerializer();
  }

  /** A writer that collects the releases since the last checkpoint. */
  private static final class Collecting
      implements CommittingSinkWriter<ReleaseCommittable, ReleaseCommittable> {
    private List<ReleaseCommittable> pending = new ArrayList<>();

    @Override
    public void write(ReleaseCommittable release, Context context) {
      pending.add(release);
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public Collection<ReleaseCommittable> prepareCommit() {
      List<ReleaseCommittable> ready = pending;
      pending = new ArrayList<>();
      return ready;
    }

    @Override
    public void close() {}
  }
}

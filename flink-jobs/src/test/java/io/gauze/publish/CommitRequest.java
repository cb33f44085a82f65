package io.gauze.publish;

import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.connector.sink2.Committer;

/**
 * A finished release as Flink hands it to the committer, which has nothing to say of it to Flink.
 */
record CommitRequest(ReleaseCommittable getCommittable)
    implements Committer.CommitRequest<ReleaseCommittable> {

  static List<Committer.CommitRequest<ReleaseCommittable>> of(Stream<ReleaseCommittable> releases) {
    return releases.<Committer.CommitRequest<ReleaseCommittable>>map(CommitRequest::new).toList();
  }

  static List<Committer.CommitRequest<ReleaseCommittable>> of(ReleaseCommittable... releases) {
    return of(Stream.of(releases));
  }

  @Override
  public int getNumberOfRetries() {
    return 0;
  }

  @Override
  public void signalFailedWithKnownReason(Throwable failure) {
    throw new UnsupportedOperationException(failure);
  }

  @Override
  public void signalFailedWithUnknownReason(Throwable failure) {
    throw new UnsupportedOperationException(failure);
  }

  @Override
  public void retryLater() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void updateAndRetryLater(ReleaseCommittable other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void signalAlreadyCommitted() {
    throw new UnsupportedOperationException();
  }
}

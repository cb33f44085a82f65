package io.gauze.publish;

import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.connector.sink2.Committer;

/**
 * A finished release as Flink hands it to the committer, which has nothing to say of it to Flink.
 */
record CommitRequest(FinishedRelease getCommittable)
    implements Committer.CommitRequest<FinishedRelease> {

  static List<Committer.CommitRequest<FinishedRelease>> of(Stream<FinishedRelease> releases) {
    return releases.<Committer.CommitRequest<FinishedRelease>>map(CommitRequest::new).toList();
  }

  static List<Committer.CommitRequest<FinishedRelease>> of(FinishedRelease... releases) {
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
  public void updateAndRetryLater(FinishedRelease other) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void signalAlreadyCommitted() {
    throw new UnsupportedOperationException();
  }
}

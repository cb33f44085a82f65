package io.gauze.report;

import io.gauze.accounting.Budget;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.release.Release;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The columns and the budget of a release, as a stream of single rows. Its row bound is that of the
 * release, whatever number of rows is asked for.
 */
public final class ReleasedStream implements AdvisedStream {
  private final Release release;

  /**
   * Creates it.
   *
   * @throws IllegalArgumentException if the release is not of single rows in one epoch each
   */
  public ReleasedStream(Release release) {
    if (release.guarantee().unit() != UnitKind.ROW || release.isCumulative()) {
      throw new IllegalArgumentException(
          "release must be of unit row and of one epoch, since a release of another one does not"
              + " say how its budget is divided; ask gauze advise with the config. Provided value: "
              + release.id());
    }
    this.release = release;
  }

  @Override
  public String label() {
    return "release " + release.id();
  }

  @Override
  public String key() {
    return release.id() + release.encodingVersion() + budget();
  }

  @Override
  public OptionalLong expectedRows() {
    return OptionalLong.empty();
  }

  @Override
  public Set<String> mechanisms() {
    return Set.of(release.mechanism());
  }

  @Override
  public Budget budget() {
    return release.guarantee().budget();
  }

  @Override
  public StreamRequest request(double epsilon, long rows) {
    Budget budget = new Budget(epsilon, budget().delta(), budget().neighbours());
    return new StreamRequest(
        release.id().stream(),
        release.schema(),
        budget,
        StreamRequest.ROW,
        rows,
        List.of(),
        List.of(new SketchRequest("any", NoisyMoments.NAME, 1.0, Map.of())));
  }

  @Override
  public String note(long rows) {
    return String.format(
        Locale.ROOT,
        "This is for the row bound of the release, %.3g. A config plans its own from expectedRows.",
        release.schema().rowBound());
  }
}

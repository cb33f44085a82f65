package io.gauze.fit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.accounting.Guarantee;
import io.gauze.mechanism.ReleaseId;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.FitSummary;
import io.gauze.regression.MergedReleases;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.ReleasedRows;
import io.gauze.regression.rows.MomentsInput;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A release, or the merged releases of several epochs, groups or streams, prepared for any number
 * of fits. Equality is identity. Thread-safe.
 */
public final class FitSource {
  /** The size of an id or a column, in numbers of eight bytes. */
  private static final long SMALL = 40;

  private final List<ReleaseId> ids;
  private final RowSchema schema;
  private final Map<String, Guarantee> guarantees; // of each stream
  private final Optional<FitInput> input;
  private final Map<String, FitInput> ofStreams; // if there are several
  private final String reason;
  private final long numbers;

  private FitSource(
      List<ReleaseId> ids,
      List<Release> firsts,
      Optional<FitInput> input,
      Map<String, FitInput> ofStreams,
      String reason) {
    Release first = firsts.get(0);
    this.ids = List.copyOf(ids);
    this.schema = first.schema();
    this.guarantees = new LinkedHashMap<>();
    firsts.forEach(each -> guarantees.put(each.id().stream(), each.guarantee()));
    this.input = input;
    this.ofStreams = new LinkedHashMap<>(ofStreams);
    this.reason = reason;
    long one = first.payload().length() + beside(input);
    this.numbers = (1 + ofStreams.size()) * one + SMALL * (ids.size() + schema.columns().size());
  }

  /** Returns the size of the moments that are kept besides the released rows of a sketch. */
  private static long beside(Optional<FitInput> input) {
    return input.orElse(null) instanceof ReleasedRows rows ? rows.keptMoments() : 0;
  }

  /**
   * Prepares releases.
   *
   * @param releases at least one; of each stream and group the earliest first
   */
  public static FitSource of(List<Release> releases) {
    Sum sum = new Sum();
    releases.forEach(sum::add);
    return sum.source();
  }

  /** Prepares releases that come one at a time, and holds only sums and the first ones. */
  public static final class Sum {
    private final List<ReleaseId> ids = new ArrayList<>();
    private final MergedReleases merged = new MergedReleases();
    private final Map<String, FitInput> ofStreams = new LinkedHashMap<>(); // if there are several
    private Optional<Release> first = Optional.empty();
    private Optional<String> reason = Optional.empty();

    /** Adds a release; of each stream and group the earliest first. */
    public void add(Release next) {
      ids.add(next.id());
      first = first.or(() -> Optional.of(next));
      if (reason.isPresent()) {
        return;
      }
      try {
        Optional<FitInput> before =
            merged.firsts().size() == 1 ? Optional.of(merged.sum()) : Optional.empty();
        String only = first.orElseThrow().id().stream();
        merged.add(next);
        if (merged.firsts().size() > 1) {
          before.ifPresent(sum -> ofStreams.put(only, sum));
          ofStreams.merge(next.id().stream(), FitInput.of(next), FitInput::plus);
        }
      } catch (IllegalArgumentException e) { // no input for a regression, or not mergeable
        reason = Optional.of(e.getMessage());
      }
    }

    /** The ids of the added releases. */
    public List<ReleaseId> ids() {
      return List.copyOf(ids);
    }

    /** Returns the merged releases, of which there must be at least one. */
    public FitSource source() {
      boolean adds = reason.isEmpty();
      return new FitSource(
          ids,
          adds ? List.copyOf(merged.firsts().values()) : List.of(first.orElseThrow()),
          adds ? Optional.of(merged.sum()) : Optional.empty(),
          adds ? ofStreams : Map.of(),
          reason.orElse(""));
    }
  }

  /** The releases, the earliest first. */
  public List<ReleaseId> ids() {
    return ids;
  }

  /** What the predicted excess of a fit of this source means. */
  FitQuality verdict(Fit fit) {
    return FitQuality.of(input.orElseThrow(), fit);
  }

  /** What this source says of a fit of it as a whole, in the encoded scale. */
  FitSummary summary(Fit fit) {
    return input.orElseThrow().summary(fit);
  }

  /** Whether this source has all features of a fit, or took some for 0. */
  boolean hasFeatures(Fit fit) {
    return input.orElseThrow().hasFeatures(fit.problem());
  }

  /** The columns of the rows. */
  public RowSchema schema() {
    return schema;
  }

  /** The size of this object in numbers of eight bytes, roughly. */
  public long numbers() {
    return numbers;
  }

  /** Returns the fits of the single streams, or why there is none; nothing if there is one. */
  Map<String, FitOutcome> ofStreams(RegressionProblem problem) {
    Map<String, FitOutcome> fits = new LinkedHashMap<>();
    ofStreams.forEach((stream, own) -> fits.put(stream, Regression.fit(own, problem)));
    return fits;
  }

  /** Returns what the predicted excess of a fit of one of the streams means. */
  FitQuality verdict(String stream, Fit fit) {
    return FitQuality.of(ofStreams.get(stream), fit);
  }

  /** The id; the first id and the last epoch; or the streams or groups. */
  public String name() {
    String first = ids.get(0).toString();
    if (ids.size() == 1) {
      return first;
    }
    List<String> streams = ids.stream().map(ReleaseId::stream).distinct().toList();
    if (streams.size() > 1) {
      return "streams " + String.join(", ", streams);
    }
    List<String> groups = ids.stream().map(ReleaseId::group).distinct().toList();
    return groups.size() > 1
        ? "groups " + String.join(", ", groups) + " of " + streams.get(0)
        : first + " to " + ids.get(ids.size() - 1).epoch();
  }

  /** Returns whether the source may answer losses other than the squared one. */
  boolean hasBends() {
    return input.filter(known -> !(known instanceof MomentsInput)).isPresent();
  }

  /** Returns a fit, or why there is none. */
  FitOutcome fit(RegressionProblem problem) {
    return input.isPresent()
        ? Regression.fit(input.get(), problem)
        : new FitOutcome.Refused(reason);
  }

  /** Returns a new object with the ids and what they promise. */
  public ObjectNode guarantee() {
    return new StreamGuarantees(ids, guarantees).write();
  }
}

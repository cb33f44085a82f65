package io.gauze.fit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A release, or the merged releases of several epochs of a sketch, prepared for any number of fits.
 * Equality is identity. Thread-safe.
 */
public final class FitSource {
  /** The size of an id or a column, in numbers of eight bytes. */
  private static final long SMALL = 40;

  private final List<ReleaseId> ids;
  private final RowSchema schema;
  private final Guarantee guarantee;
  private final Optional<FitInput> input;
  private final String reason;
  private final long numbers;

  private FitSource(List<ReleaseId> ids, Release first, Optional<FitInput> input, String reason) {
    this.ids = List.copyOf(ids);
    this.schema = first.schema();
    this.guarantee = first.guarantee();
    this.input = input;
    this.reason = reason;
    this.numbers =
        first.payload().length() + beside(input) + SMALL * (ids.size() + schema.columns().size());
  }

  /**
   * Returns the size of the moments that are kept as a triangle besides the released rows of a
   * sketch.
   */
  private static long beside(Optional<FitInput> input) {
    long dimension =
        input.filter(ReleasedRows.class::isInstance).map(FitInput::dimension).orElse(0);
    return dimension * (dimension + 1) / 2;
  }

  /**
   * Prepares releases.
   *
   * @param releases at least one; several are epochs of one sketch, the earliest first
   */
  public static FitSource of(List<Release> releases) {
    Sum sum = new Sum();
    releases.forEach(sum::add);
    return sum.source();
  }

  /** Prepares releases that come one at a time, and holds only the first and the sum. */
  public static final class Sum {
    private final List<ReleaseId> ids = new ArrayList<>();
    private final MergedReleases merged = new MergedReleases();
    private Optional<Release> first = Optional.empty();
    private Optional<String> reason = Optional.empty();

    /** Adds a release; several are epochs of one sketch, the earliest first. */
    public void add(Release next) {
      ids.add(next.id());
      first = first.or(() -> Optional.of(next));
      if (reason.isPresent()) {
        return;
      }
      try {
        merged.add(next);
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
      return new FitSource(
          ids,
          first.orElseThrow(),
          reason.isPresent() ? Optional.empty() : Optional.of(merged.sum()),
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

  /** The id, or the first id and the last epoch. */
  public String name() {
    String first = ids.get(0).toString();
    return ids.size() == 1 ? first : first + " to " + ids.get(ids.size() - 1).epoch();
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

  /** Returns a new object with the ids and the guarantee that all of them have together. */
  ObjectNode guarantee() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ids.forEach(id -> all.withArrayProperty("releases").add(id.toString()));
    all.setAll(GuaranteeJson.write(guarantee));
    all.put("summary", guarantee.summary());
    return all.put("sentence", guarantee.sentence() + merged());
  }

  /** What the guarantee of each epoch means for all of them together. */
  private String merged() {
    if (ids.size() == 1) {
      return "";
    }
    String each = " Merged from " + ids.size() + " epochs, each with this guarantee";
    return guarantee.unit().epochsAddUp()
        ? each + ". A user may have rows in all of them, so their costs add up: see the ledger."
        : each + ": a row is in one of them, so that it holds for all of them together.";
  }
}

package io.gauze.solver;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.privacy.Guarantee;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.row.RowSchema;
import io.gauze.solve.FitInput;
import io.gauze.solve.FitOutcome;
import io.gauze.solve.MomentsInput;
import io.gauze.solve.Regression;
import io.gauze.solve.RegressionProblem;
import java.util.List;
import java.util.Optional;

/**
 * A release, or several epochs of a sketch that are added up, prepared for any number of fits.
 * Equal to itself only. Thread-safe.
 */
public final class FitSource {
  private final List<ReleaseId> ids;
  private final RowSchema schema;
  private final Guarantee guarantee;
  private final Optional<FitInput> input;
  private final String reason;
  private final long numbers;

  private FitSource(List<Release> releases, Optional<FitInput> input, String reason) {
    Release first = releases.get(0);
    this.ids = releases.stream().map(Release::id).toList();
    this.schema = first.schema();
    this.guarantee = first.guarantee();
    this.input = input;
    this.reason = reason;
    this.numbers = first.contents().length();
  }

  /**
   * Prepares.
   *
   * @param releases at least one; several are epochs of one sketch, the earliest first
   */
  public static FitSource of(List<Release> releases) {
    try {
      return new FitSource(releases, Optional.of(FitInput.of(releases)), "");
    } catch (IllegalArgumentException e) { // no input of a regression, or no sum
      return new FitSource(releases, Optional.empty(), e.getMessage());
    }
  }

  /** The releases, the earliest first. */
  public List<ReleaseId> ids() {
    return ids;
  }

  /** The columns of the rows. */
  public RowSchema schema() {
    return schema;
  }

  /** How many numbers a release holds, roughly what this object takes. */
  long numbers() {
    return numbers;
  }

  /** The id, or the first one and the last epoch. */
  public String name() {
    String first = ids.get(0).toString();
    return ids.size() == 1 ? first : first + " to " + ids.get(ids.size() - 1).epoch();
  }

  /** Whether it might tell where losses bend, that is, answer more than squared losses. */
  boolean hasBends() {
    return input.filter(known -> !(known instanceof MomentsInput)).isPresent();
  }

  /** A fit, or why there is none. */
  FitOutcome fit(RegressionProblem problem) {
    return input.isPresent()
        ? Regression.fit(input.get(), problem)
        : new FitOutcome.Refused(reason);
  }

  /** A new object: the ids, and what all of them promise together. */
  ObjectNode guarantee() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ids.forEach(id -> all.withArrayProperty("releases").add(id.toString()));
    all.setAll(GuaranteeJson.write(guarantee));
    String merged =
        ids.size() == 1
            ? ""
            : " Merged from "
                + ids.size()
                + " epochs, each with this guarantee: a row is in one of them, so that it holds for all"
                + " of them together.";
    return all.put("sentence", guarantee.sentence() + merged);
  }
}

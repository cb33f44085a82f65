package io.gauze.regression.select;

import io.gauze.internal.Checks;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.RangeEnd;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.ClampingCheck;
import io.gauze.regression.moments.ReleasedMoments;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * Noisy moments of the intercept, a few selected columns and one response.
 *
 * @param dimension D, the number of columns of the rows, with the intercept
 * @param response the column of the response, in [1, D)
 * @param columns the selected columns, rising, in [1, D), without the response
 * @param moments of the intercept, the selected columns and the response, in this order
 */
public record ReleasedSelection(
    int dimension, int response, List<Integer> columns, ReleasedMoments moments)
    implements FitInput {
  /**
   * Checks the columns.
   *
   * @throws IllegalArgumentException if they break one of these rules
   */
  public ReleasedSelection {
    columns = List.copyOf(columns);
    Checks.within("response", response, 1, dimension - 1);
    Checks.length("moments", moments.dimension(), columns.size() + 2);
    int last = 0;
    for (int column : columns) {
      Checks.within("selected column", column, last + 1, dimension - 1);
      if (column == response) {
        throw new IllegalArgumentException(
            "a selected column must not be the response. Provided value: " + column);
      }
      last = column;
    }
  }

  /** Returns the index in the moments of a column of the rows, or -1 if it is not there. */
  int index(int column) {
    if (column == 0) {
      return 0;
    }
    int selected = columns.indexOf(column);
    return column == response ? columns.size() + 1 : selected < 0 ? -1 : selected + 1;
  }

  @Override
  public double intercept() {
    return moments.intercept();
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return SelectionFit.fit(this, problem);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("the release has sums of its selected columns alone");
  }

  @Override
  public boolean hasFeatures(RegressionProblem problem) {
    return problem.features().stream().allMatch(feature -> index(feature) >= 0);
  }

  @Override
  public String whyNotSummable() {
    return "each of them may have selected other columns";
  }

  @Override
  public Predicate<RangeEnd> crowdedEnds() {
    ClampingCheck among = new ClampingCheck(moments::momentsOf, moments::law, intercept());
    return end -> index(end.column()) > 0 && among.at(index(end.column()), end);
  }

  @Override
  public double largestExcess(Fit fit) {
    return moments.largestExcess(new SelectionFit(this, fit.problem()).restricted(fit));
  }

  @Override
  public OptionalDouble ignorance(Fit fit) {
    return new SelectionFit(this, fit.problem()).ignorance(fit);
  }
}

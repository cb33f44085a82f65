package io.gauze.regression.papers;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitQuality;
import io.gauze.regression.FitSummary;
import io.gauze.regression.RangeEnd;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.ClampingCheck;
import io.gauze.regression.moments.ReleasedMoments;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Sufficient statistics for one response, with Gaussian noise in each part, as released by AdaSSP.
 *
 * @param response the column of the response, in [1, D)
 * @param moments the moments of the other columns, in their order, with symmetric noise
 * @param products their products with the response
 * @param leastEigenvalue of the moments without noise, with its own noise
 * @param productsSigma standard deviation of the noise in the products; positive
 * @param eigenvalueSigma standard deviation of the noise in the least eigenvalue; positive
 * @param responseSquare the expected mean square of the response, from public knowledge; positive
 */
public record ReleasedStatistics(
    int response,
    ReleasedMoments moments,
    DoubleVector products,
    double leastEigenvalue,
    double productsSigma,
    double eigenvalueSigma,
    double responseSquare)
    implements FitInput {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public ReleasedStatistics {
    Objects.requireNonNull(moments, "moments");
    Checks.within("response", response, 1, moments.dimension());
    Checks.length("products", products.size(), moments.dimension());
    Checks.positiveFinite("productsSigma", productsSigma);
    Checks.positiveFinite("eigenvalueSigma", eigenvalueSigma);
    Checks.positiveFinite("responseSquare", responseSquare);
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return new AdaSspFit(this, problem).fit();
  }

  @Override
  public FitSummary summary(Fit fit) {
    return FitSummary.withheld("the release has no sum of squares of the response");
  }

  @Override
  public Predicate<RangeEnd> crowdedEnds() {
    ClampingCheck others = new ClampingCheck(moments::momentsOf, moments::law, intercept());
    return end -> end.column() != response && others.at(index(end.column()), end);
  }

  @Override
  public Optional<FitQuality> unpredicted(Fit fit) {
    return new AdaSspFit(this, fit.problem()).isSilent()
        ? Optional.empty()
        : Optional.of(FitQuality.DOUBTFUL);
  }

  @Override
  public double intercept() {
    return moments.intercept();
  }

  @Override
  public int dimension() {
    return moments.dimension() + 1;
  }

  /** Returns the index in the moments of a column of the rows. */
  int index(int column) {
    return column > response ? column - 1 : column;
  }
}

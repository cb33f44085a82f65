package io.gauze.regression.moments;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.RangeEnd;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.MomentsInput;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import org.ejml.data.DMatrixRMaj;

/** Second moments of a release, whose error has a known law. */
public interface NoisyMomentsInput extends MomentsInput {
  /**
   * The law of the error of the moments of some columns.
   *
   * @param columns their indexes, in the order in which the law takes them
   */
  NoiseLaw law(int... columns);

  /**
   * Rows that the release may not show, and that a fit shall withstand: a fit that chooses its
   * penalty is one of the rows and of these. What they do to it, and what one of them would do to
   * the fit of the rows, is a part of its error. None by default.
   *
   * @param columns as {@link #law} has them
   * @return a row for each of them, with the columns' values
   */
  default DMatrixRMaj guard(int... columns) {
    return new DMatrixRMaj(0, columns.length);
  }

  @Override
  default FitOutcome solve(RegressionProblem problem) {
    return problem.loss().isSquared()
        ? NoisyMomentsFit.of(this, problem)
        : NormalResiduals.fit(this, problem);
  }

  @Override
  default FitSummary summary(Fit fit) {
    FitSummary summary = new MomentsSummary(this, fit).summary();
    return cut().map(cut -> summary.with(cut, fit.problem().loss().isSquared())).orElse(summary);
  }

  @Override
  default Predicate<RangeEnd> crowdedEnds() {
    return new ClampingCheck(this::momentsOf, this::law, intercept());
  }

  @Override
  default OptionalDouble ignorance(Fit fit) {
    NoisyResidual residual = leastResidual(fit);
    double spread = spread(fit.problem(), residual, residual.median());
    return OptionalDouble.of(Math.sqrt(spread) - 1.0);
  }

  // Moments do not show where residuals lie, on which all losses but squares depend.
  @Override
  default double largestExcess(Fit fit) {
    return fit.problem().loss().isSquared() ? largestByResidual(fit) : Double.POSITIVE_INFINITY;
  }

  // What a fit loses in squares is known; the residual that it is compared with may be smaller.
  @Override
  default double largestByResidual(Fit fit) {
    NoisyResidual residual = leastResidual(fit);
    double root = 1.0 + fit.predictedExcess();
    double lost = (root * root - 1.0) * residual.median();
    return Math.sqrt(1.0 + lost / residual.low()) - 1.0;
  }

  /** Returns the residual of a fit; with hardly a penalty if the fit's is given. */
  private NoisyResidual leastResidual(Fit fit) {
    RegressionProblem problem = fit.problem();
    return problem.lambda().isPresent()
        ? residual(problem, DoubleVector.of(NoisyMomentsFit.free(this, problem).getData()))
        : residual(problem, fit.coefficients());
  }

  private NoisyResidual residual(RegressionProblem problem, DoubleVector coefficients) {
    int[] columns = problem.columns(dimension());
    DMatrixRMaj joint = momentsOf(columns);
    double[] b = coefficients.toArray();
    if (problem.isOuterQuantile()) {
      centre(problem, joint, b);
    }
    return NoisyResidual.of(law(columns), joint, new DMatrixRMaj(b));
  }

  /** Moves the intercept from the quantile to the mean, since squares are those around the mean. */
  private static void centre(RegressionProblem problem, DMatrixRMaj joint, double... b) {
    int constant = problem.features().indexOf(0);
    if (constant < 0 || !(joint.get(constant, constant) > 0.0)) {
      return;
    }
    double sum = joint.get(constant, b.length);
    for (int k = 0; k < b.length; k++) {
      sum -= b[k] * joint.get(constant, k);
    }
    b[constant] += sum / joint.get(constant, constant);
  }

  // The noise of the response's own square is in both sums, and not in what the fit takes off.
  /**
   * Returns the sum of squares of the response around its mean over that around a fit; at least 1.
   *
   * @param estimate of the residual sum; positive
   */
  private double spread(RegressionProblem problem, NoisyResidual residual, double estimate) {
    int response = problem.response();
    DMatrixRMaj pair = momentsOf(0, response);
    double mean = pair.get(0, 1);
    double constant = pair.get(0, 0);
    double around = pair.get(1, 1) - (constant > 0.0 ? mean * mean / constant : 0.0);
    return 1.0 + Math.max(0.0, around - residual.noisy()) / estimate;
  }
}

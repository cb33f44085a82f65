package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/** The answer to a problem on a release that holds no signal: all coefficients are 0. */
final class InterceptOnlyFit {
  private InterceptOnlyFit() {}

  /**
   * Returns coefficients of 0 with the reason as a warning, or refuses if the problem is strict or
   * gives the penalty.
   *
   * @param intercept the constant in column 0 of the rows
   * @param rows the number of rows, as far as it is known
   */
  static FitOutcome outcome(
      RegressionProblem problem, double intercept, double rows, String reason) {
    if (!problem.mayShrink()) {
      return new FitOutcome.Refused(reason);
    }
    DoubleVector none = DoubleVector.of(new double[problem.features().size()]);
    String warning = reason + "; all coefficients are 0, and errors are not known";
    return new FitOutcome.Fitted(fit(problem, intercept, none, rows, Double.NaN, List.of(warning)));
  }

  /**
   * Returns a constant as a fit without standard errors.
   *
   * @param b coefficients, all 0 but that of the constant column
   * @param excess the predicted one; NaN: not known
   */
  static Fit fit(
      RegressionProblem problem,
      double intercept,
      DoubleVector b,
      double rows,
      double excess,
      List<String> warnings) {
    SymmetricMatrix none = SymmetricMatrix.of(new DMatrixRMaj(b.size(), b.size()));
    Fit fit =
        new Fit(
            problem,
            intercept,
            b,
            none,
            none,
            Penalty.LARGEST,
            1.0,
            Math.max(0.0, rows),
            excess,
            Convergence.DIRECT,
            warnings);
    return fit.withWithheld(IntStream.range(0, b.size()).boxed().collect(Collectors.toSet()));
  }
}

package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/** The answer to a problem on a release that holds no signal: all coefficients are 0. */
public final class InterceptOnlyFit {
  private InterceptOnlyFit() {}

  /**
   * That a release holds no signal above its noise.
   *
   * @param measured what it holds
   * @param reached what noise alone reaches
   * @param reason why a fit is refused, where it must not be drawn to 0
   */
  public record Silence(double measured, double reached, String reason) {
    Message message() {
      return FitMessage.EMPTY.of(measured, reached);
    }
  }

  /**
   * Returns coefficients of 0 with the reason as a warning, or refuses if the problem is strict or
   * gives the penalty.
   *
   * @param intercept the constant in column 0 of the rows
   * @param rows the number of rows, as far as it is known
   */
  public static FitOutcome outcome(
      RegressionProblem problem, double intercept, double rows, Silence silence) {
    if (!problem.mayShrink()) {
      return new FitOutcome.Refused(silence.reason());
    }
    DoubleVector none = DoubleVector.of(new double[problem.features().size()]);
    return new FitOutcome.Fitted(
        fit(problem, intercept, none, rows, Double.NaN, List.of(silence.message())));
  }

  /**
   * Returns a constant as a fit without standard errors.
   *
   * @param b coefficients, all 0 but that of the constant column
   * @param excess the predicted one; NaN: not known
   */
  public static Fit fit(
      RegressionProblem problem,
      double intercept,
      DoubleVector b,
      double rows,
      double excess,
      List<Message> warnings) {
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

package io.gauze.regression.rows;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RegressionProblem;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * Least squares, ridge, LASSO and elastic net on raw rows and on releases.
 *
 * <p>On a release, the joint moments of features and response are projected to the nearest positive
 * semidefinite matrix. A lambda that the problem leaves open is chosen by parametric bootstrap.
 * Deterministic: the same input gives the same fit.
 */
public final class LeastSquares {
  /** Keeps projected systems positive definite; far below any noise. */
  public static final double JITTER = 1e-10;

  static final String NO_ROWS = "there are no rows; send some, or fit another epoch";

  private LeastSquares() {}

  /**
   * Fits a problem. O(D^3) time: about a millisecond for a dozen columns.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static FitOutcome fit(ExactMoments exact, RegressionProblem problem) {
    int[] columns = problem.columns(exact.dimension());
    if (exact.rows() <= 0) { // a sketch can hold more deletions than insertions
      return new FitOutcome.Refused(NO_ROWS);
    }
    double lambda = problem.lambda().orElse(0.0);
    double[] penalty = problem.ridgeWeights(exact.intercept());
    NormalEquations equations = new NormalEquations(exact.moments().select(columns), penalty);
    ElasticNet.Solution net =
        ElasticNet.solve(
            equations,
            lambda,
            problem.penalty().alpha(),
            0.0,
            problem.l1Weights(exact.intercept()));
    NormalEquations.Solution solution = net.solution();
    double[] b = solution.b().getData();
    double residual = Math.max(0.0, equations.residual(solution.b()));
    Set<Integer> open = solution.missed() > 0 ? equations.open() : Set.of();
    return new FitOutcome.Fitted(
        new Fit(
                problem,
                exact.intercept(),
                DoubleVector.of(b),
                sampling(equations, solution, residual, (double) exact.rows()),
                SymmetricMatrix.of(new DMatrixRMaj(penalty.length, penalty.length)),
                lambda,
                solution.condition(),
                (double) exact.rows(),
                0.0,
                net.convergence(),
                warnings(exact, problem, net, open))
            .withObjective(
                OptionalDouble.of(residual + problem.penaltyOf(lambda, exact.intercept(), b)))
            .withWithheld(withheld(exact, problem, open, b)));
  }

  /**
   * Returns the coefficients that an l1 penalty made 0: in other rows, or with other noise, they
   * may be kept.
   */
  public static Set<Integer> zeros(RegressionProblem problem, double... b) {
    return IntStream.range(0, b.length)
        .filter(k -> problem.penalty().alpha() < 1.0 && b[k] == 0.0)
        .boxed()
        .collect(Collectors.toSet());
  }

  private static Set<Integer> withheld(
      ExactMoments exact, RegressionProblem problem, Set<Integer> open, double... b) {
    Set<Integer> withheld = new HashSet<>(zeros(problem, b));
    withheld.addAll(exact.rows() <= b.length ? all(problem) : open);
    return withheld;
  }

  /** Returns the indexes of all features. */
  static Set<Integer> all(RegressionProblem problem) {
    return IntStream.range(0, problem.features().size())
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<Message> warnings(
      ExactMoments exact, RegressionProblem problem, ElasticNet.Solution net, Set<Integer> open) {
    List<Message> warnings = new ArrayList<>();
    if (net.solution().missed() > 0) {
      warnings.add(FitMessage.OPEN.of(net.solution().missed(), net.active(), problem.named(open)));
    }
    if (!net.solved()) {
      warnings.add(
          FitMessage.GAP.of(net.convergence().iterations(), net.convergence().relativeGap()));
    }
    warnAboutStandardErrors(warnings, problem, net.solution().b().getData());
    if (exact.rows() <= problem.features().size()) {
      warnings.add(FitMessage.SHORT.of());
    }
    return warnings;
  }

  /** Warns that standard errors do not include the effects of a penalty that is given. */
  public static void warnAboutStandardErrors(
      List<Message> warnings, RegressionProblem problem, double... b) {
    double lambda = problem.lambda().orElse(0.0);
    if (lambda * (1.0 - problem.penalty().alpha()) > 0.0) {
      warnings.add(kept(FitMessage.KEPT, problem, b));
    } else if (lambda > 0.0) {
      warnings.add(FitMessage.PULLED.of());
    }
  }

  /**
   * Returns the message of how many coefficients the l1 penalty kept. It does not count the
   * intercept, which the user did not request and which is nearly always kept.
   */
  public static Message kept(FitMessage message, RegressionProblem problem, double... b) {
    int all = 0;
    int kept = 0;
    for (int k = 0; k < b.length; k++) {
      if (problem.features().get(k) != 0) {
        all++;
        kept += b[k] == 0.0 ? 0 : 1;
      }
    }
    return message.of(kept, all);
  }

  // Cov(b) = A^-1 Cov(s) A^-1 with Cov(s) = s2 S for residuals of equal variance s2, A = S + lambda
  // P; s2 (X'X)^-1 without a ridge.
  public static SymmetricMatrix sampling(
      NormalEquations equations, NormalEquations.Solution solution, double residual, double rows) {
    int features = equations.features();
    double variance = residual / Math.max(1.0, rows - features);
    return RowsFit.sandwich(solution.inverse(), equations.gram(), variance);
  }
}

package io.gauze.regression.twostage;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Clipping;
import io.gauze.regression.CutRows;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Loss;
import io.gauze.regression.Prospect;
import io.gauze.regression.RangeEnd;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.strata.ReleasedStrata;
import io.gauze.regression.strata.StrataNoise;
import io.gauze.regression.strata.StratifyingDirection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Second moments of transformed rows, and of the rows of each stratum of the residual of one
 * response.
 *
 * <p>Squared losses are fitted from the moments of all rows. Absolute, quantile and Huber losses of
 * that response are fitted from the strata, in the coordinates of {@link WhitenedQuestion}. Where
 * noise alone costs a fit of the moments more than a normal law of residuals usually does, strata
 * have too few rows to tell where losses bend, and the moments answer. So they do for other
 * responses, for a given ridge, which is one on encoded columns, and without an intercept.
 *
 * @param pooled the moments of all rows, the sum of the strata among them
 * @param release these moments under the release's transform
 * @param strata the moments of the rows of each stratum under that transform
 * @param weights of the residual, in the order of the transform's places
 * @param noise of moments and strata
 * @param response the encoded column
 */
record StrataInput(
    TransformedInput pooled,
    TransformedMatrix release,
    List<SymmetricMatrix> strata,
    DoubleVector weights,
    StrataNoise noise,
    int response)
    implements FitInput {
  /** The part of the variance of a question's residual that strata must be able to tell of. */
  private static final double MOST = 0.5;

  StrataInput {
    strata = List.copyOf(strata);
  }

  @Override
  public double intercept() {
    return pooled.intercept();
  }

  @Override
  public int dimension() {
    return pooled.dimension();
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    if (!isOfStrata(problem)) {
      return pooled.solve(problem);
    }
    if (problem.strict()) {
      return ofStrata(problem);
    }
    FitOutcome ofMoments = pooled.solve(problem);
    if (!(ofMoments instanceof FitOutcome.Fitted fitted)) {
      return ofMoments;
    }
    // what noise does to it, and what a normal law of residuals costs
    double expected = fitted.fit().predictedExcess();
    if (Double.isNaN(expected)) {
      return ofMoments; // nothing stands out of the noise
    }
    double noise = expected - Prospect.SQUARES_FOR_LAD;
    return isDrowned(noise)
        ? ofMoments.map(fit -> fit.withWarnings(List.of(FitMessage.STRATA.of())))
        : ofStrata(problem).map(fit -> fit.withExcess(Math.max(noise, fit.predictedExcess())));
  }

  /** Whether strata have too few rows if noise costs a fit of all moments this excess. */
  static boolean isDrowned(double noise) {
    return noise > Prospect.SQUARES_FOR_LAD;
  }

  /** Checks whether strata tell more of a question than moments of all rows do. */
  private boolean isOfStrata(RegressionProblem problem) {
    return !problem.loss().isSquared()
        && problem.response() == response
        && problem.features().contains(0)
        && problem.lambda().orElse(0.0) == 0.0;
  }

  private FitOutcome ofStrata(RegressionProblem problem) {
    WhitenedQuestion question = new WhitenedQuestion(problem, List.of(release), pooled.intercept());
    DMatrixRMaj basis = question.basis(release);
    int last = question.columns().length - 1;
    DMatrixRMaj axis = new DMatrixRMaj(dimension(), 1);
    CommonOps_DDRM.mult(basis, new DMatrixRMaj(weights.toArray()), axis);
    if (axis.get(last) == 0.0) {
      return pooled.solve(problem); // strata of something else
    }
    List<SymmetricMatrix> sums = new ArrayList<>();
    for (SymmetricMatrix stratum : strata) {
      sums.add(under(basis, stratum));
    }
    ReleasedStrata turned =
        ReleasedStrata.ofResiduals(
            StratifyingDirection.of(last, axis.getData()).withBase(question.base(dimension())),
            under(basis, release.moments()),
            sums,
            noise,
            question.constant());
    return isTold(turned, question)
        ? turned
            .solve(inCoordinates(question.problem(), problem.loss(), question.unit()))
            .map(question::fit)
        : pooled.solve(problem).map(fit -> fit.withWarnings(List.of(ofOthers(problem))));
  }

  private static Message ofOthers(RegressionProblem problem) {
    String name = problem.responseName();
    return FitMessage.AXIS.of(
        "the residual of " + name + " on all columns", name + " on these features");
  }

  /** Checks whether the strata are those of most of the question's residual. */
  private boolean isTold(ReleasedStrata turned, WhitenedQuestion question) {
    RegressionProblem squares = inCoordinates(question.problem(), Loss.SQUARED, question.unit());
    return turned.solve(squares) instanceof FitOutcome.Fitted fitted
        && turned.told(residual(fitted.fit())) > MOST;
  }

  /** The weights of the residual of a fit of the coordinates. */
  private DoubleVector residual(Fit fit) {
    double[] weights = new double[dimension()];
    for (int k = 0; k < fit.coefficients().size(); k++) {
      weights[fit.problem().features().get(k)] = -fit.coefficients().get(k);
    }
    weights[fit.problem().response()] = 1.0;
    return DoubleVector.of(weights);
  }

  private static SymmetricMatrix under(DMatrixRMaj basis, SymmetricMatrix moments) {
    int[] all = IntStream.range(0, moments.dimension()).toArray();
    return SymmetricMatrix.of(TransformedMatrix.under(basis, moments.select(all)));
  }

  // In the coordinates the best constant is none of the asked columns: a fit must not end there.
  private RegressionProblem inCoordinates(RegressionProblem asked, Loss loss, double unit) {
    List<String> names = new ArrayList<>(asked.names());
    while (names.size() < dimension()) {
      names.add("other " + names.size());
    }
    return new RegressionProblem(
        names,
        asked.response(),
        asked.features(),
        loss instanceof Loss.Huber huber ? new Loss.Huber(huber.threshold() / unit) : loss,
        asked.penalty(),
        List.of(),
        Clipping.UNKNOWN,
        true);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return pooled.summary(fit);
  }

  @Override
  public Predicate<RangeEnd> crowdedEnds() {
    return pooled.crowdedEnds();
  }

  @Override
  public OptionalDouble ignorance(Fit fit) {
    return pooled.ignorance(fit);
  }

  @Override
  public Optional<CutRows> cut() {
    return pooled.cut();
  }

  // Strata show where residuals lie, but hardly the tails.
  @Override
  public double largestExcess(Fit fit) {
    boolean isOfMoments = fit.warnings().stream().anyMatch(each -> each.is(FitMessage.NORMAL));
    return isOfMoments || fit.problem().isOuterQuantile()
        ? pooled.largestExcess(fit)
        : pooled.largestByResidual(fit);
  }

  @Override
  public String whyNotSummable() {
    return "the strata of each are those of a model of its own";
  }

  @Override
  public String toString() {
    return strata.size() + " strata of the residual of column " + response;
  }
}

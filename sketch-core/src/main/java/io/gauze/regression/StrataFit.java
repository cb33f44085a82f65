package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Fits a quantile or Huber's loss on stratified moments. Every stratum is modelled by normal laws
 * ({@link StrataShrinkage}), and the expected loss of the residual, which is smooth and convex in
 * the coefficients, is minimised. Features that are left out are marginalised.
 *
 * <p>Without noise and with 8 strata of the response the mean absolute error was at most 1.1 % over
 * the least one on all reference data; {@link Fit#predictedExcess} does not include that.
 */
final class StrataFit {
  private static final double TOLERANCE = 1e-13;

  /** The largest gap of a fit that counts as solved. */
  private static final double SOLVED = 1e-8;

  /** The ridge of the first, pooled fit, as a share of its noise. */
  private static final double START_RIDGE = 0.3;

  /** The number that is added to the variance of residuals, as a share of the pooled one. */
  private static final double RESIDUAL_FLOOR = 1e-4;

  /** The largest sum that is accepted. Sums of encoded rows are far smaller. */
  private static final double LARGEST_SUM = 1e60;

  private final ReleasedStrata input;
  private final RegressionProblem problem;
  private final int[] columns; // the constant, features, response and stratified column, each once
  private final int[] asked; // positions in columns of the features, then the response
  private final StrataNoise law; // the noise of all strata together
  private final List<DMatrixRMaj> sums = new ArrayList<>();
  private final DMatrixRMaj total;
  private final List<String> warnings = new ArrayList<>();

  private StrataFit(ReleasedStrata input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    int[] joint = problem.columns(input.dimension());
    this.columns =
        IntStream.concat(IntStream.of(0), IntStream.concat(IntStream.of(joint), column()))
            .distinct()
            .toArray();
    this.asked = IntStream.of(joint).map(this::position).toArray();
    this.law = new StrataNoise(input.sigma() * Math.sqrt(input.strata()));
    this.total = new DMatrixRMaj(columns.length, columns.length);
    for (int k = 0; k < input.strata(); k++) {
      sums.add(input.moments(k).select(columns));
      CommonOps_DDRM.addEquals(total, sums.get(k));
    }
  }

  private IntStream column() {
    return IntStream.of(input.column());
  }

  private int position(int column) {
    int position = 0;
    while (columns[position] != column) {
      position++;
    }
    return position;
  }

  /**
   * Fits a problem. Takes {@code O(K p^3)} time for each of some hundred steps if there is noise,
   * since 50 fresh releases are fitted too: a tenth of a second for 8 strata of a dozen columns.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static FitOutcome fit(ReleasedStrata input, RegressionProblem problem) {
    Penalty penalty = problem.penalty();
    // a penalty that is left open is a ridge
    Penalty ridge =
        penalty.lambda().isEmpty()
            ? new Penalty(penalty.lambda(), 1.0, penalty.freeIntercept())
            : penalty;
    StrataFit fit = new StrataFit(input, problem.withPenalty(ridge));
    String reason = fit.refusal();
    return reason.isEmpty() ? new FitOutcome.Fitted(fit.solve()) : new FitOutcome.Refused(reason);
  }

  private String refusal() {
    if (problem.penalty().alpha() < 1.0 && problem.lambda().orElse(0.0) > 0.0) {
      return "an l1 penalty goes with the squared loss only; use a ridge: alpha 1";
    }
    if (input.column() == 0) {
      return "strata of the constant column tell nothing apart; release strata of the response";
    }
    if (!(CommonOps_DDRM.elementMaxAbs(total) < LARGEST_SUM)) {
      return "the sums are too large for encoded rows; check the release's grid";
    }
    // Tracy and Widom: pure noise exceeds edge (1 + 1.65 m^(-2/3)) with probability 0.001
    int size = columns.length;
    double edge = law.edge(size) * (1.0 + 1.65 * Math.pow(size, -2.0 / 3.0));
    double largest = Spectrum.of(total).largest();
    double oneRow = input.intercept() * input.intercept();
    if (!(largest > edge && total.get(0, 0) > 0.5 * oneRow)) {
      return String.format(
          Locale.ROOT,
          "the release holds no signal above its noise: its largest eigenvalue is %.4g, pure noise"
              + " reaches %.4g; it is empty or nearly so; merge epochs, make them longer, or"
              + " spend a larger epsilon",
          largest,
          edge);
    }
    return "";
  }

  private Fit solve() {
    double[] penalty = problem.ridgeWeights(input.intercept());
    DMatrixRMaj joint = Spectrum.of(pick(total)).map(value -> Math.max(value, 0.0));
    NormalEquations equations = new NormalEquations(joint, penalty);
    double noise = law.sigma() * Math.sqrt(asked.length);
    double[] start = equations.solve(START_RIDGE * noise, LeastSquares.JITTER).b().getData();
    double rows = rows();
    StrataObjective.Maker maker =
        new StrataObjective.Maker(
            ExpectedLoss.of(problem.loss()), target(penalty), floor(equations, start) / rows);
    StrataShrinkage.Shape shape =
        new StrataShrinkage.Shape(input.intercept(), position(input.column()), input.sigma());
    StrataModel model = StrataShrinkage.model(shape, sums);
    if (problem.response() != input.column()) {
      warnOfStrata();
    }
    if (input.sigma() == 0.0) {
      StrataBootstrap.Deviation none = StrataBootstrap.Deviation.none(features());
      return fit(maker, model, problem.lambda().orElse(0.0), none, start);
    }
    // the second derivative of the loss is its curvature, that of the square is 2
    double unit = 0.5 * maker.of(model).curvature(start) * noise;
    StrataBootstrap bootstrap = new StrataBootstrap(shape, model, maker, unit);
    double lambda = problem.lambda().orElseGet(() -> bootstrap.ridge(start));
    StrataBootstrap.Deviation deviation =
        bootstrap.deviation(lambda, problem.lambda().orElse(0.0), start);
    warnOfNoise(equations, deviation);
    return fit(maker, model, lambda, deviation, start);
  }

  private int features() {
    return asked.length - 1;
  }

  private DMatrixRMaj pick(DMatrixRMaj matrix) {
    return SymmetricMatrix.of(matrix).select(asked);
  }

  private StrataObjective.Target target(double... penalty) {
    return new StrataObjective.Target(
        DoubleVector.generate(features(), k -> asked[k]),
        asked[features()],
        DoubleVector.of(penalty));
  }

  /** Returns a sum of squares that is small compared to that of the residuals; positive. */
  private double floor(NormalEquations equations, double... b) {
    double residual = equations.residual(new DMatrixRMaj(b));
    return Math.max(RESIDUAL_FLOOR * residual, 1e-12 * CommonOps_DDRM.elementMaxAbs(total));
  }

  /**
   * Returns the minimum. A narrow normal law has hardly any curvature far from its middle, so the
   * search starts with wide ones.
   */
  private static NewtonSearch.Minimum minimum(
      StrataObjective.Maker maker, StrataModel model, double lambda, double... start) {
    double[] b = start;
    for (double factor = 1e4; factor > 10.0; factor *= 0.1) {
      StrataObjective wide = maker.widened(factor).of(model);
      b = NewtonSearch.minimise(wide, lambda, SOLVED, b).b().toArray();
    }
    return NewtonSearch.minimise(maker.of(model), lambda, TOLERANCE, b);
  }

  private Fit fit(
      StrataObjective.Maker maker,
      StrataModel model,
      double lambda,
      StrataBootstrap.Deviation deviation,
      double... start) {
    StrataObjective objective = maker.of(model);
    NewtonSearch.Minimum minimum = minimum(maker, model, lambda, start);
    if (minimum.gap() > SOLVED) {
      warn("the search stalled: the loss may be %.2g of itself above its minimum", minimum.gap());
    }
    StrataSampling sampling = new StrataSampling(minimum.around());
    DMatrixRMaj scores = pick(model.sums());
    scores = CommonOps_DDRM.extract(scores, 0, features(), 0, features());
    CommonOps_DDRM.scale(objective.scoreSquare(minimum.b().toArray()), scores);
    return new Fit(
        problem,
        input.intercept(),
        minimum.b(),
        sampling.covariance(scores),
        SymmetricMatrix.of(deviation.distance()),
        lambda,
        sampling.condition(),
        Math.max(0.0, total.get(0, 0)) / (input.intercept() * input.intercept()),
        deviation.excess(),
        new Convergence(minimum.iterations(), minimum.gap()),
        warnings);
  }

  private double rows() {
    double constant = input.intercept() * input.intercept();
    if (total.get(0, 0) < 4.0 * law.sigma()) {
      warn(
          "the number of rows cannot be told from the noise: %.4g, give or take %.4g",
          total.get(0, 0) / constant, law.sigma() / constant);
    }
    return Math.max(1.0, total.get(0, 0) / constant);
  }

  private void warnOfStrata() {
    warn(
        "the strata are those of %s, not of the response: they tell little of where residuals"
            + " change sign; expect a loss between those of least squares and of a fit on strata"
            + " of %s",
        problem.names().get(input.column()), problem.responseName());
  }

  // Nothing in the release determines the size of the coefficients' part b0 along a direction v
  // where noise exceeds signal; its share in the response can hardly exceed the residual:
  //   (v'b0)^2 <= rss / max(w, sigma sqrt m), w the eigenvalue.
  // The bootstrap treats the released b as the truth and does not see it.
  private void warnOfNoise(NormalEquations equations, StrataBootstrap.Deviation deviation) {
    Spectrum spectrum = Spectrum.of(equations.gram());
    double edge = law.edge(features());
    DMatrixRMaj b = new DMatrixRMaj(features(), 1);
    equations.solveInto(equations.system(law.sigma(), LeastSquares.JITTER), b);
    double unit = law.sigma() * Math.sqrt(asked.length);
    double residual = Math.max(equations.residual(b), unit);
    for (int k = 0; k < features(); k++) {
      if (spectrum.value(k) < edge) {
        DMatrixRMaj v = spectrum.vector(k);
        double most = residual / Math.max(spectrum.value(k), unit);
        CommonOps_DDRM.multAddTransB(most, v, v, deviation.distance());
      }
    }
    if (spectrum.below(edge) > 0) {
      warn(
          "noise exceeds signal in %d of %d directions: coefficients there are mostly the ridge;"
              + " fit fewer features, narrow the columns' ranges, make epochs longer, or spend a"
              + " larger epsilon",
          spectrum.below(edge), features());
    }
    if (deviation.excess() > 0.5) {
      warn(
          "expect a loss some %.0f %% over that of the non-private fit",
          100.0 * deviation.excess());
    }
  }

  private void warn(String format, Object... values) {
    warnings.add(String.format(Locale.ROOT, format, values));
  }
}

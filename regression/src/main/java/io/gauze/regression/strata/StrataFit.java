package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.Convergence;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.InterceptOnlyFit;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExpectedLoss;
import io.gauze.regression.rows.LeastSquares;
import io.gauze.regression.rows.NormalEquations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Fits a quantile or Huber's loss on stratified moments. Every stratum is modelled by normal laws
 * ({@link StrataShrinkage}), and the expected loss of the residual, which is smooth and convex in
 * the coefficients, is minimised. Features that are left out are marginalised.
 *
 * <p>Rows of a stratum are not normal. What that costs is part of {@link Fit#predictedExcess} where
 * there is noise: see {@link StrataErrors}.
 */
final class StrataFit {
  private static final double TOLERANCE = 1e-13;

  /** A number of rows of so many standard deviations of its noise is known. */
  private static final double KNOWN = 4.0;

  /** The largest sum that is accepted. Sums of encoded rows are far smaller. */
  private static final double LARGEST_SUM = 1e60;

  private final ReleasedStrata input;
  private final RegressionProblem problem;
  private final int[] columns; // the constant, features, response and stratified column, each once
  private final int[] asked; // positions in columns of the features, then the response
  private final List<StratumRange> ranges;
  private final StrataNoise law;
  private final List<DMatrixRMaj> sums = new ArrayList<>();
  private final DMatrixRMaj total;
  private final List<Message> warnings = new ArrayList<>();
  private final PointMass pile;

  private StrataFit(ReleasedStrata input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    int[] joint = problem.columns(input.dimension());
    this.columns =
        IntStream.concat(IntStream.of(0), IntStream.concat(IntStream.of(joint), decisive()))
            .distinct()
            .toArray();
    this.asked = IntStream.of(joint).map(this::position).toArray();
    this.ranges = StratumClipping.ranges(input, problem.clipping());
    this.law = input.noise();
    this.pile = isOfItsResiduals() && isCentral() ? PointMass.of(input) : PointMass.NONE;
    this.total = new DMatrixRMaj(columns.length, columns.length);
    for (int k : input.possible()) {
      DMatrixRMaj sum = input.moments(k).select(columns);
      sums.add(sum);
      CommonOps_DDRM.addEquals(total, sum);
    }
  }

  /** The columns that decide the stratum. */
  private IntStream decisive() {
    return input.axis().isColumn()
        ? IntStream.of(input.column())
        : IntStream.range(0, input.dimension());
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
    StrataFit fit = new StrataFit(input, problem.withPenalty(problem.penalty().ridgeIfOpen()));
    String reason = fit.refusal();
    if (!reason.isEmpty()) {
      return new FitOutcome.Refused(reason);
    }
    Optional<InterceptOnlyFit.Silence> silence = fit.silence();
    if (silence.isEmpty()) {
      return new FitOutcome.Fitted(fit.solve());
    }
    return input.sigma() > 0.0
        ? InterceptOnlyFit.outcome(fit.problem, input.intercept(), fit.count(), silence.get())
        : new FitOutcome.Refused(silence.get().reason());
  }

  private String refusal() {
    if (problem.penalty().hasL1()) {
      return Penalty.L1_OF_SQUARES;
    }
    if (input.column() == 0) {
      return "strata of the constant column tell nothing apart; release strata of the response";
    }
    if (!(CommonOps_DDRM.elementMaxAbs(total) < LARGEST_SUM)) {
      return "the sums are too large for encoded rows; check the release's grid";
    }
    return "";
  }

  /** Checks whether the typical value, 0, is near the best constant, as the median is. */
  private boolean isCentral() {
    return new Loss.Quantile(0.5).equals(problem.loss());
  }

  private Optional<InterceptOnlyFit.Silence> silence() {
    // Tracy and Widom: pure noise exceeds edge (1 + 1.65 m^(-2/3)) with probability 0.001
    int size = columns.length;
    double edge = law.edge(size) * (1.0 + 1.65 * Math.pow(size, -2.0 / 3.0));
    double largest = Spectrum.of(total).largest();
    double oneRow = input.intercept() * input.intercept();
    double known = problem.mayShrink() && isCentral() ? KNOWN * law.pooledSigma() : 0.0;
    if (!(largest > edge)) {
      return Optional.of(
          silence(largest, edge, "its largest eigenvalue is %.4g, pure noise reaches %.4g", edge));
    }
    double least = Math.max(0.5 * oneRow, known);
    return total.get(0, 0) > least
        ? Optional.empty()
        : Optional.of(
            silence(
                total.get(0, 0) / oneRow,
                least / oneRow,
                "its number of rows is %.4g, give or take %.4g",
                law.pooledSigma() / oneRow));
  }

  private static InterceptOnlyFit.Silence silence(
      double measured, double reached, String why, double noise) {
    return new InterceptOnlyFit.Silence(
        measured,
        reached,
        "the release holds no signal above its noise: "
            + String.format(Locale.ROOT, why, measured, noise)
            + "; merge epochs, make them longer, or spend a larger epsilon");
  }

  private Fit solve() {
    double[] penalty = problem.ridgeWeights(input.intercept());
    DMatrixRMaj joint = Spectrum.of(pick(total)).map(value -> Math.max(value, 0.0));
    NormalEquations equations = new NormalEquations(joint, penalty);
    double noise = law.pooledSigma() * Math.sqrt(asked.length);
    double[] start = equations.solve(Tuning.START_RIDGE * noise, LeastSquares.JITTER).b().getData();
    double rows = rows();
    StrataObjective.Maker maker =
        new StrataObjective.Maker(
            ExpectedLoss.of(problem.loss()), target(penalty), floor(equations, start) / rows);
    StrataShrinkage.Shape shape =
        new StrataShrinkage.Shape(input.intercept(), input.axis().select(columns), law, ranges);
    StrataModel model = StrataShrinkage.model(shape, sums);
    if (problem.response() != input.column()) {
      warnOfStrata();
    }
    LeastSquares.warnAboutStandardErrors(warnings, problem, start);
    if (input.sigma() == 0.0) {
      StrataBootstrap.Deviation none = StrataBootstrap.Deviation.none(features());
      return fit(maker, model, problem.lambda().orElse(0.0), none, start);
    }
    // the second derivative of the loss is its curvature, that of the square is 2
    Optional<Fit> squares = leastSquares();
    RidgeTarget centre = centre(squares, penalty, 0.5 * maker.of(model).curvature(start) * noise);
    StrataBootstrap bootstrap = new StrataBootstrap(shape, model, maker, centre);
    double lambda = problem.lambda().orElseGet(() -> bootstrap.ridge(start));
    double aim = problem.lambda().orElse(0.0);
    if (problem.lambda().isEmpty() && lambda >= StrataBootstrap.CENTRE * centre.unit()) {
      warnings.add(FitMessage.STRATA.of());
    }
    double explained = bootstrap.explained(start);
    double apart = bootstrap.apart(start);
    double strata = approximation(explained, apart);
    StrataBootstrap.Deviation deviation =
        withApproximation(
            deviation(bootstrap, lambda, aim, start),
            explained,
            strata,
            distance(strata, apart, maker.of(model).around(aim, start)));
    boolean isInVain =
        problem.mayShrink() && isInVain(bootstrap, deviation.excess(), explained, start);
    if (isInVain) {
      StrataBootstrap.Constant best =
          isCentral() ? bootstrap.constant(mean()) : bootstrap.constant();
      return constant(
          best.b(), withPile(deviation.ofConstant(gain(explained), best.cost())).median());
    }
    deviation =
        withPile(
            deviation
                .between(squares.map(Fit::predictedExcess).orElse(0.0))
                .within(gain(explained)));
    Fit fit =
        fitNoisy(centre.drawn(maker, model, sums), model, lambda, deviation, equations, start);
    if (pile.share() == 0.0 || problem.lambda().isPresent()) {
      return fit;
    }
    double[] constant = centre.withBestIntercept(maker, model, slopesOfConstant());
    return fit.withCoefficients(problem, pile.drawn(fit.coefficients(), DoubleVector.of(constant)));
  }

  /** The slopes of a constant, which takes off what the column's entry is without. */
  private double[] slopesOfConstant() {
    DoubleVector base = input.axis().base();
    return IntStream.range(0, features())
        .mapToDouble(k -> 0.0 - base.get(columns[asked[k]]))
        .toArray();
  }

  // Coefficients are compared with those of the same penalty, and the loss with that of none.
  private static StrataBootstrap.Deviation deviation(
      StrataBootstrap bootstrap, double lambda, double aim, double... start) {
    StrataBootstrap.Deviation ofPenalised = bootstrap.deviation(lambda, aim, start);
    if (aim == 0.0) {
      return ofPenalised;
    }
    StrataBootstrap.Deviation ofFree = bootstrap.deviation(lambda, 0.0, start);
    return new StrataBootstrap.Deviation(ofPenalised.distance(), ofFree.excess(), ofFree.median());
  }

  // The noise makes the mean's distance from the typical value, 0, too large. It is drawn to 0 by
  // the form of James and Stein, and more than they do where it is within the noise: the typical
  // value is a guess that somebody has thought about.
  /** Returns the mean of the response as coefficients, drawn to the typical value. */
  private double[] mean() {
    double sum = total.get(0, asked[features()]);
    double noise = StrataBootstrap.SEEN * Math.sqrt(0.5) * law.pooledSigma();
    double share = Math.abs(sum) > noise ? 1.0 - noise * noise / (sum * sum) : 0.0;
    return IntStream.range(0, features())
        .mapToDouble(k -> asked[k] == 0 ? share * sum / total.get(0, 0) : 0.0)
        .toArray();
  }

  // The gain of the release contains what fits of its noise gain, which is what they cost.
  /** Checks whether the noise of a fit may be all that it gains over a constant. */
  private static boolean isInVain(
      StrataBootstrap bootstrap, double cost, double explained, double... start) {
    double gain = constantExcess(explained);
    if (cost >= gain || cost < Tuning.WORTH * gain) {
      return cost >= gain;
    }
    return cost + bootstrap.deviation(0.0, 0.0, start).excess() >= gain;
  }

  /** Returns a constant, where a fit is expected to be no better. */
  private Fit constant(DoubleVector best, double excess) {
    warnings.add(FitMessage.VAIN.of());
    DoubleVector b = DoubleVector.generate(features(), k -> asked[k] == 0 ? best.get(k) : 0.0);
    return InterceptOnlyFit.fit(problem, input.intercept(), b, count(), excess, warnings);
  }

  private Set<Integer> allCoefficients() {
    return IntStream.range(0, features()).boxed().collect(Collectors.toSet());
  }

  /** Returns what a fit gains over the best constant; without end if it must not be one. */
  private double gain(double explained) {
    return problem.mayShrink() ? constantExcess(explained) : Double.POSITIVE_INFINITY;
  }

  /** Returns the excess of the best constant over a fit that explains this share of its loss. */
  private static double constantExcess(double explained) {
    return 1.0 / Math.max(1e-3, 1.0 - explained) - 1.0;
  }

  /** Returns least squares of all strata together; none if the problem gives the ridge. */
  private Optional<Fit> leastSquares() {
    return problem.lambda().isEmpty()
            && input.pooled().solve(problem.withLoss(Loss.SQUARED))
                instanceof FitOutcome.Fitted fitted
        ? Optional.of(fitted.fit())
        : Optional.empty();
  }

  private RidgeTarget centre(Optional<Fit> squares, double[] penalty, double unit) {
    if (problem.lambda().isPresent()) {
      return RidgeTarget.zero(unit);
    }
    double lambda =
        squares
            .map(Fit::lambda)
            .orElse(StrataBootstrap.CENTRE * law.pooledSigma() * Math.sqrt(asked.length));
    return RidgeTarget.leastSquares(asked, penalty, lambda, unit);
  }

  private double approximation(double explained, double apart) {
    return isOfItsResiduals()
        ? StrataErrors.ofResiduals(apart)
        : StrataErrors.approximation(problem.loss(), explained);
  }

  // Noise draws what strata of residuals show to least squares. Which part of the way it hides is
  // not known: coefficients may be as far off as these are.
  private DMatrixRMaj distance(double strata, double apart, StrataObjective.Around around) {
    return isOfItsResiduals()
        ? StrataErrors.farthest(apart * around.value(), around)
        : StrataErrors.distance(strata * around.value(), around);
  }

  private boolean isOfItsResiduals() {
    return !input.axis().isColumn() && problem.response() == input.column();
  }

  /**
   * Adds to the error of noise that of the strata and, to that of coefficients, what clipping may
   * do; bounds the excess by that of the best constant.
   */
  private StrataBootstrap.Deviation withApproximation(
      StrataBootstrap.Deviation noise, double explained, double strata, DMatrixRMaj distance) {
    CommonOps_DDRM.addEquals(distance, noise.distance());
    double most = gain(explained);
    return new StrataBootstrap.Deviation(
        distance, Math.min(noise.excess() + strata, most), Math.min(noise.median() + strata, most));
  }

  // Both a fit and the constant that takes its place pass by the pile.
  private StrataBootstrap.Deviation withPile(StrataBootstrap.Deviation deviation) {
    if (pile.share() == 0.0) {
      return deviation;
    }
    warnings.add(FitMessage.PILE.of(100.0 * pile.share()));
    return new StrataBootstrap.Deviation(
        deviation.distance(),
        deviation.excess() + pile.excess(),
        deviation.median() + pile.excess());
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
        DoubleVector.of(penalty),
        DoubleVector.of(new double[features()]));
  }

  /** Returns a sum of squares that is small compared to that of the residuals; positive. */
  private double floor(NormalEquations equations, double... b) {
    double residual = equations.residual(new DMatrixRMaj(b));
    return Math.max(Tuning.RESIDUAL_FLOOR * residual, 1e-12 * CommonOps_DDRM.elementMaxAbs(total));
  }

  private Fit fit(
      StrataObjective.Maker maker,
      StrataModel model,
      double lambda,
      StrataBootstrap.Deviation deviation,
      double... start) {
    StrataObjective objective = maker.of(model);
    NewtonSearch.Minimum minimum = objective.minimum(lambda, TOLERANCE, start);
    if (!minimum.isSolved()) {
      warnings.add(FitMessage.GAP.of(minimum.iterations(), minimum.gap()));
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
        count(),
        deviation.median(),
        new Convergence(minimum.iterations(), minimum.gap()),
        warnings);
  }

  private double count() {
    return Math.max(0.0, total.get(0, 0)) / (input.intercept() * input.intercept());
  }

  private double rows() {
    double constant = input.intercept() * input.intercept();
    if (total.get(0, 0) < KNOWN * law.pooledSigma()) {
      warnings.add(FitMessage.ROWS.of(total.get(0, 0) / constant, law.pooledSigma() / constant));
    }
    return Math.max(1.0, total.get(0, 0) / constant);
  }

  private void warnOfStrata() {
    warnings.add(
        FitMessage.AXIS.of(
            (input.axis().isColumn() ? "" : "the residual of ")
                + problem.names().get(input.column()),
            problem.responseName()));
  }

  private Fit fitNoisy(
      StrataObjective.Maker maker,
      StrataModel model,
      double lambda,
      StrataBootstrap.Deviation deviation,
      NormalEquations equations,
      double... start) {
    Spectrum spectrum = Spectrum.of(equations.gram());
    double edge = law.edge(features());
    StrataErrors.addUnseen(deviation.distance(), spectrum, edge, residual(equations));
    Set<Integer> unknown = StrataErrors.unknown(spectrum, edge, features());
    if (spectrum.below(edge) > 0) {
      warnings.add(
          FitMessage.FEW.of(
              spectrum.below(edge),
              features(),
              "ridge; "
                  + (unknown.size() == features() ? "all" : "their")
                  + " standard errors are withheld"));
    }
    if (pile.isHidden()) {
      warnings.add(FitMessage.MASS.of());
    }
    if (problem.isOuterQuantile()) {
      warnings.add(FitMessage.TAILS.of());
    } else if (input.axis().isColumn() && deviation.median() < Tuning.SMALL_EXCESS) {
      warnings.add(FitMessage.STRATUM.of(problem.responseName()));
    }
    if (deviation.median() > 0.5) {
      warnings.add(FitMessage.ERROR.of(100.0 * deviation.median()));
    }
    return fit(maker, model, lambda, deviation, start)
        .withWithheld(
            pile.share() > 0.0 || pile.isHidden() || problem.isOuterQuantile()
                ? allCoefficients()
                : unknown);
  }

  private StrataErrors.Residual residual(NormalEquations equations) {
    DMatrixRMaj b = new DMatrixRMaj(features(), 1);
    equations.solveInto(equations.system(law.pooledSigma(), LeastSquares.JITTER), b);
    double noise = law.pooledSigma() * Math.sqrt(asked.length);
    return new StrataErrors.Residual(Math.max(equations.residual(b), noise), noise);
  }
}

package io.gauze.regression.moments;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.regression.AndersonRubin;
import io.gauze.regression.ConfidenceSets;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitRandom;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ElasticNet;
import io.gauze.regression.rows.LeastSquares;
import io.gauze.regression.rows.NormalEquations;
import io.gauze.row.Dimensions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/** One fit of the noisy moments of a release. */
final class NoisyMomentsFit {
  /** The number of fresh releases for the expected error. */
  private static final int DRAWS = 24;

  /** The level of the intervals whose absence the warning names. */
  private static final double USUAL_LEVEL = 0.95;

  private final NoisyMomentsInput input;
  private final RegressionProblem problem;
  private final NoiseLaw law;
  private final DMatrixRMaj raw;
  private final DMatrixRMaj guard;
  private final Spectrum spectrum;
  private final int features;
  private final double largest; // eigenvalue, in coordinates of isotropic noise
  private final boolean isSilent; // noise may be all that there is
  private final List<Message> warnings = new ArrayList<>();

  private NoisyMomentsFit(NoisyMomentsInput input, RegressionProblem problem, int... columns) {
    this.input = input;
    this.problem = problem;
    this.law = input.law(columns);
    this.raw = input.momentsOf(columns);
    this.guard = input.guard(columns);
    this.spectrum = Spectrum.of(raw);
    this.features = columns.length - 1;
    this.largest = Spectrum.of(law.isotropic(raw)).largest();
    this.isSilent = !(largest > law.reach(features + 1));
  }

  /**
   * Fits. O(D^3) time: about a millisecond for a dozen columns.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static FitOutcome of(NoisyMomentsInput input, RegressionProblem problem) {
    int[] columns = problem.columns(input.dimension());
    int features = columns.length - 1;
    if (features >= Dimensions.MOST_CELLS) {
      return refused(
          "a fit must have at most %d features, and this one has %d; name those that matter",
          Dimensions.MOST_CELLS - 1, features);
    }
    if (input.law(columns) instanceof BucketLaw buckets && buckets.buckets() <= features + 1) {
      return refused(
          "%d buckets cannot hold %d features and a response; fit fewer features, or plan at least"
              + " %d buckets",
          buckets.buckets(), features, 4 * (features + 1));
    }
    return new NoisyMomentsFit(input, problem, columns).fit();
  }

  /**
   * Returns coefficients with a ridge that takes hardly anything away. O(D^3) time, without a
   * bootstrap.
   *
   * @throws IllegalArgumentException if the problem's columns are not the input's
   */
  static DMatrixRMaj free(NoisyMomentsInput input, RegressionProblem problem) {
    NoisyMomentsFit fit = new NoisyMomentsFit(input, problem, problem.columns(input.dimension()));
    return fit.free(PenaltyBootstrap.truth(fit.spectrum, fit.law.unit(fit.features + 1)));
  }

  private DMatrixRMaj free(DMatrixRMaj truth) {
    NormalEquations moments = new NormalEquations(truth, problem.ridgeWeights(input.intercept()));
    return moments.solve(Tuning.SMALL_RIDGE * law.unit(features + 1), LeastSquares.JITTER).b();
  }

  private FitOutcome fit() {
    if (isSilent) {
      String reason =
          String.format(
              Locale.ROOT,
              "the release holds no signal above its noise: its largest eigenvalue is %.4g, pure"
                  + " noise reaches %.4g; it is empty or nearly so; merge epochs, make them longer,"
                  + " or spend a larger epsilon",
              largest,
              law.reach(features + 1));
      if (!problem.mayShrink()) {
        return new FitOutcome.Refused(reason);
      }
      warnings.add(FitMessage.EMPTY.of(largest, law.reach(features + 1)));
    }
    Fit fit = solve();
    return new FitOutcome.Fitted(isSilent ? fit.withExcess(Double.NaN) : fit);
  }

  private Fit solve() {
    double[] penalty = problem.ridgeWeights(input.intercept());
    DMatrixRMaj joint = spectrum.map(value -> Math.max(value, 0.0));
    NormalEquations equations = new NormalEquations(joint, penalty);
    FitRandom random = FitRandom.seededBy(raw);
    DMatrixRMaj truth = PenaltyBootstrap.truth(spectrum, law.unit(features + 1));
    double lambda =
        problem
            .lambda()
            .orElseGet(
                () -> PenaltyBootstrap.choose(truth, law, problem, input.intercept(), random));
    ElasticNet.Solution bare = net(equations, lambda);
    ElasticNet.Solution net =
        isGuarded() ? net(new NormalEquations(guarded(joint), penalty), lambda) : bare;
    NormalEquations.Solution solution = net.solution();
    NoisyResidual told = residual(solution.b());
    double residual = told.upper();
    double rows = rows();
    int weak = Spectrum.of(law.isotropic(equations.gram())).below(law.edge(features));
    warnAboutNoise(weak);
    warnAboutChoice(solution.b().getData());
    NormalEquations.Solution ridge = solution.withLambda(lambda * problem.penalty().alpha());
    ReleaseError error = new ReleaseError(law, joint, equations, ridge, residual);
    CoefficientErrors errors =
        CoefficientErrors.of(
            error, l1Slope(lambda, solution.b()), problem.lambda().isEmpty(), told.isKnown());
    Pull pull = pull(truth, told, lambda);
    DMatrixRMaj moved = bare.solution().b().copy();
    CommonOps_DDRM.subtractEquals(moved, solution.b());
    double square =
        equations.quadratic(moved)
            + (weak <= Tuning.FEW_WEAK * features
                ? errors.medianExcess(equations.gram()) + pull.square()
                : bootstrappedExcess(
                    new MomentsBootstrap(truth, law, problem, input.intercept(), DRAWS, random),
                    lambda));
    double least =
        isGuarded() ? NoisyResidual.of(law, raw, bare.solution().b()).median() : pull.residual();
    double excess = predictedExcess(square, least);
    Set<Integer> withheld = withheld(errors, solution.b());
    Optional<ConfidenceSets> sets = sets(equations, solution, residual, rows);
    warnAboutSets(sets, equations);
    SymmetricMatrix meanSquare = SymmetricMatrix.of(errors.meanSquare());
    return new Fit(
            problem,
            input.intercept(),
            DoubleVector.of(solution.b().getData()),
            LeastSquares.sampling(equations, solution, residual, rows),
            isGuarded() ? meanSquare.plus(square(moved)) : meanSquare,
            lambda,
            solution.condition(),
            rows,
            excess,
            net.convergence(),
            warnings)
        .withWithheld(withheld)
        .withSets(sets);
  }

  private boolean isGuarded() {
    return guard.getNumRows() > 0 && problem.lambda().isEmpty();
  }

  /** Returns the moments of the rows and of the guard. */
  private DMatrixRMaj guarded(DMatrixRMaj joint) {
    DMatrixRMaj all = joint.copy();
    CommonOps_DDRM.multAddTransA(guard, guard, all);
    return all;
  }

  private static SymmetricMatrix square(DMatrixRMaj column) {
    DMatrixRMaj square = new DMatrixRMaj(column.getNumRows(), column.getNumRows());
    CommonOps_DDRM.multTransB(column, column, square);
    return SymmetricMatrix.of(square);
  }

  /** Returns the tests of the coefficients. Other laws depend on the moments in other ways. */
  private Optional<ConfidenceSets> sets(
      NormalEquations equations, NormalEquations.Solution solution, double residual, double rows) {
    if (!(law instanceof AdditiveLaw additive) || problem.penalty().alpha() < 1.0) {
      return Optional.empty();
    }
    double[] ridge = problem.ridgeWeights(input.intercept());
    for (int k = 0; k < features; k++) {
      ridge[k] *= problem.lambda().orElse(0.0);
    }
    NoisyScores scores = new NoisyScores(additive, raw, ridge);
    DMatrixRMaj weights = ReleaseError.residualWeights(solution.b());
    DMatrixRMaj covariance = scores.covariance(weights, residual);
    Optional<AndersonRubin> privacy = AndersonRubin.of(scores.matrix(), covariance, weights);
    double ofRow = residual / Math.max(1.0, rows - features);
    CommonOps_DDRM.addEquals(covariance, ofRow, equations.gram());
    Optional<AndersonRubin> all = AndersonRubin.of(scores.matrix(), covariance, weights);
    List<Integer> known = IntStream.range(0, features).boxed().toList();
    return all.flatMap(
        ofLaw -> privacy.map(ofRows -> new ConfidenceSets(ofLaw, ofRows, known, List.of())));
  }

  private void warnAboutSets(Optional<ConfidenceSets> sets, NormalEquations equations) {
    if (sets.isPresent() && !sets.get().all().isBounded(USUAL_LEVEL)) {
      warnings.add(FitMessage.WEAK.of(problem.named(weakest(equations))));
    }
  }

  /** Returns the features that make up most of the direction of which the rows say least. */
  private List<Integer> weakest(NormalEquations equations) {
    Spectrum spectrum = Spectrum.of(equations.gram());
    DMatrixRMaj part =
        spectrum.map(value -> value <= spectrum.smallest() ? 1.0 : 0.0); // squares on its diagonal
    List<Integer> all = new ArrayList<>(IntStream.range(0, features).boxed().toList());
    all.removeIf(k -> problem.features().get(k) == 0);
    all.sort(Comparator.comparingDouble(k -> -part.get(k, k)));
    double most = all.isEmpty() ? 0.0 : part.get(all.get(0), all.get(0));
    all.removeIf(k -> part.get(k, k) < Tuning.MOSTLY * most);
    return all;
  }

  /** Returns the coefficients without a standard error, and warns of them. */
  private Set<Integer> withheld(CoefficientErrors errors, DMatrixRMaj b) {
    if (problem.penalty().alpha() < 1.0) {
      // the l1 penalty's warning says so
      return problem.lambda().isPresent()
          ? LeastSquares.zeros(problem, b.getData())
          : IntStream.range(0, features).boxed().collect(Collectors.toSet());
    }
    Set<Integer> hidden = errors.hidden();
    if (!hidden.isEmpty()) {
      warnings.add(FitMessage.HIDDEN.of(hidden.size(), features, problem.named(hidden)));
    }
    Set<Integer> guessed = new HashSet<>(errors.guessed());
    guessed.removeAll(hidden);
    if (!guessed.isEmpty()) {
      warnings.add(FitMessage.GUESS.of(guessed.size(), features, problem.named(guessed)));
    }
    return hidden;
  }

  private ElasticNet.Solution net(NormalEquations equations, double lambda) {
    double[] l1 = problem.l1Weights(input.intercept());
    double alpha = problem.penalty().alpha();
    return ElasticNet.solve(equations, lambda, alpha, LeastSquares.JITTER, l1);
  }

  /** Returns half of the slope of the l1 penalty at b. */
  private DMatrixRMaj l1Slope(double lambda, DMatrixRMaj b) {
    double half = 0.5 * lambda * (1.0 - problem.penalty().alpha());
    double[] l1 = problem.l1Weights(input.intercept());
    DMatrixRMaj slope = new DMatrixRMaj(features, 1);
    for (int k = 0; k < features; k++) {
      slope.set(k, half * l1[k] * Math.signum(b.get(k)));
    }
    return slope;
  }

  private NoisyResidual residual(DMatrixRMaj b) {
    NoisyResidual residual = NoisyResidual.of(law, raw, b);
    if (residual.isHidden() && !isSilent) {
      warnings.add(FitMessage.SCALE.of());
    }
    return residual;
  }

  private double rows() {
    double constant = input.intercept() * input.intercept();
    double entry = Math.max(0.0, input.momentsOf(0).get(0, 0));
    double deviation = input.law(0).deviation(entry, new DMatrixRMaj(1, 1, true, 1.0));
    if (entry < 4.0 * deviation) {
      warnings.add(FitMessage.ROWS.of(entry / constant, deviation / constant));
    }
    return entry / constant;
  }

  private void warnAboutChoice(double... b) {
    LeastSquares.warnAboutStandardErrors(warnings, problem, b);
    if (problem.lambda().isEmpty() && problem.penalty().alpha() < 1.0) {
      warnings.add(LeastSquares.kept(FitMessage.CHOICE, problem, b));
    }
  }

  private void warnAboutNoise(int weak) {
    boolean ridge = problem.lambda().isEmpty() && problem.penalty().alpha() == 1.0;
    if (weak > 0) {
      warnings.add(FitMessage.FEW.of(weak, features, ridge ? "ridge" : "penalty"));
    }
  }

  // Where noise exceeds the signal, the formulas of the error leave out the projection to positive
  // semidefinite moments, and what the ridge loses; the bootstrap does not, and takes too much for
  // lost. With few such directions the formulas are nearer to the truth. A fit that chooses its
  // penalty is not expected to be worse than zeros.
  private double bootstrappedExcess(MomentsBootstrap bootstrap, double lambda) {
    double excess = bootstrap.medianExcess(lambda, 0.0);
    return problem.lambda().isPresent() ? excess : Math.min(excess, bootstrap.explained());
  }

  // The excess of the sum of squares over the non-private fit is d'M d for d = b - b0. Divided by
  // the residual sum it is x, and the relative excess of the root is sqrt(1 + x) - 1. Its law is
  // skew: half of all releases are better than its median. Where noise hides the residual sum, an
  // upper estimate would make the excess far too small.
  private double predictedExcess(double square, double residual) {
    double excess = Math.sqrt(1.0 + square / residual) - 1.0;
    if (excess > 0.5) {
      warnings.add(FitMessage.ERROR.of(100.0 * excess));
    }
    return excess;
  }

  /**
   * What a penalty takes away that the question gives, beyond a usual one.
   *
   * @param square d'M d for the distance d of coefficients
   * @param residual the residual sum with a usual penalty
   */
  private record Pull(double square, double residual) {}

  // A ridge of a part of the noise's size takes hardly anything away.
  private Pull pull(DMatrixRMaj truth, NoisyResidual told, double lambda) {
    if (problem.lambda().isEmpty() || lambda <= Tuning.SMALL_RIDGE * law.unit(features + 1)) {
      return new Pull(0.0, told.median());
    }
    NormalEquations moments = new NormalEquations(truth, problem.ridgeWeights(input.intercept()));
    DMatrixRMaj free = free(truth);
    DMatrixRMaj distance = net(moments, lambda).solution().b().copy();
    CommonOps_DDRM.subtractEquals(distance, free);
    return new Pull(moments.quadratic(distance), NoisyResidual.of(law, raw, free).median());
  }

  private static FitOutcome refused(String format, Object... values) {
    return new FitOutcome.Refused(String.format(Locale.ROOT, format, values));
  }
}

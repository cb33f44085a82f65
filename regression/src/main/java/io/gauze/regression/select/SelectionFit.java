package io.gauze.regression.select;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.RegressionProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/** A fit of the selected columns of a release; the coefficients of all others are 0. */
final class SelectionFit {
  private final ReleasedSelection input;
  private final RegressionProblem problem;

  /** The places among the problem's features of those that are in the release. */
  private final int[] kept;

  SelectionFit(ReleasedSelection input, RegressionProblem problem) {
    this.input = input;
    this.problem = problem;
    problem.columns(input.dimension()); // checks them
    this.kept =
        IntStream.range(0, problem.features().size())
            .filter(k -> input.index(problem.features().get(k)) >= 0)
            .toArray();
  }

  static FitOutcome fit(ReleasedSelection input, RegressionProblem problem) {
    return new SelectionFit(input, problem).fit();
  }

  private FitOutcome fit() {
    if (problem.response() != input.response()) {
      return new FitOutcome.Refused(
          "select-fit answers for the response "
              + problem.names().get(input.response())
              + " alone; fit that, or release noisy-moments");
    }
    if (selected() == 0 && features() > 0) {
      return new FitOutcome.Refused(
          "none of the features was selected; fit some of "
              + input.columns().stream().map(problem.names()::get).toList());
    }
    return input.moments().solve(restricted()).map(this::expanded);
  }

  /** The number of the problem's features beside the intercept. */
  private int features() {
    return (int) problem.features().stream().filter(feature -> feature != 0).count();
  }

  /** The number of those that are in the release. */
  private int selected() {
    return (int) IntStream.of(kept).filter(k -> problem.features().get(k) != 0).count();
  }

  /** Returns the problem among the columns of the release. */
  private RegressionProblem restricted() {
    List<String> names = new ArrayList<>(List.of(problem.names().get(0)));
    input.columns().forEach(column -> names.add(problem.names().get(column)));
    names.add(problem.responseName());
    List<Integer> features =
        IntStream.of(kept).mapToObj(k -> input.index(problem.features().get(k))).toList();
    return new RegressionProblem(
        names,
        names.size() - 1,
        features,
        problem.loss(),
        problem.penalty(),
        List.of(),
        problem.clipping(),
        problem.strict());
  }

  /** Returns the part of a fit that is about columns of the release. */
  Fit restricted(Fit fit) {
    DoubleVector all = fit.coefficients();
    return new Fit(
        restricted(),
        fit.intercept(),
        DoubleVector.generate(kept.length, i -> all.get(kept[i])),
        among(fit.samplingCovariance()),
        among(fit.privacyCovariance()),
        fit.lambda(),
        fit.conditionNumber(),
        fit.rows(),
        fit.predictedExcess(),
        fit.convergence(),
        fit.warnings());
  }

  private SymmetricMatrix among(SymmetricMatrix all) {
    return SymmetricMatrix.of(all.select(kept));
  }

  private Fit expanded(Fit few) {
    int size = problem.features().size();
    double[] coefficients = new double[size];
    Set<Integer> withheld = new HashSet<>();
    IntStream.range(0, size).forEach(withheld::add);
    for (int i = 0; i < kept.length; i++) {
      coefficients[kept[i]] = few.coefficients().get(i);
      if (!few.withheld().contains(i)) {
        withheld.remove(kept[i]);
      }
    }
    Fit fit =
        new Fit(
                problem,
                few.intercept(),
                DoubleVector.of(coefficients),
                among(size, few.samplingCovariance()),
                among(size, few.privacyCovariance()),
                few.lambda(),
                few.conditionNumber(),
                few.rows(),
                overAll(few.predictedExcess(), few),
                few.convergence(),
                few.warnings())
            .withObjective(few.objective())
            .withWithheld(withheld)
            .withSets(few.sets().map(sets -> sets.of(kept)));
    return kept.length == size
        ? fit
        : fit.withWarnings(List.of(FitMessage.SELECTED.of(features() - selected(), features())));
  }

  // The columns that were not selected are taken to explain their share of what all explain, where
  // shares fall as in the nominal model, and at most that share of what is left.
  /**
   * Returns the residual of a fit of the selected columns over that of a fit of all, at least 1.
   *
   * @param known the relative excess of the best constant over the fit of the selected columns
   */
  private double lost(double known) {
    if (kept.length == problem.features().size()) {
      return 1.0;
    }
    double[] roots = Arrays.stream(AssumedDataModel.decay(features())).map(Math::sqrt).toArray();
    double share = Arrays.stream(roots, 0, selected()).sum() / Arrays.stream(roots).sum();
    double left = 1.0 / ((1.0 + known) * (1.0 + known));
    double others = (1.0 - share) * Math.min((1.0 - left) / share, left);
    return Math.sqrt(left / (left - others));
  }

  /** Returns an excess over the fit of the selected columns as one over a fit of all columns. */
  private double overAll(double excess, Fit few) {
    double known = Math.max(0.0, input.moments().ignorance(few).orElse(0.0));
    return (1.0 + excess) * lost(known) - 1.0;
  }

  /** Returns the relative excess of the best constant over a fit of all columns. */
  OptionalDouble ignorance(Fit fit) {
    Fit few = restricted(fit);
    OptionalDouble known = input.moments().ignorance(few);
    return known.isPresent() ? OptionalDouble.of(overAll(known.getAsDouble(), few)) : known;
  }

  /** Returns the matrix of all features, with zeros for those that are not in the release. */
  private SymmetricMatrix among(int size, SymmetricMatrix few) {
    double[] upper = new double[SymmetricMatrix.length(size)];
    for (int i = 0; i < kept.length; i++) {
      for (int j = i; j < kept.length; j++) {
        int row = kept[i];
        upper[row * size - row * (row - 1) / 2 + kept[j] - row] = few.get(i, j);
      }
    }
    return SymmetricMatrix.ofUpperTriangle(size, upper);
  }
}

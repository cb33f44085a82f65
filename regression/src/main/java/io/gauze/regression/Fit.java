package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.message.FitMessage;
import io.gauze.message.Message;
import io.gauze.row.RowSchema;
import io.gauze.row.UserUnits;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The result of a fit: coefficients with their errors and warnings.
 *
 * @param problem the problem that was fitted
 * @param intercept the constant c0 in column 0 of the rows
 * @param coefficients of the unscaled encoded columns, with c0 in column 0; see {@link #encoded}
 *     and {@link #inUserUnits} for the other scales
 * @param samplingCovariance of the coefficients over draws of the rows, for residuals of equal
 *     variance
 * @param privacyCovariance mean squared distance to the non-private fit of the same problem on the
 *     same rows: noise, sketching and, if it was chosen for the noise, the pull of the ridge. Where
 *     a warning says that noise exceeds signal, the release does not determine the pull, and a
 *     share of the largest pull that the residual allows takes its place
 * @param lambda the penalty that was used
 * @param conditionNumber of the matrix that was solved; infinite if it is singular
 * @param rows the number of rows; for a release an estimate from its noisy intercept entry, never
 *     below 0, slightly low if rows were clipped
 * @param predictedExcess expected relative excess over the non-private fit, of the RMSE for the
 *     squared loss and of the mean loss for others, from noise, sketching and ridge: its median
 *     over releases for the squared loss. Too low if residuals cannot be told from the noise, or if
 *     much of the signal is where noise exceeds it. NaN if the release holds no signal: what there
 *     was to learn is not known
 * @param convergence the state of the solver at its end
 * @param warnings what to consider before the fit is used, the most severe first, each once; may be
 *     empty
 * @param objective on the rows, in encoded units: the sum of the loss, and the penalty; empty if
 *     the rows are not available
 * @param withheld the coefficients whose standard errors are not known, by their index; a warning
 *     says why
 * @param sets the tests of the coefficients; empty if they are those of the standard errors
 */
public record Fit(
    RegressionProblem problem,
    double intercept,
    DoubleVector coefficients,
    SymmetricMatrix samplingCovariance,
    SymmetricMatrix privacyCovariance,
    double lambda,
    double conditionNumber,
    double rows,
    double predictedExcess,
    Convergence convergence,
    List<Message> warnings,
    OptionalDouble objective,
    Set<Integer> withheld,
    Optional<ConfidenceSets> sets) {
  /**
   * Checks that the sizes agree.
   *
   * @throws IllegalArgumentException if they do not
   */
  public Fit {
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(convergence, "convergence");
    int size = problem.features().size();
    Checks.length("coefficients", coefficients.size(), size);
    Checks.length("samplingCovariance", samplingCovariance.dimension(), size);
    Checks.length("privacyCovariance", privacyCovariance.dimension(), size);
    Objects.requireNonNull(objective, "objective");
    warnings = FitMessage.ordered(warnings);
    withheld = Set.copyOf(withheld);
    withheld.forEach(index -> Checks.within("withheld", index, 0, size - 1));
  }

  /** Creates a fit without an objective, with all standard errors. */
  public Fit(
      RegressionProblem problem,
      double intercept,
      DoubleVector coefficients,
      SymmetricMatrix samplingCovariance,
      SymmetricMatrix privacyCovariance,
      double lambda,
      double conditionNumber,
      double rows,
      double predictedExcess,
      Convergence convergence,
      List<Message> warnings) {
    this(
        problem,
        intercept,
        coefficients,
        samplingCovariance,
        privacyCovariance,
        lambda,
        conditionNumber,
        rows,
        predictedExcess,
        convergence,
        warnings,
        OptionalDouble.empty(),
        Set.of(),
        Optional.empty());
  }

  /** Returns true if all coefficients but the intercept are 0. */
  public boolean isConstant() {
    return IntStream.range(0, coefficients.size())
        .allMatch(k -> problem.features().get(k) == 0 || coefficients.get(k) == 0.0);
  }

  public Fit withObjective(OptionalDouble value) {
    return with(predictedExcess, warnings, value, withheld, sets);
  }

  /** Returns a copy that withholds the standard errors of these coefficients, and no others. */
  public Fit withWithheld(Set<Integer> indexes) {
    return with(predictedExcess, warnings, objective, indexes, sets);
  }

  /** Returns a copy with tests of its coefficients. */
  public Fit withSets(Optional<ConfidenceSets> tests) {
    return with(predictedExcess, warnings, objective, withheld, tests);
  }

  /**
   * Returns a copy with other coefficients and without tests, of a problem with the same columns.
   */
  public Fit withCoefficients(RegressionProblem other, DoubleVector b) {
    return new Fit(
        other,
        intercept,
        b,
        samplingCovariance,
        privacyCovariance,
        lambda,
        conditionNumber,
        rows,
        predictedExcess,
        convergence,
        warnings,
        objective,
        withheld,
        Optional.empty());
  }

  /** Returns a copy with another predicted excess. */
  public Fit withExcess(double value) {
    return with(value, warnings, objective, withheld, sets);
  }

  /** Returns a copy with more warnings. */
  public Fit withWarnings(List<Message> more) {
    return more.isEmpty()
        ? this
        : with(
            predictedExcess,
            Stream.concat(warnings.stream(), more.stream()).toList(),
            objective,
            withheld,
            sets);
  }

  private Fit with(
      double excess,
      List<Message> allWarnings,
      OptionalDouble value,
      Set<Integer> indexes,
      Optional<ConfidenceSets> tests) {
    return new Fit(
        problem,
        intercept,
        coefficients,
        samplingCovariance,
        privacyCovariance,
        lambda,
        conditionNumber,
        rows,
        excess,
        convergence,
        allWarnings,
        value,
        indexes,
        tests);
  }

  /** The name of the loss in requests and answers. */
  public String loss() {
    return problem.lossName();
  }

  /** The coefficients in the encoded scale: columns in [-1, 1], intercept column 1. */
  public CoefficientTable encoded() {
    int size = coefficients.size();
    double[][] map = new double[size][size];
    for (int k = 0; k < size; k++) {
      map[k][k] = problem.features().get(k) == 0 ? intercept : 1.0;
    }
    DoubleVector estimates = DoubleVector.generate(size, k -> map[k][k] * coefficients.get(k));
    return table(problem.featureNames(), estimates, map);
  }

  /**
   * The coefficients in the user's units, the constant term first.
   *
   * @param schema the columns of the rows
   * @throws IllegalArgumentException if the names of its encoded columns are not the problem's
   */
  public CoefficientTable inUserUnits(RowSchema schema) {
    if (!schema.encodedNames().equals(problem.names())) {
      throw new IllegalArgumentException(
          "columns of the schema must be "
              + problem.names()
              + ". Provided value: "
              + schema.encodedNames());
    }
    int[] features = problem.features().stream().mapToInt(Integer::intValue).toArray();
    UserUnits units =
        problem.loss().equals(Loss.LOGISTIC)
            ? UserUnits.ofLogOdds(schema, problem.response(), features)
            : UserUnits.of(schema, problem.response(), features);
    DoubleVector estimates = DoubleVector.of(units.coefficients(coefficients.toArray()));
    return table(units.names(), estimates, units.jacobian());
  }

  /**
   * Predicts the responses of rows, or the log odds of their labels, in the encoded scale: a table
   * with one line for each row, whose errors and intervals are those of the mean response of all
   * rows like it.
   *
   * @param rows D numbers each in the encoded scale; those of the intercept and of columns that are
   *     no features do not matter
   * @throws IllegalArgumentException if a row does not have D numbers
   */
  public CoefficientTable predict(List<double[]> rows) {
    double[][] map = new double[rows.size()][];
    double[] values = new double[map.length];
    for (int i = 0; i < map.length; i++) {
      map[i] = weights(rows.get(i));
      for (int k = 0; k < map[i].length; k++) {
        values[i] += map[i][k] * coefficients.get(k);
      }
    }
    List<String> names = IntStream.range(0, map.length).mapToObj(i -> "row " + (i + 1)).toList();
    return table(names, DoubleVector.of(values), map);
  }

  private double[] weights(double... row) {
    Checks.length("row", row.length, problem.names().size());
    double[] weights = new double[coefficients.size()];
    for (int k = 0; k < weights.length; k++) {
      int column = problem.features().get(k);
      weights[k] = column == 0 ? intercept : row[column];
    }
    return weights;
  }

  private CoefficientTable table(List<String> names, DoubleVector estimates, double[][] map) {
    DoubleVector privacy = privacyCovariance.diagonalUnder(map);
    DoubleVector sampling = samplingCovariance.diagonalUnder(map);
    int size = names.size();
    return new CoefficientTable(
        names,
        estimates,
        DoubleVector.generate(size, k -> known(map[k], root(privacy.get(k) + sampling.get(k)))),
        DoubleVector.generate(size, k -> known(map[k], root(privacy.get(k)))),
        sets.map(each -> each.of(map, constants(estimates, map))));
  }

  /** Returns what is added to the combinations of coefficients in the estimates. */
  private double[] constants(DoubleVector estimates, double[]... map) {
    double[] constants = estimates.toArray();
    for (int k = 0; k < map.length; k++) {
      for (int i = 0; i < coefficients.size(); i++) {
        constants[k] -= map[k][i] * coefficients.get(i);
      }
    }
    return constants;
  }

  /** Returns the error of a combination of coefficients, or NaN if that of one is withheld. */
  private double known(double[] weights, double error) {
    return withheld.stream().anyMatch(k -> weights[k] != 0.0) ? Double.NaN : error;
  }

  /** Returns the root of a variance. A variance of 0 may be computed as slightly negative. */
  private static double root(double variance) {
    return Math.sqrt(Math.max(0.0, variance));
  }
}

package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.row.Dimensions;
import io.gauze.row.RowSchema;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * Rows as expected before any is seen: uncorrelated features of mean 0, a response that depends on
 * them, and an intercept. Features that depend on each other are represented by their principal
 * components, whose mean squares decay.
 *
 * @param squares the mean squares of the features, in encoded units squared; positive, in [1, 4094]
 * @param shares how what the features explain is divided among them; positive, of sum 1
 * @param rows n, the expected number; at least 1
 * @param intercept the constant c0 at index 0 of every row; positive
 * @param responseSquare the variance of the response, in encoded units squared; positive
 * @param explained the share of the response's variance that the features explain, in (0, 1)
 * @param constant the coefficient of the intercept, less the one to which a ridge draws
 */
public record AssumedDataModel(
    DoubleVector squares,
    DoubleVector shares,
    double rows,
    double intercept,
    double responseSquare,
    double explained,
    double constant) {
  /** The share of the response's variance that features explain if nobody says. */
  public static final double EXPLAINED = Tuning.EXPLAINED;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public AssumedDataModel {
    Checks.within("features", squares.size(), 1, 4094);
    Checks.length("shares", shares.size(), squares.size());
    for (int k = 0; k < squares.size(); k++) {
      Checks.positiveFinite("squares", squares.get(k));
      Checks.positiveFinite("shares", shares.get(k));
    }
    Checks.positiveFinite("rows", rows);
    Checks.atLeast("rows", rows, 1.0);
    Checks.positiveFinite("intercept", intercept);
    Checks.positiveFinite("responseSquare", responseSquare);
    Checks.inOpenUnit("explained", explained);
    Checks.finite("constant", constant);
  }

  /**
   * Creates a model of independent columns of one mean square, on all of which the response depends
   * equally.
   *
   * @throws IllegalArgumentException if an argument is out of range
   */
  public AssumedDataModel(
      int features, double rows, double intercept, double meanSquare, double explained) {
    this(
        equal(features, meanSquare),
        equal(features, 1.0 / features),
        rows,
        intercept,
        meanSquare,
        explained,
        0.0);
  }

  private static DoubleVector equal(int features, double value) {
    return DoubleVector.generate(Checks.within("features", features, 1, 4094), k -> value);
  }

  /**
   * Returns the model of a stream's rows, all columns but one response being features. Their
   * principal components decay geometrically to 0.0003, and each explains a part of the response in
   * proportion to its standard deviation among columns of equal size.
   *
   * @param explained in (0, 1), a public guess
   * @throws IllegalArgumentException if an argument is out of range, or the schema has more than
   *     4096 encoded columns
   */
  public static AssumedDataModel of(RowSchema schema, double rows, double explained) {
    if (schema.dimension() > Dimensions.MOST_CELLS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "encoded columns with the intercept must be at most %d where errors are predicted;"
                  + " list fewer categories, or name a mechanism without advice, such as"
                  + " count-sketch. Provided value: %d",
              Dimensions.MOST_CELLS,
              schema.dimension()));
    }
    double[] expected = ExpectedSquares.of(schema).toArray();
    int response = response(schema) - 1;
    double[] features =
        expected.length == 1
            ? expected
            : IntStream.range(0, expected.length)
                .filter(k -> k != response)
                .mapToDouble(k -> expected[k])
                .sorted()
                .toArray();
    int d = features.length;
    double[] decay = decay(d);
    double mean = Arrays.stream(decay).sum() / d;
    double roots = Arrays.stream(decay).map(Math::sqrt).sum();
    return new AssumedDataModel(
        DoubleVector.generate(d, k -> Tuning.VARIANCE * features[d - 1 - k] * decay[k] / mean),
        DoubleVector.generate(d, k -> Math.sqrt(decay[k]) / roots),
        rows,
        1.0 / schema.half(0),
        Tuning.VARIANCE * expected[response],
        explained,
        0.0);
  }

  /** The sizes of principal components over the largest. */
  public static double[] decay(int features) {
    return IntStream.range(0, features)
        .mapToDouble(k -> Math.pow(Tuning.DECAY, k / Math.max(1.0, features - 1.0)))
        .toArray();
  }

  /** The index of the response: the config's first, or the last column. */
  private static int response(RowSchema schema) {
    List<String> named = schema.responses().columns();
    return schema.dimension() == 1
        ? 0
        : named.isEmpty() || !schema.encodedNames().contains(named.get(0))
            ? schema.dimension() - 1
            : schema.encodedIndex(named.get(0));
  }

  /** Returns the model whose features are the first, which explain most, and no others. */
  public AssumedDataModel among(int size) {
    double kept = 0.0;
    for (int k = 0; k < size; k++) {
      kept += shares.get(k);
    }
    double sum = kept;
    return new AssumedDataModel(
        DoubleVector.generate(size, squares::get),
        DoubleVector.generate(size, k -> shares.get(k) / sum),
        rows,
        intercept,
        responseSquare,
        explained * Math.min(1.0, sum),
        constant);
  }

  /** Returns the model whose features do not depend on each other, and are as large together. */
  public AssumedDataModel independent() {
    double sum = 0.0;
    for (int k = 0; k < features(); k++) {
      sum += squares.get(k);
    }
    return new AssumedDataModel(
        equal(features(), sum / features()),
        equal(features(), 1.0 / features()),
        rows,
        intercept,
        responseSquare,
        explained,
        constant);
  }

  /**
   * Returns the model with the same coefficients, whose residuals have this part of the variance.
   */
  public AssumedDataModel withResidual(double part) {
    double square = responseSquare * (explained + part * (1.0 - explained));
    return new AssumedDataModel(
        squares, shares, rows, intercept, square, explained * responseSquare / square, constant);
  }

  /** Returns the number of features, without the intercept. */
  public int features() {
    return squares.size();
  }

  /** Returns the relative excess of the model without a fit: every coefficient is 0. */
  public double ignorance() {
    return 1.0 / Math.sqrt(1.0 - explained) - 1.0;
  }

  /** Returns the residual sum of squares. */
  public double residual() {
    return rows * responseSquare * (1.0 - explained);
  }

  /** Returns the coefficients of the intercept's column and the features. */
  public DMatrixRMaj coefficients() {
    DMatrixRMaj b = new DMatrixRMaj(features() + 1, 1);
    b.set(0, constant);
    for (int i = 1; i <= features(); i++) {
      b.set(i, Math.sqrt(explained * shares.get(i - 1) * responseSquare / squares.get(i - 1)));
    }
    return b;
  }

  /** Returns the moments of the intercept's column, the features and the response. */
  public DMatrixRMaj moments() {
    int response = features() + 1;
    DMatrixRMaj joint = new DMatrixRMaj(response + 1, response + 1);
    DMatrixRMaj b = coefficients();
    double ofIntercept = rows * intercept * intercept;
    joint.set(0, 0, ofIntercept);
    joint.set(0, response, ofIntercept * constant);
    joint.set(response, 0, ofIntercept * constant);
    for (int i = 1; i < response; i++) {
      double square = rows * squares.get(i - 1);
      joint.set(i, i, square);
      joint.set(i, response, square * b.get(i));
      joint.set(response, i, square * b.get(i));
    }
    joint.set(response, response, rows * responseSquare + ofIntercept * constant * constant);
    return joint;
  }

  /** Returns the problem that explains the response by all other columns. */
  public RegressionProblem problem() {
    List<String> names = IntStream.range(0, features() + 2).mapToObj(i -> "c" + i).toList();
    List<Integer> others = IntStream.rangeClosed(0, features()).boxed().toList();
    Penalty ridge = new Penalty(OptionalDouble.empty(), 1.0, false);
    return new RegressionProblem(names, features() + 1, others, Loss.SQUARED, ridge);
  }
}

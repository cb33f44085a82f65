package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import io.gauze.sketch.MultilevelSketch;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which column is explained by which, what residuals cost, and how much coefficients are held back.
 *
 * <p>The objective is {@code sum loss(y - x'b) + lambda (alpha ||b||_2^2 + (1 - alpha) ||b||_1)} in
 * the encoded scale: sums, columns in [-1, 1], intercept column 1.
 *
 * @param names the encoded columns of the input, the intercept first
 * @param response index of the response, in [1, D)
 * @param features indexes of the features, in [0, D), distinct, without the response; 0 is the
 *     intercept
 * @param loss what residuals cost
 * @param penalty how much coefficients are held back
 * @param ends of the columns' ranges, at which a fit looks whether values crowd
 */
public record RegressionProblem(
    List<String> names,
    int response,
    List<Integer> features,
    Loss loss,
    Penalty penalty,
    List<RangeEnd> ends) {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if one of these rules is broken
   */
  public RegressionProblem {
    names = List.copyOf(names);
    features = List.copyOf(features);
    ends = List.copyOf(ends);
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(penalty, "penalty");
    if (response == 0) {
      throw new IllegalArgumentException(
          "response must be a column, not the intercept. Provided value: " + names.get(0));
    }
    Checks.within("response", response, 1, names.size() - 1);
    if (features.isEmpty()) {
      throw new IllegalArgumentException("features must not be empty. Provided value: []");
    }
    Set<Integer> used = new HashSet<>(Set.of(response));
    for (int feature : features) {
      Checks.within("feature", feature, 0, names.size() - 1);
      if (!used.add(feature)) {
        throw new IllegalArgumentException(
            "features must be distinct and not the response, and the intercept is one anyway."
                + " Provided value: "
                + names.get(feature)
                + " again");
      }
    }
  }

  /**
   * A problem whose columns have ranges that nobody knows.
   *
   * @throws IllegalArgumentException as above
   */
  public RegressionProblem(
      List<String> names, int response, List<Integer> features, Loss loss, Penalty penalty) {
    this(names, response, features, loss, penalty, List.of());
  }

  /**
   * The response on the intercept and all other columns.
   *
   * @throws IllegalArgumentException if the schema has no such encoded column, with the nearest one
   */
  public static RegressionProblem of(RowSchema schema, String response) {
    int index = schema.encodedIndex(response);
    List<Integer> others =
        IntStream.range(0, schema.dimension()).filter(i -> i != index).boxed().toList();
    return of(schema, index, others);
  }

  /**
   * The response on the intercept and the given encoded columns.
   *
   * @throws IllegalArgumentException if the schema has no such encoded column, with the nearest
   *     one; or if a feature is the response, the intercept or twice there
   */
  public static RegressionProblem of(RowSchema schema, String response, List<String> features) {
    List<Integer> indexes = new ArrayList<>(List.of(0));
    features.forEach(name -> indexes.add(schema.encodedIndex(name)));
    return of(schema, schema.encodedIndex(response), indexes);
  }

  private static RegressionProblem of(RowSchema schema, int response, List<Integer> features) {
    return new RegressionProblem(
        schema.encodedNames(), response, features, Loss.SQUARED, Penalty.AUTO, RangeEnd.of(schema));
  }

  /** A copy with another loss. */
  public RegressionProblem withLoss(Loss other) {
    return new RegressionProblem(names, response, features, other, penalty, ends);
  }

  /** A copy with another penalty. */
  public RegressionProblem withPenalty(Penalty other) {
    return new RegressionProblem(names, response, features, loss, other, ends);
  }

  /** A copy with the penalty {@code value}. */
  public RegressionProblem withLambda(double value) {
    return withPenalty(
        new Penalty(OptionalDouble.of(value), penalty.alpha(), penalty.freeIntercept()));
  }

  /** A copy with a penalty that leaves the intercept out. */
  public RegressionProblem withFreeIntercept() {
    return withPenalty(new Penalty(penalty.lambda(), penalty.alpha(), true));
  }

  /** The penalty's lambda, if there is one. */
  public OptionalDouble lambda() {
    return penalty.lambda();
  }

  /** The name of loss and penalty in requests and answers. */
  public String lossName() {
    if (loss instanceof Loss.Quantile quantile) {
      return quantile.tau() == 0.5 ? "lad" : "quantile";
    }
    if (loss instanceof Loss.Huber) {
      return "huber";
    }
    return penalty.alpha() == 1.0 ? "ridge" : penalty.alpha() == 0.0 ? "lasso" : "elastic-net";
  }

  /** The name of the response. */
  public String responseName() {
    return names.get(response);
  }

  /** The names of the features. */
  public List<String> featureNames() {
    return features.stream().map(names::get).toList();
  }

  /** The features, then the response. */
  int[] columns(int dimension) {
    Checks.within("columns of the input", dimension, names.size(), names.size());
    return IntStream.concat(features.stream().mapToInt(Integer::intValue), IntStream.of(response))
        .toArray();
  }

  /**
   * The buckets of a sketch without noise as rows of this problem, in encoded units, with the
   * sketch's weights: the least absolute deviations on them are close to those on all rows. NOT
   * private. The penalty does not count; column 0 holds the intercept's constant, so its
   * coefficient is that of the constant. O(buckets D).
   *
   * @param sketch of encoded rows
   * @param grid the grid of these rows
   * @throws IllegalArgumentException if the problem's columns are not the sketch's
   */
  public WeightedRows rows(MultilevelSketch sketch, Grid grid) {
    MultilevelSketchSpec spec = sketch.spec();
    int[] columns = columns(spec.dimension());
    int p = columns.length - 1; // the last one is the response
    double[] x = new double[spec.rows() * p];
    double[] y = new double[spec.rows()];
    double[] w = new double[spec.rows()];
    for (int k = 0; k < y.length; k++) {
      for (int c = 0; c < p; c++) {
        x[k * p + c] = grid.rowUnit() * sketch.state()[spec.index(k, columns[c])];
      }
      y[k] = grid.rowUnit() * sketch.state()[spec.index(k, columns[p])];
      w[k] = spec.weight(k);
    }
    return WeightedRows.of(p, x, y, w);
  }

  /**
   * What multiplies lambda in the ridge of each feature, when the intercept column holds {@code
   * intercept}: its coefficient is 1 / intercept of that of a column of ones.
   */
  double[] ridgeWeights(double intercept) {
    double free = penalty.freeIntercept() ? 0.0 : intercept * intercept;
    return features.stream().mapToDouble(feature -> feature == 0 ? free : 1.0).toArray();
  }

  /** The penalty of coefficients, column 0 holding {@code intercept}. */
  double penaltyOf(double lambda, double intercept, double... b) {
    double[] ridge = ridgeWeights(intercept);
    double[] l1 = l1Weights(intercept);
    double alpha = penalty.alpha();
    double sum = 0.0;
    for (int k = 0; k < b.length; k++) {
      sum += alpha * ridge[k] * b[k] * b[k] + (1.0 - alpha) * l1[k] * Math.abs(b[k]);
    }
    return lambda * sum;
  }

  /** What multiplies lambda in the l1 norm of each feature; see {@link #ridgeWeights}. */
  double[] l1Weights(double intercept) {
    double free = penalty.freeIntercept() ? 0.0 : intercept;
    return features.stream().mapToDouble(feature -> feature == 0 ? free : 1.0).toArray();
  }
}

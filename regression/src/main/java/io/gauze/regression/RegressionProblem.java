package io.gauze.regression;

import io.gauze.internal.Checks;
import io.gauze.regression.quantile.WeightedRows;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import io.gauze.sketch.MultilevelSketch;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A regression problem: the response, the features, the loss and the penalty.
 *
 * <p>The objective is {@code sum loss(y - x'b) + lambda (alpha ||b||_2^2 + (1 - alpha) ||b||_1)} in
 * the encoded scale: sums, columns in [-1, 1], intercept column 1.
 *
 * @param names the encoded columns of the input, the intercept first
 * @param response index of the response, in [1, D)
 * @param features indexes of the features, in [0, D), distinct, without the response; 0 is the
 *     intercept
 * @param loss the loss of residuals
 * @param penalty the penalty on coefficients
 * @param ends the ends of the columns' ranges at which a fit checks for crowded values
 * @param clipping how the rows were clipped
 * @param strict whether a release without signal is refused; if not, the fit of a penalty that it
 *     may choose is drawn to 0, with a warning
 */
public record RegressionProblem(
    List<String> names,
    int response,
    List<Integer> features,
    Loss loss,
    Penalty penalty,
    List<RangeEnd> ends,
    Clipping clipping,
    boolean strict) {
  private static final int MOST_NAMED = 5;

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
    Objects.requireNonNull(clipping, "clipping");
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
   * Creates a problem whose columns have unknown ranges.
   *
   * @throws IllegalArgumentException if one of the rules of the components is broken
   */
  public RegressionProblem(
      List<String> names, int response, List<Integer> features, Loss loss, Penalty penalty) {
    this(names, response, features, loss, penalty, List.of(), Clipping.UNKNOWN, false);
  }

  /**
   * Returns the problem that explains the response by the intercept and all other columns.
   *
   * @throws IllegalArgumentException if the schema has no such encoded column; the message names
   *     those that there are and the nearest
   */
  public static RegressionProblem of(RowSchema schema, String response) {
    int index = schema.encodedIndex("response", response);
    List<Integer> others =
        IntStream.range(0, schema.dimension()).filter(i -> i != index).boxed().toList();
    return of(schema, index, others);
  }

  /**
   * Returns the problem that explains the response by the intercept and the given encoded columns.
   * The name of a column with categories means all of its encoded columns. {@link
   * RowSchema#INTERCEPT} alone means that there are no columns: the best constant is asked for.
   *
   * @throws IllegalArgumentException if the schema has no such encoded column (the message names
   *     those that there are and the nearest), or if a feature is the response, the intercept or
   *     listed twice
   */
  public static RegressionProblem of(RowSchema schema, String response, List<String> features) {
    List<Integer> indexes = new ArrayList<>(List.of(0));
    if (features.equals(List.of(RowSchema.INTERCEPT))) {
      return of(schema, schema.encodedIndex("response", response), indexes);
    }
    features.forEach(
        name -> indexes.addAll(schema.encodedIndexes("features", name, Optional.of(response))));
    return of(schema, schema.encodedIndex("response", response), indexes);
  }

  private static RegressionProblem of(RowSchema schema, int response, List<Integer> features) {
    return new RegressionProblem(
        schema.encodedNames(),
        response,
        features,
        Loss.SQUARED,
        Penalty.AUTO,
        RangeEnd.of(schema),
        Clipping.of(schema),
        false);
  }

  /** Returns a copy with another loss. */
  public RegressionProblem withLoss(Loss other) {
    return new RegressionProblem(names, response, features, other, penalty, ends, clipping, strict);
  }

  /** Returns a copy with another penalty. */
  public RegressionProblem withPenalty(Penalty other) {
    return new RegressionProblem(names, response, features, loss, other, ends, clipping, strict);
  }

  /** Returns a copy with the penalty {@code value}. */
  public RegressionProblem withLambda(double value) {
    return withPenalty(
        new Penalty(OptionalDouble.of(value), penalty.alpha(), penalty.freeIntercept()));
  }

  /** Returns a copy with a penalty that leaves the intercept out. */
  public RegressionProblem withFreeIntercept() {
    return withPenalty(new Penalty(penalty.lambda(), penalty.alpha(), true));
  }

  /** Returns a copy that is refused, or is not, where a release holds no signal. */
  public RegressionProblem withStrict(boolean other) {
    return new RegressionProblem(names, response, features, loss, penalty, ends, clipping, other);
  }

  /** Checks whether a fit may choose a penalty that draws all coefficients to 0. */
  public boolean mayShrink() {
    return !strict && penalty.lambda().isEmpty();
  }

  /** The penalty's lambda; empty if it is left open. */
  public OptionalDouble lambda() {
    return penalty.lambda();
  }

  /** Checks whether the loss is that of a quantile beside the median, which tails decide. */
  public boolean isOuterQuantile() {
    return loss instanceof Loss.Quantile && !Loss.ABSOLUTE.equals(loss);
  }

  /** Names some features, by their index among the features, for people: five at most. */
  public String named(Collection<Integer> some) {
    List<String> all =
        some.stream().filter(k -> features.get(k) != 0).sorted().map(featureNames()::get).toList();
    String first = String.join(", ", all.subList(0, Math.min(MOST_NAMED, all.size())));
    return all.size() > MOST_NAMED
        ? first + " and " + (all.size() - MOST_NAMED) + " more"
        : all.isEmpty() ? "the intercept" : first;
  }

  /** The name of loss and penalty in requests and answers. */
  public String lossName() {
    return lossName(loss, penalty);
  }

  /** Returns the name of a loss and a penalty in requests and answers. */
  public static String lossName(Loss loss, Penalty penalty) {
    return loss.accept(
        new Loss.Reader<>() {
          @Override
          public String squared() {
            double alpha = penalty.alpha();
            return alpha == 1.0 ? "ridge" : alpha == 0.0 ? "lasso" : "elastic-net";
          }

          @Override
          public String quantile(Loss.Quantile quantile) {
            return quantile.tau() == 0.5 ? "lad" : "quantile";
          }

          @Override
          public String huber(Loss.Huber huber) {
            return "huber";
          }

          @Override
          public String logistic() {
            return "logistic";
          }
        });
  }

  /** The name of the response. */
  public String responseName() {
    return names.get(response);
  }

  /** The names of the features. */
  public List<String> featureNames() {
    return features.stream().map(names::get).toList();
  }

  /** Returns the indexes of the features, then of the response. */
  public int[] columns(int dimension) {
    Checks.within("columns of the input", dimension, names.size(), names.size());
    return IntStream.concat(features.stream().mapToInt(Integer::intValue), IntStream.of(response))
        .toArray();
  }

  /**
   * Returns the buckets of a sketch without noise as rows of this problem, in encoded units, with
   * the sketch's weights. Least absolute deviations on them are close to those on all rows. NOT
   * private. The penalty is ignored; column 0 contains the intercept's constant, so its coefficient
   * is that of the constant. O(buckets D).
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
   * Returns the factor of lambda in the ridge of each feature, if the intercept column contains
   * {@code intercept}: its coefficient is 1 / intercept of that of a column of ones.
   */
  public double[] ridgeWeights(double intercept) {
    double free = penalty.freeIntercept() ? 0.0 : intercept * intercept;
    return features.stream().mapToDouble(feature -> feature == 0 ? free : 1.0).toArray();
  }

  /** Returns the penalty of coefficients, if column 0 contains {@code intercept}. */
  public double penaltyOf(double lambda, double intercept, double... b) {
    double[] ridge = ridgeWeights(intercept);
    double[] l1 = l1Weights(intercept);
    double alpha = penalty.alpha();
    double sum = 0.0;
    for (int k = 0; k < b.length; k++) {
      sum += alpha * ridge[k] * b[k] * b[k] + (1.0 - alpha) * l1[k] * Math.abs(b[k]);
    }
    return lambda * sum;
  }

  /** Returns the factor of lambda in the l1 norm of each feature; see {@link #ridgeWeights}. */
  public double[] l1Weights(double intercept) {
    double free = penalty.freeIntercept() ? 0.0 : intercept;
    return features.stream().mapToDouble(feature -> feature == 0 ? free : 1.0).toArray();
  }
}

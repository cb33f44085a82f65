package io.gauze.solve;

import io.gauze.row.RowSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which column is explained by which, and how much coefficients are held back.
 *
 * <p>The objective is {@code ||y - X b||^2 + lambda ||b||^2} in the encoded scale: sums, columns in
 * [-1, 1], intercept column 1.
 *
 * @param names the encoded columns of the input, the intercept first
 * @param response index of the response, in [1, D)
 * @param features indexes of the features, in [0, D), distinct, without the response; 0 is the
 *     intercept
 * @param freeIntercept whether the penalty leaves the intercept out
 * @param lambda the penalty, at least 0; empty: none on raw rows, chosen from the noise on releases
 */
public record RegressionProblem(
    List<String> names,
    int response,
    List<Integer> features,
    boolean freeIntercept,
    OptionalDouble lambda) {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if one of these rules is broken
   */
  public RegressionProblem {
    names = List.copyOf(names);
    features = List.copyOf(features);
    Objects.requireNonNull(lambda, "lambda");
    Checks.within("response", response, 1, names.size() - 1);
    if (features.isEmpty()) {
      throw new IllegalArgumentException("features must not be empty. Provided value: []");
    }
    Set<Integer> used = new HashSet<>(Set.of(response));
    for (int feature : features) {
      Checks.within("feature", feature, 0, names.size() - 1);
      if (!used.add(feature)) {
        throw new IllegalArgumentException(
            "features must be distinct and not the response. Provided value: "
                + names.get(feature)
                + " again");
      }
    }
    lambda.ifPresent(value -> Checks.nonNegativeFinite("lambda", value));
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
    return new RegressionProblem(
        schema.encodedNames(), index, others, false, OptionalDouble.empty());
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
    return new RegressionProblem(
        schema.encodedNames(),
        schema.encodedIndex(response),
        indexes,
        false,
        OptionalDouble.empty());
  }

  /** The same with the penalty {@code value}. */
  public RegressionProblem withLambda(double value) {
    return new RegressionProblem(
        names, response, features, freeIntercept, OptionalDouble.of(value));
  }

  /** The same with a penalty that leaves the intercept out. */
  public RegressionProblem withFreeIntercept() {
    return new RegressionProblem(names, response, features, true, lambda);
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
   * What multiplies lambda for each feature, when the intercept column holds {@code intercept}: its
   * coefficient is 1 / intercept of that of a column of ones.
   */
  double[] penalty(double intercept) {
    double free = freeIntercept ? 0.0 : intercept * intercept;
    return features.stream().mapToDouble(feature -> feature == 0 ? free : 1.0).toArray();
  }
}

package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;

/**
 * The tests of combinations of the coefficients of a fit, whose intervals need not be around the
 * estimates.
 *
 * @param all of the law of the rows: with the error that they are a sample
 * @param privacy of the rows
 * @param known the indexes of the coefficients that are tested
 * @param combinations the weights of these in each combination, and a constant that is added; NaN
 *     if others are part of it
 */
public record ConfidenceSets(
    AndersonRubin all,
    AndersonRubin privacy,
    List<Integer> known,
    List<DoubleVector> combinations) {
  public ConfidenceSets {
    known = List.copyOf(known);
    combinations = List.copyOf(combinations);
  }

  /** Returns the tests of the coefficients of a fit, of which others are not known. */
  public ConfidenceSets of(int... indexes) {
    return new ConfidenceSets(all, privacy, IntStream.of(indexes).boxed().toList(), combinations);
  }

  /**
   * Returns the same tests of combinations of all coefficients.
   *
   * @param weights of the coefficients in each combination
   * @param constants that are added, one to each combination
   */
  public ConfidenceSets of(double[][] weights, double... constants) {
    return new ConfidenceSets(
        all,
        privacy,
        known,
        IntStream.range(0, weights.length)
            .mapToObj(k -> combination(constants[k], weights[k]))
            .toList());
  }

  private DoubleVector combination(double constant, double... weights) {
    double[] rest = weights.clone();
    known.forEach(index -> rest[index] = 0.0);
    if (Arrays.stream(rest).anyMatch(weight -> weight != 0.0)) {
      return DoubleVector.generate(known.size() + 1, k -> Double.NaN);
    }
    return DoubleVector.generate(
        known.size() + 1, k -> k < known.size() ? weights[known.get(k)] : constant);
  }

  /**
   * Returns the tests of other coefficients, as {@link AndersonRubin#of(DMatrixRMaj,
   * DoubleVector)}.
   */
  public ConfidenceSets of(DMatrixRMaj jacobian, DoubleVector origin) {
    List<Integer> indexes = IntStream.range(0, origin.size()).boxed().toList();
    return new ConfidenceSets(
        all.of(jacobian, origin), privacy.of(jacobian, origin), indexes, List.of());
  }

  /** Returns some of the combinations, each in another unit. */
  ConfidenceSets scaled(int[] indexes, double... factors) {
    return new ConfidenceSets(
        all,
        privacy,
        known,
        IntStream.range(0, indexes.length)
            .mapToObj(k -> times(combinations.get(indexes[k]), factors[k]))
            .toList());
  }

  private static DoubleVector times(DoubleVector vector, double factor) {
    return DoubleVector.generate(vector.size(), k -> factor * vector.get(k));
  }
}

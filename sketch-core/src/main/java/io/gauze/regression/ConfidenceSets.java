package io.gauze.regression;

import io.gauze.linalg.DoubleVector;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tests of combinations of the coefficients of a fit, whose intervals need not be around the
 * estimates.
 *
 * @param all of the law of the rows: with the error that they are a sample
 * @param privacy of the rows
 * @param known the indexes of the coefficients that are tested
 * @param combinations the weights of these in each combination; NaN if others are part of it
 */
record ConfidenceSets(
    AndersonRubin all,
    AndersonRubin privacy,
    List<Integer> known,
    List<DoubleVector> combinations) {
  ConfidenceSets {
    known = List.copyOf(known);
    combinations = List.copyOf(combinations);
  }

  /** Returns the tests of the coefficients of a fit, of which others are not known. */
  ConfidenceSets of(int... indexes) {
    return new ConfidenceSets(all, privacy, IntStream.of(indexes).boxed().toList(), combinations);
  }

  /** Returns the same tests of combinations of all coefficients. */
  ConfidenceSets of(double[]... weights) {
    return new ConfidenceSets(
        all, privacy, known, Arrays.stream(weights).map(this::combination).toList());
  }

  private DoubleVector combination(double... weights) {
    double[] rest = weights.clone();
    known.forEach(index -> rest[index] = 0.0);
    boolean isKnown = Arrays.stream(rest).allMatch(weight -> weight == 0.0);
    return DoubleVector.generate(known.size(), k -> isKnown ? weights[known.get(k)] : Double.NaN);
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

package io.gauze.regression.moments;

import java.util.List;
import org.ejml.data.DMatrixRMaj;

/**
 * The mean squared norm of the rows of a release, over some of their entries.
 *
 * @param meanSquare the estimate, in encoded units squared
 * @param deviation at most so large is its standard deviation, for a known number of rows
 * @param countsRows whether the number of rows stands out from its noise
 */
record NoisyDiagonal(double meanSquare, double deviation, boolean countsRows) {
  /** Over all entries but the given ones. */
  static NoisyDiagonal of(NoisyMomentsInput input, List<Integer> without) {
    double sum = 0.0;
    double deviation = 0.0;
    DMatrixRMaj one = new DMatrixRMaj(1, 1, true, 1.0);
    for (int i = 0; i < input.dimension(); i++) {
      if (!without.contains(i)) {
        double entry = Math.max(0.0, input.moments().get(i, i));
        sum += input.moments().get(i, i);
        deviation += input.law(i).deviation(entry, one);
      }
    }
    double constant = Math.max(0.0, input.moments().get(0, 0));
    double rows = constant / (input.intercept() * input.intercept());
    boolean counts = constant > 4.0 * input.law(0).deviation(constant, one);
    return new NoisyDiagonal(sum / rows, deviation / rows, counts);
  }
}

package io.gauze.audit.select;

import io.gauze.audit.Trial;
import io.gauze.mechanism.select.SelectFitRows;
import io.gauze.model.ModelRows;
import io.gauze.noise.Entropy;

/**
 * Selects one of two columns of rows that are read again, x and z, and computes the log-likelihood
 * ratio of the selected column and of its moments.
 */
// Scores of x and z have different signs, so that one row raises the one and lowers the other, by
// all that their bound allows. Its features are longer than their bound, and the response is small:
// the row is close to the bound of the moments of either column. The row that replaces another one
// has the opposite columns, which are as long as the intercept, so that both are nearly orthogonal.
final class RowsSelectionTrial implements Trial {
  private static final int RESPONSE = SelectFitAudit.RESPONSE;

  private final SelectFitRows mechanism;
  private final ModelRows first;
  private final ModelRows second;
  private final double[] choice = new double[RESPONSE]; // its log-likelihood ratio, by column
  private final long[][] mean = new long[RESPONSE][]; // exact moments, by column
  private final long[][] other = new long[RESPONSE][]; // those of the second data set

  /**
   * Creates a trial.
   *
   * @param replaced whether a row of the first data set is another one in the second; else it is in
   *     the second alone
   */
  RowsSelectionTrial(SelectFitRows mechanism, boolean replaced) {
    this.mechanism = mechanism;
    double one = mechanism.bounds().whole().ends().get(0);
    double most = mechanism.bounds().residual();
    double[] x = {0.0, 1.0, 0.0, most};
    double[] z = {0.0, 0.0, -1.0, most};
    double[] ahead = replaced ? new double[4] : z;
    double[] before = replaced ? new double[] {one, -1.0, -1.0, most} : new double[4];
    double[] after = {one, 1.0, 1.0, most};
    double[][] firstRows = {x, x, z, z, ahead, before};
    double[][] secondRows = {x, x, z, z, ahead, after};
    this.first = rows(firstRows);
    this.second = rows(secondRows);
    for (int column = 1; column < RESPONSE; column++) {
      choice[column] = logProbability(secondRows, column) - logProbability(firstRows, column);
      mean[column] = mechanism.moments(first, 0, column, RESPONSE);
      other[column] = mechanism.moments(second, 0, column, RESPONSE);
    }
  }

  private ModelRows rows(double[]... rows) {
    ModelRows list = mechanism.rows();
    for (double[] row : rows) {
      mechanism.add(list, row);
    }
    return list;
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    long[] payload = mechanism.fit(inSecond ? second : first, entropy);
    int selected = (int) Math.rint(payload[0] * mechanism.stepSize());
    double ratio = choice[selected];
    int length = mean[selected].length;
    for (int i = 0; i < length; i++) {
      double sigma = mechanism.plan().noise().scale(i, length);
      double change = other[selected][i] - mean[selected][i];
      double middle = mean[selected][i] + 0.5 * change;
      ratio += change * (payload[1 + i] - middle) / (sigma * sigma);
    }
    return ratio;
  }

  private double logProbability(double[][] rows, int selected) {
    double gap = mechanism.rate() * (score(rows, selected) - score(rows, RESPONSE - selected));
    return -Math.log1p(Math.exp(-gap));
  }

  private static double score(double[][] rows, int column) {
    double sum = 0.0;
    for (double[] row : rows) {
      sum += row[column] * row[RESPONSE];
    }
    return Math.abs(sum);
  }
}

package io.gauze.audit.twostage;

import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.descent.DescentPlan;
import io.gauze.mechanism.descent.DescentSums;
import io.gauze.mechanism.descent.ResidualCells;
import io.gauze.mechanism.descent.RowGradient;
import io.gauze.mechanism.descent.RowWeight;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.noise.Entropy;
import java.util.Arrays;

/**
 * Noisy sums of descent of one of two data sets of few rows, and the log-likelihood ratio of all of
 * them. What they would be without noise is computed in doubles, by other code than that of the
 * mechanism.
 */
final class RatedDescent implements DescentSums {
  private final Neighbouring<DescentModel> both;
  private final DescentSums noisy;
  private final RatedSums before;

  /**
   * Creates the sums of one release.
   *
   * @param inSecond whether they are those of the second data set
   */
  RatedDescent(Neighbouring<DescentModel> both, boolean inSecond, Entropy entropy) {
    this.both = both;
    this.noisy = both.mechanism().sums(both.rows(inSecond), entropy);
    this.before = new RatedSums(both, both.mechanism().plan(), noisy.first());
  }

  /** The log-likelihood ratio of all sums so far. */
  double ratio() {
    return before.ratio();
  }

  @Override
  public RowSums first() {
    return before;
  }

  @Override
  public long[] sizes(RowGradient gradient) {
    long[] counts = noisy.sizes(gradient);
    before.rateCounts(counts, rows -> cells(gradients(rows, gradient)));
    return counts;
  }

  private static double[] cells(double[]... gradients) {
    double[] counts = new double[NormCells.COUNT];
    for (double[] gradient : gradients) {
      counts[NormCells.of(norm(gradient))]++;
    }
    return counts;
  }

  @Override
  public long[] residuals(RowTransform transform) {
    long[] counts = noisy.residuals(transform);
    before.rateCounts(
        counts,
        rows -> {
          double[] exact = new double[ResidualCells.COUNT];
          for (double[] row : RatedSums.mapped(rows, transform)) {
            exact[ResidualCells.of(row[row.length - 1])]++;
          }
          return exact;
        });
    return counts;
  }

  @Override
  public long[] gradient(RowGradient gradient, int rounds) {
    long[] sums = noisy.gradient(gradient, rounds);
    double deviation = both.mechanism().plan().stepDeviation(rounds);
    before.rate(
        Arrays.stream(sums).mapToDouble(sum -> sum * DescentPlan.UNIT).toArray(),
        shortened(gradients(both.first().rows(), gradient), sums.length),
        shortened(gradients(both.second().rows(), gradient), sums.length),
        k -> deviation);
    return sums;
  }

  private static double[] shortened(double[][] gradients, int length) {
    double[] sum = new double[length];
    for (double[] gradient : gradients) {
      double factor = 1.0 / Math.max(1.0, norm(gradient));
      for (int k = 0; k < length; k++) {
        sum[k] += factor * gradient[k];
      }
    }
    return sum;
  }

  private static double[][] gradients(double[][] rows, RowGradient gradient) {
    double[][] mapped = RatedSums.mapped(rows, gradient.transform());
    double[][] gradients = new double[rows.length][];
    for (int r = 0; r < rows.length; r++) {
      double[] row = mapped[r];
      int last = row.length - 1;
      double residual = row[last];
      for (int k = 0; k < last; k++) {
        residual -= gradient.model().get(k) * row[k];
      }
      gradients[r] = new double[last];
      for (int k = 0; k < last; k++) {
        gradients[r][k] = row[k];
      }
      double weight = weight(gradient.weight(), residual, norm(gradients[r]));
      for (int k = 0; k < last; k++) {
        gradients[r][k] *= weight;
      }
    }
    return gradients;
  }

  private static double weight(RowWeight weight, double residual, double norm) {
    if (weight instanceof RowWeight.OfQuantile of) {
      double size = Math.min(Math.abs(residual) / of.threshold(), 1.0);
      double slope = Math.signum(residual) * size + 2.0 * of.quantile() - 1.0;
      return slope
          / (2.0 * Math.max(of.quantile(), 1.0 - of.quantile()))
          / Math.max(of.bound(), norm);
    }
    return weight instanceof RowWeight.OfSquares of
        ? residual / of.unit()
        : 1.0 / ((RowWeight.OfNothing) weight).unit();
  }

  private static double norm(double... gradient) {
    return Math.sqrt(Arrays.stream(gradient).map(each -> each * each).sum());
  }
}

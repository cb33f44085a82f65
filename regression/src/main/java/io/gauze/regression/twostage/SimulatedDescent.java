package io.gauze.regression.twostage;

import io.gauze.mechanism.descent.DescentPlan;
import io.gauze.mechanism.descent.DescentSums;
import io.gauze.mechanism.descent.ResidualCells;
import io.gauze.mechanism.descent.RowGradient;
import io.gauze.mechanism.descent.RowWeight;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.payload.FitMethod;
import io.gauze.regression.FitRandom;
import java.util.Collections;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Noisy sums of normal rows of given moments, as far as these decide them: gradients of squares are
 * not shortened, and norms are those of rows whose features say nothing of the size of the
 * residual.
 */
final class SimulatedDescent implements DescentSums {
  private final SimulatedSums sums;
  private final FitMethod.Steps noise;
  private final double rows;
  private final FitRandom random;

  /**
   * Creates the sums of one release.
   *
   * @param moments of all rows, the constant first and the response last
   * @param rows their number
   */
  SimulatedDescent(FitMethod.Steps noise, DMatrixRMaj moments, double rows, FitRandom random) {
    int dimension = moments.getNumRows();
    this.noise = noise;
    this.rows = rows;
    this.random = random;
    this.sums =
        new SimulatedSums(
            new TransformedMoments(
                dimension,
                dimension - 1,
                noise.rounds(),
                noise.counts(),
                Collections.nCopies(noise.rounds().size() + 1, noise.counts())),
            moments,
            rows,
            random);
  }

  @Override
  public RowSums first() {
    return sums;
  }

  @Override
  public long[] sizes(RowGradient gradient) {
    DMatrixRMaj mean = mean(gradient.transform());
    if (gradient.weight() instanceof RowWeight.OfNothing weight) {
      return sums.counts(ofFeatures(mean), square -> Math.sqrt(square) / weight.unit());
    }
    double unit = ((RowWeight.OfSquares) gradient.weight()).unit();
    int features = mean.getNumRows() - 1;
    double deviation = Math.sqrt(Math.max(0.0, mean.get(features, features)));
    return sums.counts(
        ofFeatures(mean),
        square -> Math.sqrt(square) * Math.abs(deviation * random.nextGaussian()) / unit);
  }

  /** The second moments of a row under a transform. */
  private DMatrixRMaj mean(RowTransform transform) {
    DMatrixRMaj mean = sums.under(transform);
    CommonOps_DDRM.scale(1.0 / rows, mean);
    return mean;
  }

  private static DMatrixRMaj ofFeatures(DMatrixRMaj mean) {
    int features = mean.getNumRows() - 1;
    return CommonOps_DDRM.extract(mean, 0, features, 0, features);
  }

  @Override
  public long[] residuals(RowTransform transform) {
    NormalResidual residual = NormalResidual.of(mean(transform));
    double[] counts = new double[ResidualCells.COUNT];
    double below = 0.0;
    for (int cell = 0; cell < counts.length; cell++) {
      double next =
          cell == counts.length - 1 ? 1.0 : residual.shareBelow(ResidualCells.upper(cell));
      counts[cell] = rows * (next - below);
      below = next;
    }
    return sums.noisy(counts);
  }

  @Override
  public long[] gradient(RowGradient gradient, int rounds) {
    DMatrixRMaj mean = mean(gradient.transform());
    int features = mean.getNumRows() - 1;
    double[] exact =
        gradient.weight() instanceof RowWeight.OfQuantile weight
            ? ofQuantile(mean, gradient, weight)
            : NormalResidual.products(mean, gradient.model());
    double unit = gradient.weight() instanceof RowWeight.OfSquares squares ? squares.unit() : 1.0;
    long[] numbers = new long[features];
    for (int i = 0; i < features; i++) {
      double noisy = rows * exact[i] / unit + noise.steps().get(rounds - 1) * random.nextGaussian();
      numbers[i] = Math.round(noisy / DescentPlan.UNIT);
    }
    return numbers;
  }

  // Of normal r and x the mean of s(r) x is E[s] E[x] + E[s'] Cov(r, x). Long rows weigh less, as
  // if their residuals were as large as those of others.
  private double[] ofQuantile(DMatrixRMaj mean, RowGradient gradient, RowWeight.OfQuantile weight) {
    double all = 0.0;
    double kept = 0.0;
    for (double square : sums.squares(ofFeatures(mean))) {
      all += square;
      kept += square / Math.max(weight.bound(), Math.sqrt(square));
    }
    double factor = kept / (all * (1.0 + Math.abs(2.0 * weight.quantile() - 1.0)));
    NormalResidual residual = NormalResidual.of(mean, gradient.model());
    double slope = 2.0 * weight.quantile() - 1.0 + residual.meanWithin(weight.threshold());
    double curvature = residual.shareWithin(weight.threshold()) / weight.threshold();
    double[] products = NormalResidual.products(mean, gradient.model());
    double constant = Math.sqrt(mean.get(0, 0));
    for (int i = 0; i < products.length; i++) {
      double ofFeature = mean.get(0, i) / constant;
      double covariance = products[i] - residual.mean() * ofFeature;
      products[i] = factor * (slope * ofFeature + curvature * covariance);
    }
    return products;
  }
}

package io.gauze.regression.twostage;

import io.gauze.mechanism.descent.DescentPlan;
import io.gauze.mechanism.descent.DescentSums;
import io.gauze.mechanism.descent.RowGradient;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.TransformedMoments;
import io.gauze.payload.FitMethod;
import io.gauze.regression.FitRandom;
import java.util.Collections;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Noisy sums of normal rows of given moments, as far as these decide them: gradients are not
 * shortened, and their norms are those of rows whose features say nothing of the size of the
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
    DMatrixRMaj mean = sums.under(gradient.transform());
    CommonOps_DDRM.scale(1.0 / rows, mean);
    int features = mean.getNumRows() - 1;
    double deviation = Math.sqrt(Math.max(0.0, mean.get(features, features)));
    DMatrixRMaj ofFeatures = CommonOps_DDRM.extract(mean, 0, features, 0, features);
    return sums.counts(
        ofFeatures,
        square ->
            Math.sqrt(square) * Math.abs(deviation * random.nextGaussian()) / gradient.unit());
  }

  @Override
  public long[] gradient(RowGradient gradient, int rounds) {
    DMatrixRMaj all = sums.under(gradient.transform());
    int features = all.getNumRows() - 1;
    long[] numbers = new long[features];
    for (int i = 0; i < features; i++) {
      double sum = all.get(i, features);
      for (int k = 0; k < features; k++) {
        sum -= all.get(i, k) * gradient.model().get(k);
      }
      double noisy = sum / gradient.unit() + noise.steps().get(rounds - 1) * random.nextGaussian();
      numbers[i] = Math.round(noisy / DescentPlan.UNIT);
    }
    return numbers;
  }
}

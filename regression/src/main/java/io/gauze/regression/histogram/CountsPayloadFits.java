package io.gauze.regression.histogram;

import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.FitInput;
import io.gauze.regression.PayloadFits;
import io.gauze.regression.Prospect;
import io.gauze.regression.ReleasedNumbers;
import io.gauze.regression.moments.ExpectedError;
import io.gauze.row.Column;
import io.gauze.row.RowSchema;

/** Fits of a histogram. */
public final class CountsPayloadFits implements PayloadFits<Payload.Counts> {
  @Override
  public Class<Payload.Counts> payload() {
    return Payload.Counts.class;
  }

  @Override
  public FitInput input(Payload.Counts counts, ReleasedNumbers numbers) {
    return ReleasedCounts.of(
        binValues(counts, numbers.schema()), numbers.values(), counts.scale(), numbers.intercept());
  }

  @Override
  public Prospect prospect(Payload.Counts counts, AssumedDataModel model) {
    return Prospect.ofBoth(
        () -> excess(counts, model),
        0.0,
        "counts answer any loss where columns are few; bins blur what is in them",
        "useless here: bins are too wide, or the noise exceeds what the rows say; more rows an"
            + " epoch, a larger epsilon or fewer columns help");
  }

  /**
   * Returns the values of the bins of each encoded column: their middles, or the possible values.
   */
  private static double[][] binValues(Payload.Counts counts, RowSchema schema) {
    double[][] values = new double[counts.spec().axes().size()][];
    int next = 0;
    for (Column column : schema.columns()) {
      for (int i = 0; i < column.width(); i++) {
        values[next] = binValues(column, counts.spec().axes().get(next).bins());
        removeImpossible(values[next], next + 1, column, schema);
        next++;
      }
    }
    return values;
  }

  /** Marks bins beyond the range of a number, which a typical value can leave empty. */
  private static void removeImpossible(
      double[] values, int encoded, Column column, RowSchema schema) {
    if (column.isQuantity()) {
      double lower = schema.encoded(encoded, column.lower());
      double upper = schema.encoded(encoded, column.upper());
      double half = 1.0 / values.length;
      for (int k = 0; k < values.length; k++) {
        boolean possible = values[k] + half > lower && values[k] - half <= upper;
        values[k] = possible ? values[k] : Double.NaN;
      }
    }
  }

  private static double[] binValues(Column column, int bins) {
    double[] values = new double[bins];
    for (int k = 0; k < bins; k++) {
      double middle = -1.0 + (2.0 * k + 1.0) / bins;
      values[k] = column.isIndicator() ? -1.0 + 2.0 * k / (bins - 1.0) : middle;
    }
    // 0 is in the middle bin, 1 in the last, nothing in the first
    if (column.isOneHot()) {
      values = new double[] {Double.NaN, 0.0, 1.0};
    }
    return values;
  }

  // Noise: an entry of the moments sums Laplace variables times x_i x_j over all cells, of mean
  // square 2 b^2 cells E[x^2]^2, E[x^2] = 1/3. Bins: a feature has a uniform error of width w,
  // which adds w^2 / 12 sum b_j^2 to the residual variance.
  private static double excess(Payload.Counts counts, AssumedDataModel model) {
    double sigma = 2.0 * counts.scale() * Math.sqrt(counts.length()) / 3.0;
    double noise = ExpectedError.moments(model, new MomentNoise.Gaussian(sigma));
    int bins = counts.spec().axes().stream().mapToInt(axis -> axis.bins()).max().orElse(1);
    double width = 2.0 / bins;
    double residual = (1.0 - model.explained()) * model.responseSquare();
    double grid = Math.sqrt(1.0 + model.explained() * width * width / 12.0 / residual) - 1.0;
    return noise + grid;
  }
}

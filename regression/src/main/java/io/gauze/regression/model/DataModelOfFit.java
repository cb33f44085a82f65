package io.gauze.regression.model;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.regression.AssumedDataModel;
import io.gauze.row.RowSchema;
import java.util.Arrays;

/**
 * What the coefficients of a released model imply about its rows, with the public sizes of the
 * columns: how much the features explain, and how large residuals are.
 */
final class DataModelOfFit {
  /** Coefficients say no more than that features explain less, or more, of the variance. */
  private static final double LEAST_SIGNAL = 1e-6;

  private static final double MOST_SIGNAL = 1e3;

  private final RowSchema schema;
  private final Payload.Model fitted;
  private final double[] squares; // of the features, the largest first
  private final double signal; // the variance of what the features explain
  private final double constant;

  DataModelOfFit(RowSchema schema, Payload.Model fitted, DoubleVector coefficients) {
    this.schema = schema;
    this.fitted = fitted;
    DoubleVector all = ExpectedSquares.withinIntercept(schema);
    double[] rising = new double[Math.max(1, fitted.features().size() - 1)];
    rising[0] = all.get(fitted.response() - 1); // of a model that has no feature
    double sum = 0.0;
    for (int k = 1; k < fitted.features().size(); k++) {
      rising[k - 1] = all.get(fitted.features().get(k) - 1);
      sum += rising[k - 1] * coefficients.get(k) * coefficients.get(k);
    }
    Arrays.sort(rising);
    this.squares = new double[rising.length];
    for (int k = 0; k < rising.length; k++) {
      squares[k] = rising[rising.length - 1 - k];
    }
    double unit = fitted.loss().isLogistic() ? 1.0 : all.get(fitted.response() - 1);
    this.signal = Math.max(LEAST_SIGNAL, Math.min(MOST_SIGNAL, sum / unit));
    double centre = fitted.origin() instanceof FitMethod.Minimum from ? from.centre() : 0.0;
    this.constant = coefficients.get(0) - centre;
  }

  /**
   * Returns the rows as far as they are known. Their features depend on each other, as those of
   * {@link AssumedDataModel#of}.
   */
  // Were the features independent, they would explain the sum of b_j^2 E[x_j^2]: S. The public
  // spread of the response is taken for that of the residuals where S is small, and the features
  // explain the share S / (S + spread^2) of it. Latent residuals of a label have a known variance.
  AssumedDataModel rows() {
    double[] decay = AssumedDataModel.decay(squares.length);
    double sum = Arrays.stream(decay).sum();
    double roots = Arrays.stream(decay).map(Math::sqrt).sum();
    double spread = ExpectedSquares.withinIntercept(schema).get(fitted.response() - 1);
    double explained = spread * signal;
    double residual = spread / (1.0 + signal);
    if (fitted.loss().isLogistic()) {
      explained = signal;
      residual = ExpectedLogisticError.LOGISTIC;
    }
    return new AssumedDataModel(
        DoubleVector.generate(squares.length, k -> squares[k] * decay[k] * squares.length / sum),
        DoubleVector.generate(squares.length, k -> Math.sqrt(decay[k]) / roots),
        Math.max(1.0, fitted.expectedRows()),
        1.0 / schema.half(0),
        explained + residual,
        explained / (explained + residual),
        constant);
  }

  /** Returns the relative excess of the best constant. */
  double ignorance() {
    return fitted.loss().isLogistic()
        ? ExpectedLogisticError.of(rows()).ignorance()
        : Math.sqrt(1.0 + signal) - 1.0;
  }
}

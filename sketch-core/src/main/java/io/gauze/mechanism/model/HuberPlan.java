package io.gauze.mechanism.model;

import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.StreamRequest;
import io.gauze.model.ModelLoss;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectiveSpec;
import io.gauze.row.RowSchema;
import java.util.List;
import java.util.function.DoubleFunction;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Chooses the feature bound and the threshold of a model from public numbers: the expected squares
 * of the columns, the expected rows and the budget.
 *
 * @param rows expected
 * @param intercept c0
 * @param features the sum of the expected squares of the features, the intercept left out
 * @param size the number of features, the intercept left out
 * @param response the expected square of the response
 */
public record HuberPlan(double rows, double intercept, double features, int size, double response) {
  private static final double LEAST_LABELLED = 0.125;

  private static final int HALVINGS = 8;

  /** A share that is better by less is not taken: rounding errors must not decide. */
  private static final double ROUNDING = 1e-6;

  public static HuberPlan of(StreamRequest stream, ModelColumns columns) {
    RowSchema schema = stream.schema();
    DoubleVector squares = ExpectedSquares.withinIntercept(schema);
    double sum = 0.0;
    int size = 0;
    for (int feature : columns.features()) {
      if (feature > 0) {
        sum += squares.get(feature - 1);
        size++;
      }
    }
    return new HuberPlan(
        stream.expectedRows(), schema.intercept(), sum, size, squares.get(columns.response() - 1));
  }

  /** The bound on the norm of a row's features. */
  public double featureBound() {
    return cut(uncut());
  }

  private double uncut() {
    return Math.sqrt(Tuning.FEATURE_BOUND * (intercept * intercept + features));
  }

  private static double cut(double bound) {
    return Math.max(ObjectiveModels.LEAST_BOUND, Math.min(ObjectiveModels.LARGEST_BOUND, bound));
  }

  /**
   * The bound for a loss of labels. The weight of a long row makes its features shorter, and not
   * its label, which bends the model: few rows may be long. The grid of features of a smaller bound
   * is too fine for a slope of 1.
   */
  double labelledFeatureBound() {
    return Math.max(Math.nextUp(LEAST_LABELLED), cut(Tuning.LABELLED * uncut()));
  }

  /**
   * The threshold with the smallest expected error: a small one is closer to the median, and has
   * fewer rows that say something about it.
   *
   * @param objective the objective for a threshold
   * @param mostSlope the largest slope that a loss may have
   */
  double threshold(DoubleFunction<ObjectiveSpec> objective, double mostSlope) {
    double widest = Tuning.LARGEST_PLANNED * Math.sqrt(response);
    double best = Math.min(widest, 0.5 * mostSlope);
    ObjectiveCalibration calibration = ObjectiveCalibration.of(objective.apply(best));
    double largest = best;
    double smallest = Double.POSITIVE_INFINITY;
    for (int halving = 0; halving <= HALVINGS; halving++) {
      double threshold = Math.scalb(largest, -halving);
      // The noise has the size of the threshold; the ridge is the same for all.
      double deviation = Math.scalb(calibration.deviation(), -halving);
      double error = error(threshold, deviation, calibration.lambda(), 1.0);
      if (error < smallest && threshold >= ModelLoss.LEAST_THRESHOLD) {
        smallest = error;
        best = threshold;
      }
    }
    return best;
  }

  /**
   * Returns the objective with the share of the determinant that has the least expected error.
   *
   * @param shares that may be taken, at least one
   */
  ObjectiveSpec shared(ObjectiveSpec objective, double threshold, List<Double> shares) {
    ObjectiveSpec best = objective;
    double smallest = Double.POSITIVE_INFINITY;
    for (double share : shares) {
      ObjectiveSpec next = objective.withDeterminantShare(share);
      ObjectiveCalibration calibration = ObjectiveCalibration.of(next);
      double error =
          error(threshold, calibration.deviation(), calibration.lambda(), Tuning.PULL_OF_SHARES);
      if (error < smallest * (1.0 - ROUNDING)) {
        smallest = error;
        best = next;
      }
    }
    return best;
  }

  // As ExpectedModel, for features that depend on each other much.
  private double error(double threshold, double deviation, double lambda, double pulled) {
    double residual = Tuning.RESIDUAL * Math.sqrt(response);
    double bent = threshold / residual;
    double curved = rows * NormalDistribution.of(0.0, 1.0).probability(-bent, bent);
    return moved(curved, deviation, lambda, pulled) + Tuning.ROUND * bent * bent;
  }

  /** For principal components whose mean squares decay geometrically. */
  private double moved(double curved, double deviation, double lambda, double pulled) {
    double residual = Tuning.RESIDUAL * Math.sqrt(response);
    double[] decay = new double[size];
    double sum = 0.0;
    for (int k = 0; k < size; k++) {
      decay[k] = StrictMath.pow(Tuning.DECAY, k / Math.max(1.0, size - 1.0));
      sum += decay[k];
    }
    double moved = 0.0;
    for (int k = 0; k < size; k++) {
      double square = Tuning.VARIANCE * features * decay[k] / sum;
      double pull = pulled * lambda * lambda * residual * residual / (size * square);
      double weight = curved * square + lambda;
      moved += square * (deviation * deviation + pull) / (weight * weight);
    }
    return Math.sqrt(1.0 + moved / (residual * residual)) - 1.0;
  }
}

package io.gauze.mechanism.select;

import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.StreamRequest;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.io.Serializable;

/**
 * Bounds of rows of which only a response, the intercept and any few columns are kept, planned from
 * public numbers alone: they do not depend on which columns these are.
 *
 * <p>Features are shortened to {@code B_x}, with {@code B_x^2 = kappa (c0^2 + s v)}, v the expected
 * mean square of a column; the response has the bound of its range, or that of the config. The
 * weight of a row depends on its features alone, so that a model that is linear in them stays true.
 * Both together are never above the bound of whole rows, but each is at least {@code 2^-6}.
 *
 * @param whole the bounds of whole rows
 * @param square v
 */
public record SelectedBounds(SelectionBounds whole, double square) implements Serializable {
  private static final double LEAST = 0x1p-6;
  private static final double HALF = Math.sqrt(0.5); // of a bound, for either of two parts

  static SelectedBounds of(StreamRequest stream, int response) {
    RowSchema schema = stream.schema();
    DoubleVector squares =
        schema.isScaled() ? ExpectedSquares.withinIntercept(schema) : ExpectedSquares.of(schema);
    double sum = 0.0;
    for (int k = 0; k < squares.size(); k++) {
      sum += k == response - 1 ? 0.0 : squares.get(k);
    }
    return new SelectedBounds(SelectionBounds.of(stream, response), sum / (squares.size() - 1));
  }

  /** Returns the largest norm of the intercept and {@code size} columns. */
  public double features(int size) {
    return Math.max(LEAST, Math.min(planned(size), beside(response(size))));
  }

  /** Returns the largest size of the response beside the intercept and {@code size} columns. */
  public double response(int size) {
    double bound = whole.rowBound();
    double planned = planned(size);
    double end = end();
    return Math.max(
        LEAST, planned * planned + end * end > bound * bound ? Math.min(end, HALF * bound) : end);
  }

  private double planned(int size) {
    double intercept = whole.ends().get(0);
    double square = Tuning.FEATURE_BOUND * (intercept * intercept + size * this.square);
    return Math.min(Math.sqrt(square), whole.features(size));
  }

  private double end() {
    return whole.ends().get(whole.response());
  }

  // Scores are of one column and the residual, and few rows have all of their norm in these two: so
  // entries within the bound of whole rows are clamped to what it leaves for each.
  /** Returns the size to which residuals are clamped in scores: at most that of the response. */
  public double residual() {
    double left = Math.max(HALF * whole.rowBound(), beside(whole.end()));
    return Math.max(LEAST, Math.min(end(), left));
  }

  /** Returns the size to which columns are clamped in scores: at most the largest of them. */
  public double column() {
    return Math.max(LEAST, Math.min(whole.end(), beside(residual())));
  }

  /** Returns what the bound of whole rows leaves beside an entry of this size. */
  private double beside(double entry) {
    double bound = whole.rowBound();
    return Math.sqrt(Math.max(0.0, bound * bound - entry * entry));
  }

  /** Returns what shortens rows of the intercept, {@code size} columns and the response. */
  RowClipper clipper(int size) {
    return RowClipper.of(size + 2, features(size), response(size));
  }

  /** Returns how much neighbours differ at most in the moments of such rows, in Frobenius norm. */
  double moments(int size) {
    double bound = RowClipper.bound(features(size), response(size));
    return new SecondMomentsSpec(size + 2).sensitivity(bound, whole.neighbours());
  }

  /** Returns how much neighbours differ at most in a product of a column and a clamped residual. */
  double score() {
    double row = Math.nextUp(column() * residual());
    return whole.neighbours() == Neighbours.ADD_REMOVE ? row : 2.0 * row;
  }
}

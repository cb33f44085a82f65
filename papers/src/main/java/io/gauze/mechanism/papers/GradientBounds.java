package io.gauze.mechanism.papers;

import io.gauze.accounting.Neighbours;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.mechanism.select.SelectionBounds;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Bounds on encoded rows (u, y) of features u and a response y, from which the sensitivities of
 * gradients {@code sum u (y - u'theta)} follow: {@code |(u, y)| <= B}, {@code |u| <= B_x}, {@code
 * |u_j| <= ends_j} and {@code |y| <= responseEnd}.
 *
 * @param rowBound B
 * @param featureBound B_x
 * @param ends the largest absolute value of each feature, the intercept first
 * @param responseEnd the largest absolute value of the response
 * @param neighbours the relation of neighbours
 * @param unitRows the largest number of rows of a unit
 */
public record GradientBounds(
    double rowBound,
    double featureBound,
    List<Double> ends,
    double responseEnd,
    Neighbours neighbours,
    int unitRows)
    implements Serializable {
  /** Covers rounding in sums of at most 2^13 terms. */
  private static final double UP = 1.0 + 0x1p-36;

  /** Of up to 2^12 coefficients on their grid, in length. */
  private static final double ROUNDING = 0x1p-18;

  /** Copies the ends. */
  public GradientBounds {
    ends = List.copyOf(ends);
  }

  static GradientBounds of(StreamRequest stream, ModelColumns columns) {
    RowSchema schema = stream.schema();
    SelectionBounds rows = SelectionBounds.of(stream, columns.response());
    List<Double> ends = columns.features().stream().map(rows.ends()::get).toList();
    double response = rows.ends().get(columns.response());
    boolean apart = schema.responses().columns().equals(List.of(columns.responseName()));
    double features = apart ? schema.responses().ofFeatures(schema.rowBound()) : schema.rowBound();
    double feature = UP * Math.min(features, norm(ends));
    double row = UP * Math.min(schema.rowBound(), Math.hypot(norm(ends), response));
    return new GradientBounds(row, feature, ends, response, rows.neighbours(), rows.unitRows());
  }

  private static double norm(List<Double> values) {
    double square = 0.0;
    for (double value : values) {
      square += value * value;
    }
    return Math.sqrt(square);
  }

  // One row changes the gradient by u r, r = y - u'theta the row's residual. With the weights
  // w = (-theta, 1) r is w'(u, y), so |r| is at most
  //   responseEnd + sum |theta_k| ends_k,  B |w|,  and  responseEnd + B_x |theta|.
  /** Returns the largest size of the residual of a row. */
  private double residual(double... theta) {
    double entries = responseEnd;
    for (int k = 0; k < theta.length; k++) {
      entries += Math.abs(theta[k]) * ends.get(k);
    }
    double length = DoubleVector.norm(theta);
    return Math.min(
        entries, Math.min(rowBound * Math.hypot(1.0, length), responseEnd + featureBound * length));
  }

  // |u_j r| <= ends_j |r|, and the symmetric part of e_j w' has the eigenvalues (w_j +- |w|) / 2.
  /** Returns how much neighbours differ at most in an entry of the gradient. */
  double entry(double... theta) {
    double residual = residual(theta);
    double weights = Math.hypot(1.0, DoubleVector.norm(theta));
    double largest = 0.0;
    for (int k = 0; k < theta.length; k++) {
      double product = 0.5 * rowBound * rowBound * (Math.abs(theta[k]) + weights);
      largest = Math.max(largest, Math.min(ends.get(k) * residual, product));
    }
    return change(largest);
  }

  // |u| |r| <= |u| |y| + |u|^2 |theta|. With |u| = B sin a and |y| <= B cos a that is at most
  // B^2 (sin 2a + |theta| (1 - cos 2a)) / 2 <= B^2 (|theta| + sqrt(1 + |theta|^2)) / 2.
  /**
   * Returns how much neighbours differ at most in the gradient's entries of the intercept and any
   * {@code size} other features, in Euclidean norm.
   */
  public double entries(int size, double... theta) {
    double length = DoubleVector.norm(theta);
    double product = 0.5 * rowBound * rowBound * (length + Math.hypot(1.0, length));
    return change(Math.min(Math.min(featureBound, norm(largest(size))) * residual(theta), product));
  }

  /**
   * Returns a bound of {@link #entries} for every model of an intercept and a few features.
   *
   * @param intercept the largest size of its coefficient
   * @param radius the largest length of the others, up to 2^-18
   * @param kept how many of the others are not 0
   */
  double mostEntries(int size, double intercept, double radius, int kept) {
    double length = Math.hypot(intercept, radius) + ROUNDING;
    List<Double> others = new ArrayList<>(ends.subList(1, ends.size()));
    others.sort(Comparator.reverseOrder());
    double sum =
        responseEnd
            + (intercept + ROUNDING) * ends.get(0)
            + (radius + ROUNDING) * norm(others.subList(0, Math.min(kept, others.size())));
    double residual =
        Math.min(
            sum, Math.min(rowBound * Math.hypot(1.0, length), responseEnd + featureBound * length));
    double product = 0.5 * rowBound * rowBound * (length + Math.hypot(1.0, length));
    return change(Math.min(Math.min(featureBound, norm(largest(size))) * residual, product));
  }

  /** Returns the largest square of the norm of a row's features. */
  public double squaredFeatures() {
    double norm = Math.min(featureBound, norm(ends));
    return UP * norm * norm;
  }

  /**
   * Returns the largest norm of a row's part of the gradient, {@code |u| |y - u'theta|}, for every
   * model of a ball.
   *
   * @param radius the largest length of theta, the intercept's coefficient included
   */
  // With |u| = x and |y| <= min(e_y, sqrt(B^2 - x^2)), |u| |y - u'theta| is at most
  //   f(x) = x (min(e_y, sqrt(B^2 - x^2)) + R x).
  // It rises up to x0 = sqrt(B^2 - e_y^2). Beyond, with x = B sin a, it is
  //   B^2 (sin 2a + R (1 - cos 2a)) / 2,
  // which has one top, where sin^2 a = (1 + R / sqrt(1 + R^2)) / 2.
  public double row(double radius) {
    double top = rowBound * Math.sqrt(0.5 * (1.0 + radius / Math.hypot(1.0, radius)));
    double kink = Math.sqrt(Math.max(0.0, rowBound * rowBound - responseEnd * responseEnd));
    double features = Math.min(Math.min(featureBound, norm(ends)), Math.max(kink, top));
    double left = Math.sqrt(Math.max(0.0, rowBound * rowBound - features * features));
    return UP * features * (Math.min(responseEnd, left) + radius * features);
  }

  // The curvature is max_j max_S sum over k in S of |M_jk|, S of size + 1 features with j: a norm
  // of M, so neighbours differ by at most that of u u': |u_j| sum |u_k|.
  /**
   * Returns how much neighbours differ at most in the curvature of models of the intercept and
   * {@code size} other features.
   */
  double curvature(int size) {
    List<Double> sorted = new ArrayList<>(ends);
    sorted.sort(Comparator.reverseOrder());
    int terms = Math.min(ends.size(), size + 1);
    double sum = sorted.subList(0, terms).stream().mapToDouble(end -> end).sum();
    double root = Math.sqrt(terms);
    double row = sorted.get(0) * Math.min(sum, root * featureBound);
    return change(Math.min(row, 0.5 * featureBound * featureBound * (1.0 + root)));
  }

  /** The largest ends: that of the intercept, and those of {@code size} other features. */
  private List<Double> largest(int size) {
    List<Double> others = new ArrayList<>(ends.subList(1, ends.size()));
    others.sort(Comparator.reverseOrder());
    List<Double> all = new ArrayList<>(others.subList(0, Math.min(size, others.size())));
    all.add(ends.get(0));
    return all;
  }

  private double change(double row) {
    return UP * unitRows * (neighbours == Neighbours.ADD_REMOVE ? row : 2.0 * row);
  }
}

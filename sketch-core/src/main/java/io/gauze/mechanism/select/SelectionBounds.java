package io.gauze.mechanism.select;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.StreamRequest;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Bounds on encoded rows, from which the sensitivities of a selection of columns follow. Every row
 * a has {@code |a| <= B} and {@code |a_j| <= ends_j}.
 *
 * @param rowBound B
 * @param ends the largest absolute value of each encoded column, the intercept first
 * @param response the index of the response
 * @param neighbours the relation of neighbours
 * @param unitRows the largest number of rows of a unit
 */
public record SelectionBounds(
    double rowBound, List<Double> ends, int response, Neighbours neighbours, int unitRows)
    implements Serializable {
  /** Covers rounding in sums of at most 2^13 terms. */
  private static final double UP = 1.0 + 0x1p-36;

  /** Copies the ends. */
  public SelectionBounds {
    ends = List.copyOf(ends);
  }

  public static SelectionBounds of(StreamRequest stream, int response) {
    RowSchema schema = stream.schema();
    List<Double> ends = new ArrayList<>(List.of(schema.intercept()));
    for (int c = 0; c < schema.columns().size(); c++) {
      for (int i = 0; i < schema.columns().get(c).width(); i++) {
        ends.add(schema.factor(c));
      }
    }
    if (schema.responses().columns().contains(schema.encodedNames().get(response))) {
      ends.set(response, Math.min(ends.get(response), schema.responses().bound()));
    }
    return new SelectionBounds(
        schema.rowBound(), ends, response, stream.budget().neighbours(), stream.unit().rows());
  }

  // The score of column j is |sum over rows of a_j w'a|, w the weights of the residual: 1 for the
  // response, -theta_k for the columns that are in the model. One row changes it by at most
  // |a_j w'a|, which is at most
  //   ends_j sum |w_k| ends_k,  and  |a_j| |w'a| <= B^2 |w| / 2:
  // a_j and w'a / |w| are the entries of a along orthogonal unit vectors, as w_j = 0, and the
  // product of two such entries is at most half the square of the norm. A replaced row changes the
  // score by at most twice that, and a unit of k rows by at most k times as much.
  /**
   * Returns how much neighbours differ at most in the score of a column that is not in the model.
   *
   * @param theta the model: its coefficients by column
   */
  double score(Map<Integer, Double> theta) {
    double square = 1.0;
    double residual = ends.get(response);
    for (Map.Entry<Integer, Double> each : theta.entrySet()) {
      square += each.getValue() * each.getValue();
      residual += Math.abs(each.getValue()) * ends.get(each.getKey());
    }
    double row = Math.min(end() * residual, 0.5 * rowBound * rowBound * Math.sqrt(square));
    return UP * unitRows * (neighbours == Neighbours.ADD_REMOVE ? row : 2.0 * row);
  }

  /**
   * Returns the largest norm of a row's entries in the intercept, the response and any {@code size}
   * other columns.
   */
  private double rowBound(int size) {
    double square = featureSquare(size) + ends.get(response) * ends.get(response);
    return Math.min(rowBound, UP * Math.sqrt(square));
  }

  /** Returns the largest sum of squares of the intercept and any {@code size} other columns. */
  private double featureSquare(int size) {
    double square = ends.get(0) * ends.get(0);
    List<Double> others = new ArrayList<>(ends.subList(1, ends.size()));
    others.remove(response - 1);
    others.sort(Comparator.reverseOrder());
    for (double end : others.subList(0, size)) {
      square += end * end;
    }
    return square;
  }

  /**
   * Returns the largest norm of a row's entries in the intercept and any {@code size} columns but
   * the response.
   */
  double features(int size) {
    return UP * Math.sqrt(featureSquare(size));
  }

  /** Returns the largest size of an entry but the intercept and the response. */
  double end() {
    double end = 0.0;
    for (int column = 1; column < ends.size(); column++) {
      end = column == response ? end : Math.max(end, ends.get(column));
    }
    return end;
  }

  /**
   * Returns how much neighbours differ at most in the moments of the intercept, the response and
   * any {@code size} other columns, in Frobenius norm.
   */
  double moments(int size) {
    double row = new SecondMomentsSpec(size + 2).sensitivity(rowBound(size), neighbours);
    return UP * unitRows * row;
  }
}

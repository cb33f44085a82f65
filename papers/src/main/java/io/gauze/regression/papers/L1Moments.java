package io.gauze.regression.papers;

import io.gauze.sketch.MultilevelSketchSpec;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Estimates second moments from level 0 of a multilevel sketch. Every row is in s of its N buckets,
 * one in each of s parts.
 */
final class L1Moments {
  private final ReleasedL1Rows input;
  private final int[] columns;

  L1Moments(ReleasedL1Rows input, int... columns) {
    this.input = input;
    this.columns = columns.clone();
  }

  /** Returns the number of rows, from the intercept's column. */
  double rows() {
    double sum = 0.0;
    for (int k = 0; k < spec().buckets(); k++) {
      sum += input.value(k, 0);
    }
    return sum / (spec().copies() * input.intercept());
  }

  /** Returns the standard deviation of {@link #rows}. */
  double rowsDeviation() {
    double noise = input.sigma() * Math.sqrt(spec().buckets());
    return noise / (spec().copies() * input.intercept());
  }

  /** Returns the average number of rows in a bucket of a level. */
  double rowsPerBucket(int level, double rows) {
    double copies = level == 0 ? spec().copies() : 1.0 / spec().weight(level * spec().buckets());
    return copies * rows / spec().buckets();
  }

  // In a part of P buckets the sums A_j vary around their mean by the random places of the rows.
  // For rows a_i, E sum_j (A_j - mean) (A_j - mean)' = (1 - 1/P) sum_i a_i a_i', since two rows
  // share a bucket with probability 1/P, which the subtraction of the mean cancels. Noise adds
  // (P - 1) sigma^2 I.
  /** Returns the second moments of the rows, features then response; unbiased. */
  DMatrixRMaj moments() {
    int part = spec().buckets() / spec().copies();
    DMatrixRMaj moments = new DMatrixRMaj(columns.length, columns.length);
    for (int copy = 0; copy < spec().copies(); copy++) {
      addScatter(copy * part, part, moments);
    }
    CommonOps_DDRM.scale(part / (part - 1.0) / spec().copies(), moments);
    for (int i = 0; i < columns.length; i++) {
      moments.add(i, i, -part * input.sigma() * input.sigma());
    }
    return moments;
  }

  private void addScatter(int from, int buckets, DMatrixRMaj moments) {
    DMatrixRMaj row = new DMatrixRMaj(columns.length, 1);
    DMatrixRMaj mean = new DMatrixRMaj(columns.length, 1);
    for (int k = from; k < from + buckets; k++) {
      read(k, row);
      CommonOps_DDRM.addEquals(mean, 1.0 / buckets, row);
    }
    for (int k = from; k < from + buckets; k++) {
      read(k, row);
      CommonOps_DDRM.subtractEquals(row, mean);
      CommonOps_DDRM.multAddTransB(row, row, moments);
    }
  }

  private void read(int bucket, DMatrixRMaj row) {
    for (int i = 0; i < columns.length; i++) {
      row.set(i, input.value(bucket, columns[i]));
    }
  }

  /**
   * Returns the largest eigenvalue of {@link #moments} that noise alone causes: Marchenko and
   * Pastur's edge.
   */
  double edge() {
    double part = (double) spec().buckets() / spec().copies();
    double size = columns.length;
    double variance = input.sigma() * input.sigma();
    return variance * (2.0 * Math.sqrt(part * size / spec().copies()) + size / spec().copies());
  }

  private MultilevelSketchSpec spec() {
    return input.spec();
  }
}

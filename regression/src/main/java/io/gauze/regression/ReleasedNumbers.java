package io.gauze.regression;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.release.Release;
import io.gauze.row.RowSchema;

/**
 * The numbers of a release, in the encoded scale.
 *
 * @param release the release
 */
public record ReleasedNumbers(Release release) {
  public RowSchema schema() {
    return release.schema();
  }

  /** The constant c0 in every row. */
  public double intercept() {
    return 1.0 / schema().half(0);
  }

  public double value(int at) {
    return release.value(at);
  }

  /** The numbers as they are in the release, in steps of its unit. */
  public long[] all() {
    return release.numbers();
  }

  /** Returns the matrix whose upper triangle begins at a number. */
  public SymmetricMatrix triangle(int dimension, int from) {
    double[] upper = new double[SymmetricMatrix.length(dimension)];
    for (int i = 0; i < upper.length; i++) {
      upper[i] = value(from + i);
    }
    return SymmetricMatrix.ofUpperTriangle(dimension, upper);
  }

  public double[] values() {
    double[] values = new double[release.payload().length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(i);
    }
    return values;
  }
}

package io.gauze.solve;

import io.gauze.release.Release;
import io.gauze.row.RowSchema;
import io.gauze.sketch.CountSketchSpec;

/**
 * What a regression is fitted on: encoded rows, or what a release says about them.
 *
 * <p>Column 0 is the intercept: the constant {@link #intercept} in every row (less where a row was
 * clipped, which scales all of it and so leaves a linear relation between its columns as it is).
 */
public sealed interface FitInput permits MomentsInput, ReleasedStrata, ReleasedL1Rows {
  /** The constant c0 that rows carry at index 0. */
  double intercept();

  /** D: the number of columns, with the intercept. */
  int dimension();

  /** What a release says about its rows. */
  static FitInput of(Release release) {
    RowSchema schema = release.schema();
    double intercept = 1.0 / schema.half(0);
    int d = schema.dimension();
    if (release.spec() instanceof CountSketchSpec) {
      double[] values = new double[release.buckets() * d];
      for (int i = 0; i < values.length; i++) {
        values[i] = release.bucket(i / d, i % d);
      }
      return ReleasedRows.of(release.buckets(), d, values, release.sigma(), intercept);
    }
    double[] upper = new double[d * (d + 1) / 2];
    int next = 0;
    for (int i = 0; i < d; i++) {
      for (int j = i; j < d; j++) {
        upper[next++] = release.moment(i, j);
      }
    }
    return new ReleasedMoments(
        SymmetricMatrix.ofUpperTriangle(d, upper), release.sigma(), intercept);
  }
}

package io.gauze.solve;

import io.gauze.release.Contents;
import io.gauze.release.Release;

/** Turns the contents of releases into what solvers take. */
final class ReleaseReader {
  private ReleaseReader() {}

  static FitInput read(Release release) {
    double intercept = 1.0 / release.schema().half(0);
    Contents contents = release.contents();
    if (contents instanceof Contents.Buckets buckets) {
      return ReleasedRows.of(
          buckets.rows(), buckets.dimension(), values(release), buckets.sigma(), intercept);
    }
    if (contents instanceof Contents.Moments moments
        && moments.noise() instanceof Contents.GaussianNoise noise) {
      return new ReleasedMoments(
          SymmetricMatrix.ofUpperTriangle(moments.dimension(), values(release)),
          noise.sigma(),
          intercept);
    }
    throw new IllegalArgumentException("no solver for " + contents);
  }

  private static double[] values(Release release) {
    double[] values = new double[release.contents().length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = release.value(i);
    }
    return values;
  }
}

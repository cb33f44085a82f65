package io.gauze.mechanism.descent;

import io.gauze.linalg.DoubleVector;
import java.util.List;

/**
 * The points that whole steps lead to.
 *
 * @param mean of all of them
 * @param apart the squared distance of the means of an earlier and a later half
 * @param noise that distance over the number of coordinates, over the variance of a point
 */
record DescentPath(DoubleVector mean, double apart, double noise) {
  /**
   * Takes the mean of points.
   *
   * @param points at least two, in their order
   */
  static DescentPath of(List<double[]> points) {
    int size = points.get(0).length;
    int half = points.size() / 2;
    double[] mean = new double[size];
    for (double[] point : points) {
      for (int k = 0; k < size; k++) {
        mean[k] += point[k] / points.size();
      }
    }
    double apart = 0.0;
    for (int k = 0; k < size; k++) {
      double earlier = 0.0;
      double later = 0.0;
      for (int i = 0; i < points.size(); i++) {
        if (i < half) {
          earlier += points.get(i)[k] / half;
        } else {
          later += points.get(i)[k] / (points.size() - half);
        }
      }
      apart += (earlier - later) * (earlier - later);
    }
    return new DescentPath(DoubleVector.of(mean), apart, 1.0 / half + 1.0 / (points.size() - half));
  }

  /**
   * The squared length of the model without the part that noise is expected to make; at least 0.
   *
   * @param start the coefficient of the constant before the first step
   * @param variance of the noise of a coefficient
   */
  double moved(double start, double variance) {
    double square = 0.0;
    for (int k = 0; k < mean.size(); k++) {
      double each = mean.get(k) - (k == 0 ? start : 0.0);
      square += each * each - variance;
    }
    return Math.max(0.0, square);
  }

  /**
   * By how much earlier points are off later ones, squared, without what noise does: what is taken
   * for the way that is left.
   *
   * @param variance of the noise of a coefficient of a point
   */
  double left(double variance) {
    return Math.max(0.0, apart - mean.size() * noise * variance);
  }
}

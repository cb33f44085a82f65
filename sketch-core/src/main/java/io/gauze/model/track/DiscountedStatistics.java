package io.gauze.model.track;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.Spectrum;
import io.gauze.model.ResidualNoise;
import io.gauze.model.ResidualStatistics;
import io.gauze.model.Tuning;
import org.ejml.data.DMatrixRMaj;

/**
 * Sums of the statistics of past epochs, each with a weight that falls by a factor an epoch, and
 * the model that they lead to. A function of published numbers. Mutable.
 */
final class DiscountedStatistics {
  static final double LARGEST_NORM = 8.0;
  private static final double SIGNIFICANT = 3.0;
  private static final double LEAST_RELAXED = 0.55;

  private final int features;
  private final double[] counts = new double[ResidualStatistics.BINS];
  private final double[] hessian; // the upper triangle
  private final double[] right;
  private final double[] model;
  private double countWeight; // the sum of the squares of the weights of counts
  private double variance; // of the noise on the diagonal of the Hessian
  private double score;

  DiscountedStatistics(int features) {
    this.features = features;
    this.hessian = new double[features * (features + 1) / 2];
    this.right = new double[features];
    this.model = new double[features];
  }

  /** The number of numbers in which a memory is written. */
  static int length(int features) {
    return ResidualStatistics.BINS + features * (features + 1) / 2 + 2 * features + 3;
  }

  private double[][] parts() {
    return new double[][] {counts, hessian, right, model};
  }

  /** Writes all numbers as the bits of doubles. */
  void write(long[] numbers, int from) {
    int next = from;
    for (double[] part : parts()) {
      for (double value : part) {
        numbers[next++] = Double.doubleToLongBits(value);
      }
    }
    numbers[next++] = Double.doubleToLongBits(countWeight);
    numbers[next++] = Double.doubleToLongBits(variance);
    numbers[next] = Double.doubleToLongBits(score);
  }

  /**
   * Reads what was written.
   *
   * @throws IllegalArgumentException if a number is not finite
   */
  static DiscountedStatistics read(int features, long[] numbers, int from) {
    DiscountedStatistics memory = new DiscountedStatistics(features);
    int next = from;
    for (double[] part : memory.parts()) {
      for (int i = 0; i < part.length; i++) {
        part[i] = finite(numbers[next++]);
      }
    }
    memory.countWeight = finite(numbers[next++]);
    memory.variance = finite(numbers[next++]);
    memory.score = finite(numbers[next]);
    return memory;
  }

  private static double finite(long bits) {
    double value = Double.longBitsToDouble(bits);
    Checks.finite("a sum of a residual track", value);
    return value;
  }

  /** The model that the sums lead to. */
  double[] model() {
    return model.clone();
  }

  /** How well the models of past epochs did on the epochs after them; less is better. */
  double score() {
    return score;
  }

  /** Judges the model of the epoch before by the statistics of an epoch. */
  // A quadratic that is above the loss of these rows, and touches it at the centre.
  void judge(EpochResiduals epoch) {
    double gain = 0.0;
    double bent = 0.0;
    double[] step = new double[features];
    for (int i = 0; i < features; i++) {
      step[i] = model[i] - epoch.centre()[i];
      gain += epoch.threshold() * epoch.gradient()[i] * step[i];
    }
    double[] product = times(epoch.hessian(), step);
    for (int i = 0; i < features; i++) {
      bent += 0.5 * product[i] * step[i];
    }
    score = Tuning.OLD_SCORES * score - gain + bent;
  }

  /**
   * Adds the statistics of an epoch, and makes the model.
   *
   * @param kept the weight of what was added before
   * @param noise in the statistics
   */
  void add(EpochResiduals epoch, double kept, ResidualNoise noise) {
    for (int k = 0; k < counts.length; k++) {
      counts[k] = kept * counts[k] + epoch.counts()[k];
    }
    countWeight = kept * kept * countWeight + 1.0;
    double relaxed = relaxed(epoch.threshold(), noise);
    for (int k = 0; k < hessian.length; k++) {
      hessian[k] = kept * hessian[k] + relaxed * epoch.hessian()[k];
    }
    double[] at = times(epoch.hessian(), epoch.centre());
    for (int i = 0; i < features; i++) {
      right[i] = kept * right[i] + relaxed * at[i] + epoch.threshold() * epoch.gradient()[i];
    }
    double sigma = relaxed * noise.hessian();
    variance = kept * kept * variance + sigma * sigma;
    step(epoch.centre());
  }

  /** Whether the counts say something. */
  private boolean hasCounts(ResidualNoise noise) {
    double deviation = noise.counts() * Math.sqrt(counts.length * countWeight);
    return total() > SIGNIFICANT * deviation;
  }

  private double total() {
    double sum = 0.0;
    for (double count : counts) {
      sum += count;
    }
    return sum;
  }

  // The weighted Hessian is above that of Huber's loss. By less than twice its own size is enough
  // for steps that go down.
  private double relaxed(double threshold, ResidualNoise noise) {
    if (!hasCounts(noise)) {
      return 1.0;
    }
    double inside = 0.0;
    double weights = 0.0;
    for (int k = 0; k < counts.length; k++) {
      double from = ResidualStatistics.edge(k);
      double to = ResidualStatistics.edge(k + 1);
      double below = Math.max(0.0, Math.min(1.0, (threshold - from) / (to - from)));
      inside += below * counts[k];
      weights += counts[k] * Math.min(1.0, threshold / (0.5 * (from + to)));
    }
    double ratio = weights > 0.0 ? inside / weights : 1.0;
    return Math.max(LEAST_RELAXED, Math.min(1.0, ratio));
  }

  /** Returns the median of the residuals' sizes, or the threshold that was, if nothing is known. */
  double threshold(double before, ResidualNoise noise) {
    if (!hasCounts(noise)) {
      return before;
    }
    double half = 0.5 * total();
    int bin = 0;
    double below = 0.0;
    while (bin < counts.length - 1 && below + counts[bin] < half) {
      below += counts[bin];
      bin++;
    }
    double part = counts[bin] > 0.0 ? Math.min(1.0, (half - below) / counts[bin]) : 1.0;
    double from = ResidualStatistics.edge(bin);
    double median = from + part * (ResidualStatistics.edge(bin + 1) - from);
    return Math.max(ResidualTrack.LEAST_THRESHOLD, median);
  }

  // Directions in which the sums are not above their noise do not move.
  private void step(double... centre) {
    double drowned = drowned(features, variance);
    double[] at = times(hessian, centre);
    double[] rest = new double[features];
    for (int i = 0; i < features; i++) {
      rest[i] = right[i] - at[i];
    }
    DMatrixRMaj inverse = Spectrum.of(square(hessian)).map(value -> inverted(value, drowned));
    double[] step = new double[features];
    for (int i = 0; i < features; i++) {
      for (int j = 0; j < features; j++) {
        step[i] += inverse.get(i, j) * rest[j];
      }
    }
    double shorter = Math.min(1.0, Tuning.LARGEST_STEP / DoubleVector.norm(step));
    for (int i = 0; i < features; i++) {
      model[i] = centre[i] + shorter * step[i];
    }
    double smaller = Math.min(1.0, LARGEST_NORM / DoubleVector.norm(model));
    for (int i = 0; i < features; i++) {
      model[i] *= smaller;
    }
  }

  /** The eigenvalue up to which the sums say nothing. */
  static double drowned(int features, double variance) {
    return Tuning.DROWNED * Math.sqrt(2.0 * features * variance);
  }

  private static double part(double value, double drowned) {
    double ratio = drowned / value;
    return value > drowned ? 1.0 - ratio * ratio : 0.0;
  }

  private static double inverted(double value, double drowned) {
    return value > drowned ? part(value, drowned) / value : 0.0;
  }

  /**
   * Returns the variance of a coefficient.
   *
   * @param curved the eigenvalue of the sums in its direction
   * @param noise the variance of the gradient in that direction
   */
  static double variance(double curved, double drowned, double noise) {
    double part = part(curved, drowned);
    double known = part > 0.0 ? part * part * noise / (curved * curved) : 0.0;
    double unknown = (1.0 - part) * (1.0 - part) * TrackedModel.LARGEST_VARIANCE;
    return Math.min(TrackedModel.LARGEST_VARIANCE, known + unknown);
  }

  /** Returns the mean variance of a coefficient, as far as the sums tell. */
  double variance(double threshold, double gradientSigma) {
    Spectrum spectrum = Spectrum.of(square(hessian));
    double drowned = drowned(features, variance);
    double sum = 0.0;
    for (int k = 0; k < features; k++) {
      double curved = spectrum.value(k);
      double scores = countWeight * gradientSigma * gradientSigma + Math.max(0.0, curved);
      sum += variance(curved, drowned, threshold * threshold * scores);
    }
    return sum / features;
  }

  private DMatrixRMaj square(double... upper) {
    DMatrixRMaj matrix = new DMatrixRMaj(features, features);
    int next = 0;
    for (int i = 0; i < features; i++) {
      for (int j = i; j < features; j++) {
        matrix.set(i, j, upper[next]);
        matrix.set(j, i, upper[next++]);
      }
    }
    return matrix;
  }

  /** Returns the product of a symmetric matrix, by its upper triangle, and a vector. */
  private double[] times(double[] upper, double... vector) {
    double[] product = new double[features];
    int next = 0;
    for (int i = 0; i < features; i++) {
      product[i] += upper[next++] * vector[i];
      for (int j = i + 1; j < features; j++) {
        product[i] += upper[next] * vector[j];
        product[j] += upper[next++] * vector[i];
      }
    }
    return product;
  }
}

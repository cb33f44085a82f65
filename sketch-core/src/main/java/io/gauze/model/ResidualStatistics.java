package io.gauze.model;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.FeatureEncoder;
import java.util.List;

/**
 * What the rows of one epoch say about a public model (theta, tau): counts of the sizes of their
 * residuals {@code r = y - u'theta}, and gradient and Hessian of Huber's loss,
 *
 * <pre>
 *   g = sum u clip(r / tau, -1, 1),   H = sum u u' tau / max(|r|, tau)
 * </pre>
 *
 * <p>These are sums over rows, in whole steps. Normal noise is in them from their creation, before
 * the first row comes; no row is kept.
 *
 * <p>Neighbours: add-remove or replace-one, unit row; under replace-one the row may also move to
 * another cell. Sensitivity: see {@code ResidualSensitivity}; norm l2, of the Hessian Frobenius'.
 * Unit: encoded scale. Guarantee: mu-GDP, for the cells that a row touches together, whatever is
 * published before decides theta and tau. PROOF-irls-track.md has the proof. Mutable, not
 * thread-safe.
 */
public final class ResidualStatistics {
  /** The number of counts. */
  public static final int BINS = 34;

  private static final double FIRST_EDGE = 1e-3;
  private static final double LAST_EDGE = 2.0;
  private static final double[] EDGES = edges();

  private final ResidualStatisticsSpec spec;
  private final FeatureEncoder encoder;
  private final double[] centre; // times the step of the features
  private final double threshold;
  private final int[] row;
  private final long[] scaled;
  private final long[] counts = new long[BINS];
  private final long[] gradient;
  private final long[] hessian;

  private ResidualStatistics(ResidualStatisticsSpec spec, double[] centre, double threshold) {
    this.spec = spec;
    this.encoder = FeatureEncoder.of(spec.features(), spec.featureBound());
    this.centre = centre;
    this.threshold = threshold;
    this.row = new int[spec.features()];
    this.scaled = new long[spec.features()];
    this.gradient = new long[spec.features()];
    this.hessian = new long[spec.triangle()];
  }

  /**
   * Creates the statistics of no row, with their noise.
   *
   * @param centre theta, public
   * @param threshold tau, public, positive
   * @param entropy random bits that are used for nothing else
   * @throws IllegalArgumentException if the centre has another size, or tau is not positive
   */
  public static ResidualStatistics create(
      ResidualStatisticsSpec spec, DoubleVector centre, double threshold, Entropy entropy) {
    Checks.length("centre", centre.size(), spec.features());
    Checks.positiveFinite("threshold", threshold);
    double[] theta = centre.toArray();
    for (int j = 0; j < theta.length; j++) {
      theta[j] = Math.scalb(theta[j], -spec.gridBits());
    }
    ResidualStatistics statistics = new ResidualStatistics(spec, theta, threshold);
    statistics.addNoise(entropy);
    return statistics;
  }

  private void addNoise(Entropy entropy) {
    double[] sigmas = spec.sigmas();
    RoundedGaussian noise = RoundedGaussian.of(sigmas[0]);
    int next = 0;
    for (long[] part : List.of(counts, gradient, hessian)) {
      for (int i = 0; i < part.length; i++) {
        double sigma = sigmas[next++];
        noise = noise.sigma() == sigma ? noise : RoundedGaussian.of(sigma);
        part[i] += noise.sample(entropy);
      }
    }
  }

  private static double[] edges() {
    double[] edges = new double[BINS + 1];
    double ratio = StrictMath.pow(LAST_EDGE / FIRST_EDGE, 1.0 / (BINS - 1));
    for (int k = 1; k <= BINS; k++) {
      edges[k] = FIRST_EDGE * StrictMath.pow(ratio, k - 1);
    }
    return edges;
  }

  /** Returns where a bin begins; {@link #BINS} for where the last one nominally ends. */
  public static double edge(int bin) {
    return EDGES[bin];
  }

  /**
   * Adds a row. O(p^2) time.
   *
   * @param features p numbers in the encoded scale, before they are clipped
   * @param response in the encoded scale, finite; clamped to [-256, 256]
   * @throws IllegalArgumentException if the number of features differs or the response is not
   *     finite; the message shows no value of the row
   */
  // Clip and weight may be off by rounding: what counts is that they are in [-1, 1] and [0, 1], and
  // depend on the row and on public numbers alone. A count is within one bin, whatever residual.
  public void add(double[] features, double response) {
    if (!Double.isFinite(response)) {
      throw new IllegalArgumentException("response must be finite, in the encoded scale");
    }
    double largest = ModelRows.LARGEST_RESPONSE;
    double weight = encoder.encode(features, row, 0);
    double residual = weight * Math.max(-largest, Math.min(largest, response));
    for (int j = 0; j < row.length; j++) {
      residual -= row[j] * centre[j];
    }
    double size = Math.abs(residual);
    counts[bin(size)] += 1L << ResidualStatisticsSpec.COUNT_BITS;
    double clipped = Math.max(-1.0, Math.min(1.0, residual / threshold));
    double root = WeightedMoments.root(size, threshold);
    for (int j = 0; j < row.length; j++) {
      gradient[j] += (long) (clipped * ((long) row[j] << ResidualStatisticsSpec.FINER_BITS));
      scaled[j] = (long) (root * row[j]);
    }
    int next = 0;
    for (int i = 0; i < row.length; i++) {
      long factor = scaled[i];
      for (int j = i; j < row.length; j++) {
        hessian[next++] += factor * scaled[j];
      }
    }
  }

  private static int bin(double size) {
    int bin = 0;
    while (bin < BINS - 1 && size >= EDGES[bin + 1]) {
      bin++;
    }
    return bin;
  }

  /** Returns counts in 2^-12, gradient in its steps, and the upper triangle of the Hessian. */
  public long[] numbers() {
    long[] numbers = new long[spec.entries()];
    System.arraycopy(counts, 0, numbers, 0, BINS);
    System.arraycopy(gradient, 0, numbers, BINS, gradient.length);
    System.arraycopy(hessian, 0, numbers, BINS + gradient.length, hessian.length);
    return numbers;
  }

  /** Shows the shape only. */
  @Override
  public String toString() {
    return "ResidualStatistics[features=" + row.length + "]";
  }
}

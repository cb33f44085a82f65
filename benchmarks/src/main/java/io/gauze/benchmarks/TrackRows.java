package io.gauze.benchmarks;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.quantile.QuantileOutcome;
import io.gauze.regression.quantile.QuantileRegression;
import io.gauze.regression.quantile.WeightedRows;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * The rows of a stream of 80 epochs whose model stays, turns or changes at once, with epochs of
 * equal or of wild sizes, and how much worse a model is than a fit of many rows of the same epoch.
 */
final class TrackRows {
  static final int EPOCHS = 80;
  static final List<Integer> CHECKPOINTS = List.of(10, 20, 40, 42, 45, 50, 80);
  static final int FEATURES = 10;
  static final int ROWS = 5_000; // of an epoch, on average
  static final double INTERCEPT = 0.5;
  static final double ROW_BOUND = 2.0;
  private static final int CHANGE = 40; // the last epoch of the first regime
  private static final int TEST_ROWS = 50_000;
  private static final double SLOPES = 0.45;
  private static final double RESIDUAL = 0.05;
  private static final double OUTLIERS = 0.1; // of the rows whose first feature is positive

  /** How the model moves and how large epochs are. */
  enum Stream {
    STILL("still"),
    ROTATE("rotate"),
    REGIME("regime"),
    ROTATE_WILD("rotate, wild sizes"),
    REGIME_WILD("regime, wild sizes");

    final String label;

    Stream(String label) {
      this.label = label;
    }

    boolean wild() {
      return this == ROTATE_WILD || this == REGIME_WILD;
    }

    boolean changesAtOnce() {
      return this == REGIME || this == REGIME_WILD;
    }

    /** The angle of the slopes in an epoch, in right angles. */
    double turned(int epoch) {
      return switch (this) {
        case STILL -> 0.0;
        case ROTATE, ROTATE_WILD -> (double) epoch / EPOCHS;
        case REGIME, REGIME_WILD -> epoch > CHANGE ? 1.0 : 0.0;
      };
    }
  }

  private final Stream stream;
  private final long seed;
  private final double[] first;
  private final double[] second;
  private final Map<Integer, Double> leasts = new TreeMap<>();
  private final int[] sizes = new int[EPOCHS + 1];

  TrackRows(Stream stream, long seed) {
    this.stream = stream;
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(7_000 + seed);
    first = unit(random);
    second = unit(random);
    double along = 0.0;
    for (int k = 0; k < FEATURES; k++) {
      along += first[k] * second[k];
    }
    for (int k = 0; k < FEATURES; k++) {
      second[k] -= along * first[k];
    }
    scale(second);
    double deviation = 1.5;
    for (int epoch = 1; epoch <= EPOCHS; epoch++) {
      double wild = StrictMath.exp(deviation * random.nextGaussian() - 0.5 * deviation * deviation);
      double kind = random.nextDouble();
      double share = kind < 0.1 ? 0.0 : kind < 0.3 ? 0.01 : 1.0;
      sizes[epoch] = stream.wild() ? (int) Math.round(ROWS * wild * share) : ROWS;
    }
  }

  private static double[] unit(SplittableRandom random) {
    double[] unit = new double[FEATURES];
    for (int k = 0; k < FEATURES; k++) {
      unit[k] = random.nextGaussian();
    }
    return scale(unit);
  }

  private static double[] scale(double... vector) {
    double norm = Math.sqrt(Arrays.stream(vector).map(each -> each * each).sum());
    for (int k = 0; k < vector.length; k++) {
      vector[k] /= norm;
    }
    return vector;
  }

  /** Returns so many rows of an epoch of the first stream that stays what it is. */
  static double[][] still(int count) {
    return new TrackRows(Stream.STILL, 0).rows(1, count, 0);
  }

  /** Returns the rows of an epoch: c0, the features and the response. */
  double[][] rows(int epoch) {
    return rows(epoch, sizes[epoch], 0);
  }

  private double[][] rows(int epoch, int count, long salt) {
    SplittableRandom random = new SplittableRandom(1_000_003 * (seed + 1) + 1_009L * epoch + salt);
    double angle = 0.5 * Math.PI * stream.turned(epoch);
    double[][] rows = new double[count][FEATURES + 2];
    for (double[] row : rows) {
      row[0] = INTERCEPT;
      double y = RESIDUAL * random.nextGaussian();
      for (int k = 0; k < FEATURES; k++) {
        row[k + 1] = Math.max(-1.0, Math.min(1.0, random.nextGaussian() / 3.0));
        y += SLOPES * (Math.cos(angle) * first[k] + Math.sin(angle) * second[k]) * row[k + 1];
      }
      boolean outlier = row[1] > 0.0 && random.nextDouble() < OUTLIERS;
      double gross = 0.5 + 0.5 * random.nextDouble();
      row[FEATURES + 1] = outlier ? gross : Math.max(-1.0, Math.min(1.0, y));
    }
    return rows;
  }

  /** Returns the excess of fits without noise at the checkpoints, each of one epoch alone. */
  double[] ofOneEpoch() {
    return CHECKPOINTS.stream()
        .mapToDouble(
            at ->
                excess(
                    at,
                    sizes[at] <= FEATURES + 1
                        ? new double[FEATURES + 1]
                        : lad(rows(at, sizes[at], 0))))
        .toArray();
  }

  /** Returns the excess of the mean absolute error of a model in an epoch. */
  double excess(int epoch, double... theta) {
    double[][] test = rows(epoch, TEST_ROWS, 1);
    double least = leasts.computeIfAbsent(epoch, any -> error(test, lad(test)));
    return error(test, theta) / least - 1.0;
  }

  private static double error(double[][] rows, double... theta) {
    double sum = 0.0;
    for (double[] row : rows) {
      double residual = row[FEATURES + 1];
      for (int k = 0; k <= FEATURES; k++) {
        residual -= row[k] * theta[k];
      }
      sum += Math.abs(residual);
    }
    return sum / rows.length;
  }

  private static double[] lad(double[]... rows) {
    double[] x = new double[rows.length * (FEATURES + 1)];
    double[] y = new double[rows.length];
    for (int i = 0; i < y.length; i++) {
      System.arraycopy(rows[i], 0, x, i * (FEATURES + 1), FEATURES + 1);
      y[i] = rows[i][FEATURES + 1];
    }
    WeightedRows weighted = WeightedRows.unweighted(FEATURES + 1, x, y);
    DoubleVector fit =
        ((QuantileOutcome.Solved) QuantileRegression.lad(weighted)).fit().coefficients();
    return fit.toArray();
  }
}

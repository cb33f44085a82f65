package io.gauze.mechanism.descent;

import io.gauze.mechanism.twostage.NormCounts;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * What noisy counts of residuals say of their law: how many there are in each cell, spread evenly
 * over it. If noise hides most of them, residuals are taken for normal. A function of these counts.
 */
final class ResidualLaw {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0.0, 1.0);
  private static final double MOST = 0.5;
  private static final double UPPER_QUARTILE = 0.75;
  private static final int HALVINGS = 60;

  /** The parts of a cell over which a mean is taken. */
  private static final int PARTS = 8;

  private final double deviation; // of the noise in a share
  private final double[] shares;

  private ResidualLaw(double deviation, double... shares) {
    this.deviation = deviation;
    this.shares = shares;
  }

  /**
   * Reads counts.
   *
   * @param counts by {@link ResidualCells}
   * @param deviation of the noise of each
   * @param rows an estimate of their number, positive
   */
  // Noise makes sums of counts fall, which numbers of rows cannot do. What they fall is made good.
  static ResidualLaw of(double[] counts, double deviation, double rows) {
    double[] shares = new double[ResidualCells.COUNT];
    if (new NormCounts(counts, deviation).rows() < MOST * rows) {
      for (int cell = 0; cell < shares.length; cell++) {
        double from = cell == 0 ? Double.NEGATIVE_INFINITY : ResidualCells.lower(cell);
        double to =
            cell == shares.length - 1 ? Double.POSITIVE_INFINITY : ResidualCells.upper(cell);
        shares[cell] = NORMAL.probability(from, to);
      }
      return new ResidualLaw(deviation / rows, shares);
    }
    double sum = 0.0;
    double most = 0.0;
    for (int cell = 0; cell < shares.length; cell++) {
      sum += counts[cell];
      shares[cell] = Math.max(0.0, sum - most);
      most = Math.max(most, sum);
    }
    for (int cell = 0; cell < shares.length; cell++) {
      shares[cell] /= most; // above 0: a count stands out
    }
    return new ResidualLaw(deviation / rows, shares);
  }

  /** The standard deviation of the noise in the share of a cell. */
  double deviation() {
    return deviation;
  }

  /** Half the distance of the quartiles; at least half of the least edge. */
  double spread() {
    return Math.max(
        0.5 * ResidualCells.upper(ResidualCells.COUNT / 2),
        0.5 * (quantile(UPPER_QUARTILE) - quantile(1.0 - UPPER_QUARTILE)));
  }

  /** The value below which a share of residuals is. */
  private double quantile(double share) {
    double before = 0.0;
    int cell = 0;
    while (cell < shares.length - 1 && before + shares[cell] < share) {
      before += shares[cell];
      cell++;
    }
    double part = shares[cell] > 0.0 ? Math.min(1.0, (share - before) / shares[cell]) : 0.0;
    double lower = ResidualCells.lower(cell);
    return lower + part * (ResidualCells.upper(cell) - lower);
  }

  /** Where the mean slope of a loss is 0: by how much residuals are off on average. */
  double centre(RoundLoss loss) {
    double low = ResidualCells.lower(0);
    double high = ResidualCells.upper(shares.length - 1);
    for (int halving = 0; halving < HALVINGS; halving++) {
      double middle = 0.5 * (low + high);
      if (mean(loss, middle) > 0.0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return 0.5 * (low + high);
  }

  /** The mean slope of the loss of residuals less a number. */
  private double mean(RoundLoss loss, double less) {
    double mean = 0.0;
    for (int cell = 0; cell < shares.length; cell++) {
      double from = ResidualCells.lower(cell) - less;
      double to = ResidualCells.upper(cell) - less;
      mean += shares[cell] * (loss.of(to) - loss.of(from)) / (to - from);
    }
    return mean;
  }

  // Too long a step costs more than one that is too short.
  /**
   * The mean curvature of the loss of residuals less a number: the largest that is likely, one
   * standard deviation of the noise above what the counts say, and at least a part of that of
   * normal residuals that are as wide.
   */
  double curvature(RoundLoss loss, double less) {
    double mean = 0.0;
    double square = 0.0;
    for (int cell = 0; cell < shares.length; cell++) {
      double from = ResidualCells.lower(cell) - less;
      double to = ResidualCells.upper(cell) - less;
      double ofCell = (loss.slope(to) - loss.slope(from)) / (to - from);
      mean += shares[cell] * ofCell;
      square += ofCell * ofCell;
    }
    double normal = NORMAL.density(NORMAL.inverseCumulativeProbability(loss.quantile()));
    double width = spread() / NORMAL.inverseCumulativeProbability(UPPER_QUARTILE);
    // a slope grows by 2 where residuals are near the quantile
    return Math.max(
        Tuning.LEAST_CURVED * 2.0 * normal / width, mean + deviation * Math.sqrt(square));
  }

  /** The mean loss of residuals less a number. */
  double loss(RoundLoss loss, double less) {
    double mean = 0.0;
    for (int cell = 0; cell < shares.length; cell++) {
      mean += shares[cell] * ofCell(loss, cell, less);
    }
    return mean;
  }

  /** The least mean loss that is likely: one standard deviation of the noise below the mean. */
  double leastLoss(RoundLoss loss, double less) {
    double square = 0.0;
    for (int cell = 0; cell < shares.length; cell++) {
      square += Math.pow(ofCell(loss, cell, less), 2);
    }
    return Math.max(0.0, loss(loss, less) - deviation * Math.sqrt(square));
  }

  /** The mean loss of the residuals in a cell. */
  private static double ofCell(RoundLoss loss, int cell, double less) {
    double lower = ResidualCells.lower(cell);
    double width = (ResidualCells.upper(cell) - lower) / PARTS;
    double mean = 0.0;
    for (int part = 0; part < PARTS; part++) {
      mean += loss.of(lower + (part + 0.5) * width - less) / PARTS;
    }
    return mean;
  }
}

package io.gauze.regression;

import io.gauze.linalg.SymmetricMatrix;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Responses that are piled up on one value, as the strata of their residuals show them.
 *
 * <p>The residuals c - f of responses that are all c lie as far apart as the fitted values f. If
 * these vary by less than a stratum, the pile is in the two strata beside 0: rows with a large f in
 * the one below, rows with a small f in the one above, while the strata beyond them tell f's usual
 * mean. Within strata rows are taken for normal, so a fit does not see the pile: it loses part of
 * what a fit of the rows gains, which passes through c.
 *
 * @param share of all rows, estimated; 0 if noise may be all that is seen
 * @param excess what a fit of the absolute loss loses, as a share of the loss
 * @param most the largest share that noise leaves possible, to three of its standard deviations
 */
record StrataPile(double share, double excess, double most) {
  /** A difference of so many standard deviations of its noise is seen. */
  private static final double SEEN = 3.0;

  /** A pile may be larger than it seems by so many standard deviations of the noise. */
  private static final double POSSIBLE = 3.0;

  /** Smaller shares are no pile: other laws of residuals look like them. */
  private static final double LEAST = 0.25;

  /** The mean distance of normal values from their mean, in standard deviations. */
  private static final double DISTANCE = Math.sqrt(2.0 / Math.PI);

  /**
   * The part of the pile's distance from the fitted values that is lost. Measured: a fifth for the
   * hours of work of adults, a third to all of it for a pile of half of the rows among normal ones.
   */
  private static final double LOST = 0.25;

  static final StrataPile NONE = new StrataPile(0.0, 0.0, 0.0);

  /** Checks whether noise may hide a pile. */
  boolean isHidden() {
    return share == 0.0 && most >= LEAST;
  }

  /** Returns the pile in strata of a residual; none if 0 is not a border of inner strata. */
  static StrataPile of(ReleasedStrata input) {
    int above = input.strata() / 2;
    if (input.axis().isColumn() || input.strata() % 2 != 0 || input.strata() < 4) {
      return NONE;
    }
    double[] weights = fitWeights(input);
    List<Stratum> strata =
        IntStream.range(0, input.strata()).mapToObj(k -> Stratum.of(input, k, weights)).toList();
    Stratum low = strata.get(above - 1);
    Stratum high = strata.get(above);
    Stratum lower = strata.get(above - 2);
    Stratum higher = strata.get(above + 1);
    double central = low.rows + high.rows;
    double all = strata.stream().mapToDouble(Stratum::rows).sum();
    double square = (low.scatter + high.scatter) / central;
    double turn = low.fitted - lower.fitted - high.fitted + higher.fitted;
    double noise =
        Math.hypot(Math.hypot(low.noise, lower.noise), Math.hypot(high.noise, higher.noise));
    if (!(low.rows > 0.0 && high.rows > 0.0 && square > 0.0 && all > 0.0)) {
      return new StrataPile(0.0, 0.0, 1.0);
    }
    // the pile's f in the two strata are their mean plus and minus .8 deviations, the others'
    // those of the strata beyond, which may have too few rows to tell
    boolean told = lower.rows > 0.0 && higher.rows > 0.0;
    double own = 2.0 * DISTANCE * Math.sqrt(square);
    double apart = own + Math.max(0.0, higher.fitted - lower.fitted);
    double beside = low.fitted - high.fitted + POSSIBLE * Math.hypot(low.noise, high.noise);
    double possible =
        told ? Math.min(beside / own, (turn + POSSIBLE * noise) / apart) : beside / own;
    double most = Math.max(0.0, Math.min(1.0, possible)) * Math.min(1.0, central / all);
    double share = told && turn > SEEN * noise ? Math.min(1.0, turn / apart) * central / all : 0.0;
    double loss =
        strata.stream()
                .filter(s -> s.rows > 0.0)
                .mapToDouble(s -> s.rows * Math.abs(s.residual))
                .sum()
            / all;
    return share < LEAST
        ? new StrataPile(0.0, 0.0, most)
        : new StrataPile(share, LOST * share * DISTANCE * Math.sqrt(square) / loss, most);
  }

  /** Returns the weights of the fitted value in units of the residual, its mean taken off. */
  private static double[] fitWeights(ReleasedStrata input) {
    double[] weights = new double[input.dimension()];
    for (int j = 0; j < weights.length; j++) {
      weights[j] = j == input.column() ? 0.0 : -input.axis().weights().get(j);
    }
    SymmetricMatrix all = input.pooled().moments();
    weights[0] -= constant(all, weights) / all.get(0, 0);
    return weights;
  }

  /** Returns the sum over rows of c0 times a weighted sum of their entries. */
  private static double constant(SymmetricMatrix moments, double... weights) {
    double sum = 0.0;
    for (int j = 0; j < weights.length; j++) {
      sum += weights[j] * moments.get(0, j);
    }
    return sum;
  }

  /**
   * One stratum.
   *
   * @param rows n
   * @param fitted mean of the fitted values
   * @param residual mean of the residuals
   * @param scatter sum of squares of the fitted values around their mean
   * @param noise the standard deviation of the noise of fitted
   */
  private record Stratum(
      double rows, double fitted, double residual, double scatter, double noise) {
    static Stratum of(ReleasedStrata input, int k, double... weights) {
      SymmetricMatrix moments = input.moments(k);
      double c0 = input.intercept();
      double rows = moments.get(0, 0) / (c0 * c0);
      double fitted = constant(moments, weights) / (c0 * rows);
      double residual = constant(moments, input.axis().weights().toArray()) / (c0 * rows);
      double scatter = moments.quadraticForm(weights) - rows * fitted * fitted;
      double square = 0.5 * weights[0] * weights[0]; // the diagonal has twice the variance
      for (double weight : weights) {
        square += 0.5 * weight * weight;
      }
      double noise = input.sigma() * Math.sqrt(square) / (c0 * Math.abs(rows));
      return new Stratum(rows, fitted, residual, scatter, noise);
    }
  }
}

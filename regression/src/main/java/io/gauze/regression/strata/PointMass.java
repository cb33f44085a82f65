package io.gauze.regression.strata;

import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Loss;
import io.gauze.regression.rows.ExpectedLoss;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Responses that are piled up on one value, as the strata of their residuals show them.
 *
 * <p>The residuals c - f of responses that are all c lie as far apart as the fitted values f. If
 * these vary by less than a stratum, the pile is in the two strata beside 0: rows with a large f in
 * the one below, rows with a small f in the one above, while the strata beyond them tell f's usual
 * mean. Within strata rows are taken for normal, so a fit does not see the pile, to which the best
 * one is drawn: see {@link #drawn}.
 *
 * @param share of all rows, estimated; 0 if noise may be all that is seen
 * @param kept the part of a fit's distance from the best constant that is best kept, in [0, 1]
 * @param excess what a fit of the absolute loss loses that is drawn so, as a share of the loss
 * @param most the largest share that noise leaves possible, to three of its standard deviations
 */
record PointMass(double share, double kept, double excess, double most) {
  /** A difference of so many standard deviations of its noise is seen. */
  private static final double SEEN = 3.0;

  /** A pile may be larger than it seems by so many standard deviations of the noise. */
  private static final double POSSIBLE = 3.0;

  /** Larger shares are taken for this one. */
  private static final double MOST = 0.95;

  /** The mean distance of normal values from their mean, in standard deviations. */
  private static final double DISTANCE = Math.sqrt(2.0 / Math.PI);

  private static final ExpectedLoss LOSS = ExpectedLoss.of(Loss.ABSOLUTE);
  private static final int STEPS = 50;

  static final PointMass NONE = hidden(0.0);

  /** Returns a pile that is not seen. */
  private static PointMass hidden(double most) {
    return new PointMass(0.0, 1.0, 0.0, most);
  }

  /** Checks whether noise may hide a pile. */
  boolean isHidden() {
    return share == 0.0 && most >= Tuning.LEAST_PILE;
  }

  /**
   * Returns the pile in strata of a residual; none if 0 is not a border of inner strata. Of strata
   * that are narrower than the fitted values vary, several are taken together: the pile is that of
   * the width by which most of it is seen.
   */
  static PointMass of(ReleasedStrata input) {
    int above = input.strata() / 2;
    if (input.axis().isColumn() || input.strata() % 2 != 0 || input.strata() < 4) {
      return NONE;
    }
    double[] weights = fitWeights(input);
    PointMass seen = of(strata(input, 1, weights));
    for (int width = 2; 2 * width <= above; width *= 2) {
      PointMass wider = of(strata(input, width, weights));
      seen = wider.share > seen.share ? wider : seen;
    }
    return seen;
  }

  /** Returns strata that are this many times as wide, from 0 on to both sides. */
  private static List<Stratum> strata(ReleasedStrata input, int width, double... weights) {
    int above = input.strata() / 2;
    Map<Integer, List<SymmetricMatrix>> wide =
        IntStream.range(0, input.strata())
            .boxed()
            .collect(
                Collectors.groupingBy(
                    k -> Math.floorDiv(k - above, width),
                    TreeMap::new,
                    Collectors.mapping(input::moments, Collectors.toList())));
    return wide.values().stream().map(some -> Stratum.of(input, some, weights)).toList();
  }

  private static PointMass of(List<Stratum> strata) {
    int above = strata.size() / 2;
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
      return hidden(1.0);
    }
    // the pile's f in the two strata are their mean plus and minus 0.8 deviations, the others'
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
    if (share < Tuning.LEAST_PILE) {
      return hidden(most);
    }
    return new Mixture(Math.min(share, MOST), Math.sqrt(square), loss).pile(most);
  }

  /** Returns coefficients that are drawn to those of the best constant. */
  DoubleVector drawn(DoubleVector b, DoubleVector constant) {
    return DoubleVector.generate(b.size(), k -> kept * b.get(k) + (1.0 - kept) * constant.get(k));
  }

  /**
   * The mean absolute residual of a pile and of other rows. These are normal around a value that
   * varies 1 / (1 - share) times as much as the fitted values, since the pile's does not vary.
   *
   * @param share of the pile
   * @param fitted the standard deviation of the fitted values
   * @param loss the mean absolute residual of the fit
   */
  private record Mixture(double share, double fitted, double loss) {
    /** Returns the loss of a fit of which a part is kept, whose constant is this far from c. */
    double loss(double kept, double astray) {
      double others = Math.max(0.0, loss / DISTANCE - share * fitted) / (1.0 - share);
      double slope = 1.0 / (1.0 - share);
      double around = Math.max(0.0, others * others - Math.pow((slope - 1.0) * fitted, 2));
      double missed = (slope - kept) * fitted;
      return share * mean(astray, Math.pow(kept * fitted, 2))
          + (1.0 - share) * mean(0.0, around + missed * missed);
    }

    private double mean(double mean, double variance) {
      return LOSS.at(mean, Math.max(variance, 1e-12 * loss * loss)).value();
    }

    PointMass pile(double most) {
      double astray = Tuning.PILE_ASTRAY * fitted;
      double kept = 1.0;
      double least = Double.POSITIVE_INFINITY;
      for (int k = 0; k <= STEPS; k++) {
        double part = k / (double) STEPS;
        kept = loss(part, astray) < loss(kept, astray) ? part : kept;
        least = Math.min(least, loss(part, 0.0));
      }
      return new PointMass(
          share, kept, Tuning.PILE_LOST * (loss(kept, astray) / least - 1.0), most);
    }
  }

  /** Returns the weights of the fitted value in units of the residual, its mean taken off. */
  private static double[] fitWeights(ReleasedStrata input) {
    StratifyingDirection axis = input.axis();
    double own = axis.weights().get(input.column());
    double[] weights = new double[input.dimension()];
    for (int j = 0; j < weights.length; j++) {
      weights[j] = j == input.column() ? 0.0 : own * axis.base().get(j) - axis.weights().get(j);
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
   * One stratum, or several that are taken together.
   *
   * @param rows n
   * @param fitted mean of the fitted values
   * @param residual mean of the residuals
   * @param scatter sum of squares of the fitted values around their mean
   * @param noise the standard deviation of the noise of fitted
   */
  private record Stratum(
      double rows, double fitted, double residual, double scatter, double noise) {
    static Stratum of(ReleasedStrata input, List<SymmetricMatrix> some, double... weights) {
      SymmetricMatrix moments = some.stream().reduce(SymmetricMatrix::plus).orElseThrow();
      double c0 = input.intercept();
      double rows = moments.get(0, 0) / (c0 * c0);
      double fitted = constant(moments, weights) / (c0 * rows);
      double residual = constant(moments, input.axis().weights().toArray()) / (c0 * rows);
      double scatter = moments.quadraticForm(weights) - rows * fitted * fitted;
      double square = 0.5 * weights[0] * weights[0]; // the diagonal has twice the variance
      for (double weight : weights) {
        square += 0.5 * weight * weight;
      }
      double sigma = input.sigma() * Math.sqrt(some.size());
      double noise = sigma * Math.sqrt(square) / (c0 * Math.abs(rows));
      return new Stratum(rows, fitted, residual, scatter, noise);
    }
  }
}

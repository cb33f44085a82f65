package io.gauze.audit.twostage;

import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.twostage.ResidualWeights;
import io.gauze.mechanism.twostage.RowSums;
import io.gauze.mechanism.twostage.RowTransform;
import io.gauze.mechanism.twostage.StrataSums;
import io.gauze.mechanism.twostage.TwoStagePlan;
import io.gauze.mechanism.twostage.TwoStageRelease;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.noise.Entropy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * Noisy sums of strata of one of two data sets of few rows, and the log-likelihood ratio of all of
 * them. What they would be without noise is computed in doubles, by other code than that of the
 * mechanism.
 */
final class RatedStrata implements StrataSums {
  private final Neighbouring<TwoStageStrata> both;
  private final StrataSums noisy;
  private final RatedSums moments;

  /**
   * Creates the sums of one release.
   *
   * @param inSecond whether they are those of the second data set
   */
  RatedStrata(Neighbouring<TwoStageStrata> both, boolean inSecond, Entropy entropy) {
    this.both = both;
    this.noisy = both.mechanism().sums(both.rows(inSecond), entropy);
    this.moments = new RatedSums(both, both.mechanism().plan().moments(), noisy.moments());
  }

  /** The log-likelihood ratio of all sums so far. */
  double ratio() {
    return moments.ratio();
  }

  @Override
  public RowSums moments() {
    return moments;
  }

  @Override
  public long[] strata(RowTransform transform, ResidualWeights weights) {
    long[] sums = noisy.strata(transform, weights);
    TwoStagePlan.Part part = both.mechanism().plan().strata();
    int length = SymmetricMatrix.length(part.noise().dimension());
    IntToDoubleFunction scale = RatedSums.scale(part);
    moments.rate(
        RatedSums.inUnits(sums),
        strata(both.first().rows(), transform, weights),
        strata(both.second().rows(), transform, weights),
        k -> scale.applyAsDouble(k % length));
    return sums;
  }

  private double[] strata(double[][] rows, RowTransform transform, ResidualWeights weights) {
    List<List<double[]>> strata = new ArrayList<>();
    for (int k = 0; k < weights.strata(); k++) {
      strata.add(new ArrayList<>());
    }
    for (double[] row : RatedSums.shortened(RatedSums.mapped(rows, transform))) {
      double sum = 1.0;
      for (int k = 0; k < row.length; k++) {
        sum += weights.numbers().get(k) * TwoStageRelease.UNIT * row[k];
      }
      double stratum = Math.floor(0.5 * sum * weights.strata());
      strata.get((int) Math.max(0.0, Math.min(weights.strata() - 1.0, stratum))).add(row);
    }
    int size = transform.dimension();
    int length = SymmetricMatrix.length(size);
    double[] all = new double[strata.size() * length];
    for (int k = 0; k < strata.size(); k++) {
      double[] one = RatedSums.moments(size, strata.get(k).toArray(new double[0][]));
      System.arraycopy(one, 0, all, k * length, length);
    }
    return all;
  }
}

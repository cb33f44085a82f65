package io.gauze.audit.stream;

import io.gauze.accounting.Neighbours;
import io.gauze.accounting.SquareRootToeplitz;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.Cumulative;
import io.gauze.noise.CumulativeNoise;
import io.gauze.noise.Entropy;
import java.util.Arrays;
import java.util.List;

/**
 * Audits all releases of one growing sum, with the noise of a plan of cumulative releases. The row
 * arrives in the first epoch, so that every release contains it. The statistic is the likelihood
 * ratio of the releases, whitened by {@code F^-1}.
 */
public final class ContinualAudit extends MechanismAudit {
  private static final int RELEASES = 4;
  private static final SquareRootToeplitz FACTOR = SquareRootToeplitz.of(RELEASES);

  @Override
  public String mechanism() {
    return "continual";
  }

  /** The standard deviation that one release alone would need. */
  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  private static AdditiveMechanism planned(Claim claim) {
    BudgetScope scope = BudgetScope.cumulative(RELEASES);
    Cumulative series = (Cumulative) Plans.oneBucket(claim, stream -> stream.withScope(scope));
    return series.inner();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    return audit(variant, claim, share, RELEASES);
  }

  private AuditCase audit(String variant, Claim claim, double share, int turns) {
    long first = Plans.worst(claim, false)[0];
    double sigma = share * noise(claim);
    return AuditCase.of(mechanism(), variant, claim, () -> new Series(first, sigma, turns));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    AdditiveMechanism planned = planned(claim);
    return List.of(
        audit("noise without the column norm", claim, 1.0 / FACTOR.columnNorm()),
        audit("a new series after a lost state", claim, 1.0, RELEASES / 2),
        AuditCase.of(
                mechanism(), "the noise of the release before", claim, () -> new Reused(planned))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  /**
   * Runs a series of many equal sums, each with independent noise, so that every sum is a run.
   * After {@code turns} releases the draws are lost, and the noise starts again.
   */
  private static final class Series implements Trial {
    private static final int SUMS = 4096;

    private final long first;
    private final double sigma;
    private final int turns;
    private final double[] ratios = new double[SUMS];
    private int left;
    private boolean filledSecond;

    Series(long first, double sigma, int turns) {
      this.first = first;
      this.sigma = sigma;
      this.turns = turns;
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      if (left == 0 || filledSecond != second) {
        fill(second, entropy);
      }
      left--;
      return ratios[left];
    }

    private void fill(boolean second, Entropy entropy) {
      Arrays.fill(ratios, 0.0);
      for (int done = 0; done < RELEASES; done += turns) {
        CumulativeNoise noise = CumulativeNoise.create(RELEASES, SUMS, i -> sigma);
        long[][] releases = new long[turns][SUMS];
        for (int k = 0; k < turns; k++) {
          Arrays.fill(releases[k], second ? Plans.BOUND : first);
          noise.addTo(k, releases[k], entropy);
        }
        for (int i = 0; i < SUMS; i++) {
          ratios[i] += ratio(releases, i);
        }
      }
      left = SUMS;
      filledSecond = second;
    }

    // F^-1 times the releases is f times the row, plus independent noise:
    // y_k = x_k - sum f_j y_(k-j).
    private double ratio(long[][] releases, int sum) {
      double scale = sigma * FACTOR.columnNorm();
      double[] white = new double[turns];
      double ratio = 0.0;
      for (int k = 0; k < turns; k++) {
        white[k] = releases[k][sum];
        for (int j = 1; j <= k; j++) {
          white[k] -= FACTOR.weight(j) * white[k - j];
        }
        double mean = 0.5 * FACTOR.weight(k) * (first + Plans.BOUND);
        ratio += FACTOR.weight(k) * (Plans.BOUND - first) * (white[k] - mean) / (scale * scale);
      }
      return ratio;
    }
  }

  /**
   * A broken variant that reuses one noise: a row that arrives between two releases is their
   * difference.
   */
  private record Reused(AdditiveMechanism mechanism) implements Trial {
    @Override
    public double run(boolean second, Entropy entropy) {
      long[] before = new long[mechanism.spec().stateLength()];
      mechanism.addNoise(before, 0, entropy);
      long[] after = before.clone();
      after[0] += second ? Plans.BOUND : 0;
      return after[0] - before[0] == Plans.BOUND ? 1.0 : -1.0;
    }
  }
}

package io.gauze.audit;

import io.gauze.privacy.CumulativeNoise;
import io.gauze.privacy.Entropy;
import io.gauze.privacy.GaussianDp;
import io.gauze.privacy.SquareRootToeplitz;
import io.gauze.row.Neighbours;
import java.util.Arrays;
import java.util.List;

/**
 * All releases of one growing sum. The row comes in the first epoch, which shows it in every
 * release. The statistic is the likelihood ratio of the releases, whitened by {@code F^-1}.
 */
final class ContinualAudit extends MechanismAudit {
  private static final int RELEASES = 4;
  private static final long BOUND = 1L << 20;
  private static final SquareRootToeplitz FACTOR = SquareRootToeplitz.of(RELEASES);

  @Override
  String mechanism() {
    return "continual";
  }

  /** What one release alone would need. */
  @Override
  double noise(Claim claim) {
    double sensitivity = claim.neighbours() == Neighbours.ADD_REMOVE ? BOUND : 2.0 * BOUND;
    return GaussianDp.sigma(claim.epsilon(), claim.delta(), sensitivity);
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    long first = claim.neighbours() == Neighbours.ADD_REMOVE ? 0 : -BOUND;
    double sigma = share * noise(claim);
    return AuditCase.of(mechanism(), variant, claim, () -> new Series(first, sigma));
  }

  @Override
  List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    return List.of(audit("noise without the column norm", claim, 1.0 / FACTOR.columnNorm()));
  }

  /** A series of many equal sums, each with noise of its own: every one of them is a run. */
  private static final class Series implements Trial {
    private static final int SUMS = 4096;

    private final long first;
    private final double sigma;
    private final double[] ratios = new double[SUMS];
    private int left;
    private boolean filledSecond;

    Series(long first, double sigma) {
      this.first = first;
      this.sigma = sigma;
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
      CumulativeNoise noise = CumulativeNoise.create(RELEASES, SUMS, i -> sigma);
      long[][] releases = new long[RELEASES][SUMS];
      for (int k = 0; k < RELEASES; k++) {
        Arrays.fill(releases[k], second ? BOUND : first);
        noise.addTo(k, releases[k], entropy);
      }
      Arrays.setAll(ratios, i -> ratio(releases, i));
      left = SUMS;
      filledSecond = second;
    }

    // F^-1 times the releases is f times the row, plus independent noise: y_k = x_k - sum f_j
    // y_k-j.
    private double ratio(long[][] releases, int sum) {
      double scale = sigma * FACTOR.columnNorm();
      double[] white = new double[RELEASES];
      double ratio = 0.0;
      for (int k = 0; k < RELEASES; k++) {
        white[k] = releases[k][sum];
        for (int j = 1; j <= k; j++) {
          white[k] -= FACTOR.weight(j) * white[k - j];
        }
        double mean = 0.5 * FACTOR.weight(k) * (first + BOUND);
        ratio += FACTOR.weight(k) * (BOUND - first) * (white[k] - mean) / (scale * scale);
      }
      return ratio;
    }
  }
}

package io.gauze.mechanism.twostage;

import io.gauze.mechanism.SymmetricNoise;
import io.gauze.noise.RoundedGaussian;
import java.io.Serializable;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * What each part of a release spends, and its noise. The shares of mu^2 are those of {@link
 * Tuning}; what is left is spent by the last moments.
 *
 * @param mu that a release spends
 * @param first the moments of encoded rows
 * @param second the moments of the second round, if there is one
 * @param last the last moments: after an earlier release, after one round, and after two
 * @param norms the noise of counts of norms, in units of 2^-16
 * @param rowSensitivity of counts, and of moments of rows of norm 1
 */
public record TwoStagePlan(
    double mu,
    Part first,
    Part second,
    List<Part> last,
    RoundedGaussian norms,
    double rowSensitivity)
    implements SumsNoise {
  /** The fraction bits of counts. */
  static final int COUNT_BITS = 16;

  /** A part of mu^2 that nothing spends: shares are rounded. */
  private static final double SLACK = 0x1p-40;

  /**
   * Checks that no release spends more than mu.
   *
   * @throws IllegalArgumentException if one would
   */
  public TwoStagePlan {
    last = List.copyOf(last);
    double counts = rowSensitivity / Math.scalb(norms.sigma(), -COUNT_BITS);
    double before = 0.0;
    for (int round = 0; round < last.size(); round++) {
      double moments = round == 0 ? 0.0 : (round == 1 ? first : second).spent();
      before += moments + (round == 1 ? 0.0 : counts * counts);
      double all = before + last.get(round).spent();
      if (!(all <= mu * mu)) { // also refuses NaN
        throw new IllegalArgumentException(
            "parts must spend at most mu^2 = " + mu * mu + ". Provided value: " + all);
      }
    }
  }

  /**
   * Returns the plan of a budget.
   *
   * @param name of the mechanism, for messages
   * @param dimension D
   * @param sensitivity of the moments of encoded rows
   * @param rowSensitivity of counts, and of moments of rows of norm 1
   * @param unit of the moments of encoded rows
   */
  static TwoStagePlan of(
      String name,
      int dimension,
      double mu,
      double sensitivity,
      double rowSensitivity,
      double unit) {
    double one = 1.0 - SLACK - Tuning.NORMS; // counts are made once, or in each of two rounds
    List<Part> last =
        DoubleStream.of(one, one - Tuning.FIRST, one - Tuning.FIRST - Tuning.SECOND - Tuning.NORMS)
            .mapToObj(
                left ->
                    Part.of(name, dimension, rowSensitivity, share(mu, left), TwoStageRelease.UNIT))
            .toList();
    return new TwoStagePlan(
        mu,
        Part.of(name, dimension, sensitivity, share(mu, Tuning.FIRST), unit),
        Part.of(name, dimension, rowSensitivity, share(mu, Tuning.SECOND), TwoStageRelease.UNIT),
        last,
        countNoise(rowSensitivity, share(mu, Tuning.NORMS)),
        rowSensitivity);
  }

  /** Returns the noise of counts that spend mu, in units of 2^-16. */
  public static RoundedGaussian countNoise(double rowSensitivity, double mu) {
    return RoundedGaussian.of(Math.nextUp(Math.scalb(rowSensitivity / mu, COUNT_BITS)));
  }

  /** Returns the deviation of such noise. */
  public static double countDeviation(RoundedGaussian norms) {
    return Math.scalb(norms.sigma(), -COUNT_BITS);
  }

  /** Returns the mu of a share of mu^2, rounded down. */
  public static double share(double mu, double share) {
    return Math.nextDown(mu * Math.sqrt(share));
  }

  /**
   * Returns the payload of a release.
   *
   * @param response the encoded column for which transforms are made
   */
  TransformedMoments payload(int response) {
    return new TransformedMoments(
        first.noise().dimension(),
        response,
        List.of(first.deviation(), second.deviation()),
        countDeviation(),
        last.stream().map(Part::deviation).toList());
  }

  @Override
  public Part part(int round, boolean isLast) {
    return isLast ? last.get(round) : second;
  }

  /** The standard deviation of the noise of a count. */
  public double countDeviation() {
    return countDeviation(norms);
  }

  /**
   * Moments and their noise.
   *
   * @param sensitivity in Frobenius norm
   * @param unit in the same scale
   * @param noise in units
   */
  public record Part(double sensitivity, double unit, SymmetricNoise noise)
      implements Serializable {
    /**
     * Returns moments of this noise.
     *
     * @param name of the mechanism, for messages
     * @param mu that they spend
     */
    public static Part of(String name, int dimension, double sensitivity, double mu, double unit) {
      return new Part(
          sensitivity, unit, SymmetricNoise.of(name, dimension, sensitivity / mu, unit));
    }

    /** The standard deviation of the noise on the diagonal; divided by sqrt 2 off it. */
    public double deviation() {
      return noise.diagonal().sigma() * unit;
    }

    /** Describes the law of the noise in words. */
    public String law() {
      return noise.law(unit);
    }

    /** The squared mu that these moments spend. */
    public double spent() {
      double beside = Math.sqrt(2.0) * noise.offDiagonal().sigma() * unit;
      double least = Math.min(deviation(), beside);
      return sensitivity / least * (sensitivity / least);
    }
  }
}

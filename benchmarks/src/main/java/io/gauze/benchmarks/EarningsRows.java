package io.gauze.benchmarks;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Workers as the surveys of earnings find them, generated: the same rows at every call.
 *
 * <p>Shares, means and deviations are those that E. R. Berndt prints of the Current Population
 * Survey of May 1985 (The Practice of Econometrics, 1991, chapter 5). The slopes of log earnings
 * are of the size that its exercises find: 9 % for a year of schooling, 3 % less .05 % a year for
 * experience, -23 % for women, 20 % for union members, 5 % for the married. A tenth of the
 * residuals has twice the deviation of the others.
 */
public final class EarningsRows {
  static final int ROWS = 60_000; // about the households that the survey asks in a month

  private static final String[] REGIONS = {"northeast", "midwest", "south", "west"};
  private static final double[] UPPER = {0.22, 0.47, 0.80, 1.0};
  private static final double[] EFFECT = {0.05, 0.0, -0.1, 0.04};

  private final SplittableRandom random = new SplittableRandom(1985);

  /** Returns the names of the columns, joined by commas. */
  public String header() {
    return "education,experience,female,union,married,region,log_earnings";
  }

  /** Returns the next worker, values joined by commas. */
  public String next() {
    double education = Math.rint(clamp(13.0 + 2.6 * normal(), 2.0, 18.0));
    double age = clamp(36.8 + 11.7 * normal(), 18.0, 64.0);
    double experience = Math.max(0.0, Math.rint(age - education - 6.0));
    int female = chance(0.46);
    int union = chance(0.18);
    int married = chance(0.65);
    int region = region();
    double mean =
        0.62
            + 0.09 * education
            + 0.03 * experience
            - 0.0005 * experience * experience
            - 0.23 * female
            + 0.2 * union
            + 0.05 * married
            + EFFECT[region];
    double log = mean + (chance(0.1) == 1 ? 0.8 : 0.4) * normal();
    return String.format(
        Locale.ROOT,
        "%.0f,%.0f,%d,%d,%d,%s,%.4f",
        education,
        experience,
        female,
        union,
        married,
        REGIONS[region],
        log);
  }

  private int region() {
    double uniform = random.nextDouble();
    int region = 0;
    while (uniform >= UPPER[region]) {
      region++;
    }
    return region;
  }

  private int chance(double probability) {
    return random.nextDouble() < probability ? 1 : 0;
  }

  /** A sum of 12 uniform numbers, close to a normal one and the same on every machine. */
  private double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; i++) {
      sum += random.nextDouble();
    }
    return sum;
  }

  private static double clamp(double value, double lower, double upper) {
    return Math.min(upper, Math.max(lower, value));
  }
}

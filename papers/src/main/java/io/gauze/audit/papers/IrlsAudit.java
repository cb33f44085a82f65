package io.gauze.audit.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AdditiveTrial;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Trial;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.papers.ReweightedModel;
import io.gauze.model.IrlsNoise;
import io.gauze.model.IrlsSpec;
import io.gauze.model.ModelRows;
import io.gauze.model.PrivateIrls;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.WishartSampler;
import java.util.ArrayList;
import java.util.List;

/**
 * Audits all rounds of a private iteratively reweighted fit, of one feature. The threshold is so
 * large that rows weigh 1 under any model, which is the worst.
 */
public final class IrlsAudit extends MechanismAudit {
  private static final int ROUNDS = 2;
  private static final double THRESHOLD = 1024.0;

  /** The delta of pure promises pays for samplers. No audit distinguishes it from 0. */
  private static final double NEXT_TO_NOTHING = 1e-12;

  /** A row of feature 1 and response 1, and one that changes the moments by most. */
  private static final double[][] ROW = {{1.0, 1.0}};

  private static final double[][] OTHER = {{-1.0, 1.0}};
  private static final double[][] NONE = {};

  @Override
  public String mechanism() {
    return ReweightedModel.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return gaussian(claim).calibration().scale();
  }

  private static IrlsSpec spec(IrlsNoise noise) {
    return new IrlsSpec(1, 1.0, 1.0, THRESHOLD, ROUNDS, noise);
  }

  private static PrivateIrls gaussian(Claim claim) {
    return PrivateIrls.of(spec(new IrlsNoise.Gaussian(claim.budget())));
  }

  /** Returns a mechanism whose noise is smaller by a factor; it is honest about its rho. */
  private static PrivateIrls less(Claim claim, double share) {
    double mu = GaussianDp.mu(claim.epsilon(), claim.delta()) / share;
    return PrivateIrls.of(
        spec(
            new IrlsNoise.Concentrated(
                0.5 * mu * mu, claim.neighbours(), IrlsNoise.Concentrated.Law.GAUSSIAN)));
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    PrivateIrls mechanism = share == 1.0 ? gaussian(claim) : less(claim, share);
    double[][] first = claim.neighbours() == Neighbours.REPLACE_ONE ? OTHER : NONE;
    double sigma = mechanism.calibration().scale();
    return AuditCase.of(
        mechanism(),
        variant,
        claim,
        () -> new Rounds(cell(mechanism, first, ROW), new GaussianRatio(sigma)));
  }

  @Override
  public List<AuditCase> published() {
    List<AuditCase> cases = new ArrayList<>();
    for (Neighbours neighbours : Neighbours.values()) {
      cases.add(pure(Claims.pure(neighbours)));
    }
    cases.add(wishart(Claims.approximate(Neighbours.ADD_REMOVE)));
    Claim claim = Claims.approximate(Neighbours.REPLACE_ONE);
    cases.add(audit("each round with the whole budget", claim, Math.sqrt(1.0 / ROUNDS)));
    cases.add(fewDegrees(Claims.pure(Neighbours.ADD_REMOVE)));
    return cases;
  }

  /** Laplace noise. A replaced row moves to another cell, which doubles its distance. */
  private AuditCase pure(Claim claim) {
    Budget budget = new Budget(claim.epsilon(), NEXT_TO_NOTHING, claim.neighbours());
    PrivateIrls mechanism = PrivateIrls.of(spec(new IrlsNoise.Pure(budget)));
    double scale = mechanism.calibration().scale();
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
            mechanism(),
            "laplace noise",
            claim,
            () -> {
              Trial enters = new Rounds(cell(mechanism, NONE, ROW), new LaplaceRatio(scale));
              Trial leaves = new Rounds(cell(mechanism, ROW, NONE), new LaplaceRatio(scale));
              return (second, entropy) ->
                  enters.run(second, entropy) + (replaced ? leaves.run(second, entropy) : 0.0);
            })
        .withThreshold(0.8 * claim.epsilon())
        .asSound();
  }

  private AuditCase wishart(Claim claim) {
    PrivateIrls mechanism = PrivateIrls.of(spec(IrlsNoise.Wishart.of(claim.budget(), 1)));
    double variance = mechanism.calibration().scale();
    int degrees = ((MechanismCost.Wishart) mechanism.calibration().roundCost()).noise().degrees();
    return AuditCase.of(
            mechanism(),
            "wishart noise",
            claim,
            () -> new Rounds(cell(mechanism, NONE, ROW), new WishartRatio(degrees, variance)))
        .asSound();
  }

  /**
   * The paper's noise on the square of the feature: d + 1 = 2 degrees of freedom, half of epsilon,
   * divided among the rounds. It is above 0, so that a row shows where the release is too small.
   */
  private AuditCase fewDegrees(Claim claim) {
    PrivateIrls mechanism = gaussian(new Claim(1.0, 0.02, claim.neighbours())); // for its grid
    double each = claim.epsilon() / (2.0 * ROUNDS);
    double square = Math.scalb(1.0, 2 * mechanism.calibration().gridBits());
    WishartSampler sampler = WishartSampler.of(1, 2, 0.5 / each * square);
    return AuditCase.of(
            mechanism(),
            "Park and Welling: d + 1 degrees of freedom",
            claim,
            () ->
                new Rounds(
                    cell(mechanism, NONE, ROW)
                        .withNoise((upper, entropy) -> upper[0] += sampler.sample(entropy)[0]),
                    IrlsAudit::impossible))
        .withRuns(10_000);
  }

  /** Returns the sign of the data set that alone could give a release, or 0. */
  private static double impossible(double[] release, double[] first, double[] second) {
    if (release[0] < second[0]) {
      return Double.NEGATIVE_INFINITY;
    }
    return release[0] < first[0] ? Double.POSITIVE_INFINITY : 0.0;
  }

  private static Cell cell(PrivateIrls mechanism, double[][] first, double[][] second) {
    Entropy none = Randomness.noiseFreeForTests(0).entropy("exact moments");
    return new Cell(
        mechanism, rows(mechanism, first), rows(mechanism, second), none, mechanism::release);
  }

  private static ModelRows rows(PrivateIrls mechanism, double[][] rows) {
    ModelRows list = mechanism.rows();
    for (double[] row : rows) {
      list.add(new double[] {row[0]}, row[1]);
    }
    return list;
  }

  /** What a round releases. */
  private interface Round {
    long[] release(ModelRows rows, DoubleVector model, int round, Entropy entropy);
  }

  /**
   * One cell under two data sets.
   *
   * @param noiseFree gives exact moments
   * @param round as the mechanism, or a broken one
   */
  private record Cell(
      PrivateIrls mechanism, ModelRows first, ModelRows second, Entropy noiseFree, Round round) {
    Cell withNoise(AdditiveTrial.Noise noise) {
      return new Cell(
          mechanism,
          first,
          second,
          noiseFree,
          (rows, model, number, entropy) -> {
            long[] upper = mechanism.release(rows, model, number, noiseFree);
            noise.add(upper, entropy);
            return upper;
          });
    }

    double[] exact(ModelRows rows, DoubleVector model, int round) {
      return encoded(mechanism.release(rows, model, round, noiseFree));
    }

    double[] encoded(long[] upper) {
      double step = Math.scalb(1.0, -2 * mechanism.calibration().gridBits());
      double[] values = new double[upper.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = upper[i] * step;
      }
      return values;
    }
  }

  /** The log-likelihood ratio of what one round releases: squared feature, product, response. */
  private interface Ratio {
    double of(double[] release, double[] first, double[] second);
  }

  private record GaussianRatio(double sigma) implements Ratio {
    @Override
    public double of(double[] release, double[] first, double[] second) {
      double ratio = 0.0;
      for (int i = 0; i < 2; i++) {
        double variance = sigma * sigma * (i == 0 ? 1.0 : 0.5);
        double middle = 0.5 * (first[i] + second[i]);
        ratio += (second[i] - first[i]) * (release[i] - middle) / variance;
      }
      return ratio;
    }
  }

  private record LaplaceRatio(double scale) implements Ratio {
    @Override
    public double of(double[] release, double[] first, double[] second) {
      double distance = 0.0;
      for (int i = 0; i < 2; i++) {
        distance += Math.abs(release[i] - first[i]) - Math.abs(release[i] - second[i]);
      }
      return distance / scale;
    }
  }

  private record WishartRatio(int degrees, double variance) implements Ratio {
    @Override
    public double of(double[] release, double[] first, double[] second) {
      double there = logDensity(release, second);
      return there == Double.NEGATIVE_INFINITY ? there : there - logDensity(release, first);
    }

    private double logDensity(double[] release, double[] moments) {
      double left = release[0] - moments[0];
      double off = release[1] - moments[1];
      double right = release[2] - moments[2];
      double determinant = left * right - off * off;
      return left > 0.0 && determinant > 0.0
          ? 0.5 * (degrees - 3) * Math.log(determinant) - 0.5 * (left + right) / variance
          : Double.NEGATIVE_INFINITY;
    }
  }

  /** Runs all rounds, each under the model of the one before. */
  private record Rounds(Cell cell, Ratio ratio) implements Trial {
    @Override
    public double run(boolean inSecond, Entropy entropy) {
      DoubleVector model = DoubleVector.of(0.0);
      double sum = 0.0;
      for (int round = 0; round < ROUNDS; round++) {
        ModelRows rows = inSecond ? cell.second() : cell.first();
        long[] upper = cell.round().release(rows, model, round, entropy);
        sum +=
            ratio.of(
                cell.encoded(upper),
                cell.exact(cell.first(), model, round),
                cell.exact(cell.second(), model, round));
        if (Double.isInfinite(sum)) {
          return sum;
        }
        model = cell.mechanism().solve(upper);
      }
      return sum;
    }
  }
}

package io.gauze.audit.moments;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.moments.ResidualStrataNoise;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import java.util.List;
import java.util.Map;

/**
 * Audits strata of residuals of rows of two columns. The proof holds for any model that is made
 * from the noisy first stage, so the audit takes one that suits an adversary: it decides by the
 * sign of a noisy sum in which stratum the row is. The worst replaced row is replaced by one at
 * right angles, which changes both stages by their full sensitivity. A replaced row may also move
 * to the next epoch, whose model may depend on what is published of the epoch before.
 */
public final class ResidualStrataAudit extends MechanismAudit {
  private static final String STRATA = "2";

  /**
   * The factor by which a broken variant declares a larger mu than it has, as slack for rounding.
   */
  private static final double SPENT = 1.001;

  @Override
  public String mechanism() {
    return ResidualStrataNoise.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    ResidualStrataNoise mechanism = scaled(planned(claim), share);
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    EncodedRow first = replaced ? Plans.row(BOUND, 0) : Plans.row(0, 0);
    return AuditCase.of(
        mechanism(), variant, claim, () -> new StagesTrial(mechanism, first, Plans.row(0, BOUND)));
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim moved = Claims.approximate(Neighbours.REPLACE_ONE);
    ResidualStrataNoise mechanism = planned(claim);
    ResidualStrataNoise ofMoved = planned(moved);
    return List.of(
        AuditCase.of(
                mechanism(),
                "a row that moves to the next epoch",
                moved,
                () -> new EpochsTrial(ofMoved, false))
            .asSound(),
        AuditCase.of(
                mechanism(),
                "a model from the epoch before without noise",
                moved,
                () -> new EpochsTrial(ofMoved, true))
            .withThreshold(0.5)
            .withRuns(10_000),
        audit("each stage with the whole budget", claim, Math.sqrt(0.5)),
        AuditCase.of(
                mechanism(),
                "a model from the sums without noise",
                claim,
                () -> new ExactModelTrial(mechanism))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  private ResidualStrataNoise planned(Claim claim) {
    return (ResidualStrataNoise)
        Plans.mechanism(mechanism(), claim, Map.of("strata", STRATA, "response", "x"));
  }

  private static ResidualStrataNoise scaled(ResidualStrataNoise right, double share) {
    return share == 1.0
        ? right
        : new ResidualStrataNoise(
            right.spec(),
            right.response(),
            right.responseName(),
            right.strata(),
            right.schema(),
            right.sensitivity(),
            SPENT * right.mu() / share,
            scaled(right.first(), share),
            scaled(right.second(), share),
            right.expectedRows(),
            right.modelEpochs());
  }

  private static SymmetricNoise scaled(SymmetricNoise noise, double share) {
    return new SymmetricNoise(
        noise.dimension(),
        RoundedGaussian.of(share * noise.diagonal().sigma()),
        RoundedGaussian.of(share * noise.offDiagonal().sigma()));
  }

  /** Returns weights that place a row by the sign of its last entry, or opposite to it. */
  private static long[] model(ResidualStrataNoise mechanism, long... first) {
    long[] model = new long[mechanism.modelLength()];
    long one = Math.round(1.0 / mechanism.stepSize());
    model[model.length - 1] = first[first.length - 1] < 0 ? -one : one;
    return model;
  }

  /** Computes the log-likelihood ratio of both stages, the second one given the model. */
  private static final class StagesTrial implements Trial {
    private final ResidualStrataNoise mechanism;
    private final EncodedRow[] rows;

    StagesTrial(ResidualStrataNoise mechanism, EncodedRow first, EncodedRow second) {
      this.mechanism = mechanism;
      this.rows = new EncodedRow[] {first, second};
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[][] firsts = {first(rows[0]), first(rows[1])};
      long[] first = firsts[inSecond ? 1 : 0].clone();
      mechanism.addNoise(first, 0, entropy);
      long[] model = model(mechanism, first);
      long[][] seconds = {second(rows[0], model), second(rows[1], model)};
      long[] second = seconds[inSecond ? 1 : 0].clone();
      mechanism.addSecondNoise(second, 0, entropy);
      return ratio(first, firsts, mechanism.first()) + ratio(second, seconds, mechanism.second());
    }

    private long[] first(EncodedRow row) {
      return ResidualStrataAudit.first(mechanism, row);
    }

    private long[] second(EncodedRow row, long... model) {
      return ResidualStrataAudit.second(mechanism, row, model);
    }
  }

  private static long[] first(ResidualStrataNoise mechanism, EncodedRow row) {
    return Plans.state(mechanism.spec().zero(), new RowTag(), row);
  }

  private static long[] second(ResidualStrataNoise mechanism, EncodedRow row, long... model) {
    return Plans.state(mechanism.second(model).zero(), new RowTag(), row);
  }

  private static double ratio(long[] release, long[][] states, SymmetricNoise noise) {
    double ratio = 0.0;
    for (int k = 0; k < release.length; k++) {
      double sigma = noise.scale(k, release.length);
      double apart = states[1][k] - states[0][k];
      double middle = 0.5 * (states[0][k] + states[1][k]);
      ratio += apart * (release[k] - middle) / (sigma * sigma);
    }
    return ratio;
  }

  /**
   * Computes the log-likelihood ratio of the releases of two epochs. The row is in the first one,
   * or another row is in the second one. Both models are made from the first stage of the first
   * epoch.
   */
  private static final class EpochsTrial implements Trial {
    private final ResidualStrataNoise mechanism;
    private final boolean exact;

    EpochsTrial(ResidualStrataNoise mechanism, boolean exact) {
      this.mechanism = mechanism;
      this.exact = exact;
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      EncodedRow[] before = {Plans.row(0, BOUND), Plans.row(0, 0)};
      EncodedRow[] after = {Plans.row(0, 0), Plans.row(0, BOUND)};
      int world = inSecond ? 1 : 0;
      long[][] firsts = {first(mechanism, before[0]), first(mechanism, before[1])};
      if (exact) {
        long[] sums = firsts[world].clone();
        sums[sums.length - 1]--; // no row is below 0
        return model(mechanism, sums)[mechanism.modelLength() - 1] < 0 ? 1.0 : -1.0;
      }
      long[] published = noisy(firsts[world], entropy);
      long[] model = model(mechanism, published);
      long[][] next = {first(mechanism, after[0]), first(mechanism, after[1])};
      return ratio(published, firsts, mechanism.first())
          + second(before, world, model, entropy)
          + ratio(noisy(next[world], entropy), next, mechanism.first())
          + second(after, world, model, entropy);
    }

    private long[] noisy(long[] sums, Entropy entropy) {
      long[] noisy = sums.clone();
      mechanism.addNoise(noisy, 0, entropy);
      return noisy;
    }

    private double second(EncodedRow[] rows, int world, long[] model, Entropy entropy) {
      long[][] states = {
        ResidualStrataAudit.second(mechanism, rows[0], model),
        ResidualStrataAudit.second(mechanism, rows[1], model)
      };
      long[] release = states[world].clone();
      mechanism.addSecondNoise(release, 0, entropy);
      return ratio(release, states, mechanism.second());
    }
  }

  /** A broken mechanism: the model shows whether there is a row. */
  private static final class ExactModelTrial implements Trial {
    private final ResidualStrataNoise mechanism;

    ExactModelTrial(ResidualStrataNoise mechanism) {
      this.mechanism = mechanism;
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      EncodedRow row = Plans.row(0, inSecond ? BOUND : 0);
      long[] exact = Plans.state(mechanism.spec().zero(), new RowTag(), row);
      exact[exact.length - 1]--; // no row is below 0
      return model(mechanism, exact)[mechanism.modelLength() - 1] < 0 ? -1.0 : 1.0;
    }
  }
}

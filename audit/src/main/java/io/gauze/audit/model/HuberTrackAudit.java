package io.gauze.audit.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.Trial;
import io.gauze.mechanism.model.HuberTrack;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.ObjectiveSpec;
import io.gauze.model.track.ModelTrack;
import io.gauze.model.track.PreviousModel;
import io.gauze.model.track.TrackedModel;
import io.gauze.noise.Entropy;
import java.util.List;
import java.util.Optional;

/**
 * Audits models of one feature and at most one row that are kept up to date: the noisy number of
 * rows and the coefficient, whose densities are known, together. A replaced row moves to the next
 * epoch, whose model begins with the published one. So the number of rows counts for both
 * relations.
 */
public final class HuberTrackAudit extends ObjectiveAudit {
  /** The ridge of so few rows is large, and hides the determinant anyway. */
  private static final double DETERMINANT_SHARE = 0.05;

  private static final double SQUARE = 0.1;
  private static final double NEAR = -2.8;
  private static final double FAR = 35.4;
  private static final int RUNS = 100_000;
  private static final double SOUND = 0.85;
  private static final double BROKEN = 1.15;
  private static final double SAMPLERS = 1e-6; // the delta that pays for them

  @Override
  public String mechanism() {
    return HuberTrack.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return track(claim, 1.0, 1.0).calibration().scale();
  }

  private static ModelTrack track(Claim claim, double share, double ofCount) {
    Budget whole = ModelTrack.fitBudget(budget(claim, share));
    Budget fit = new Budget(whole.epsilon(), 0.5 * SAMPLERS, claim.neighbours());
    ObjectiveSpec spec =
        ObjectiveSpec.of(1, 1.0, new ModelLoss.Huber(1.0), fit)
            .withNoise(ObjectiveNoise.PURE)
            .withDeterminantShare(DETERMINANT_SHARE);
    return ModelTrack.of(spec, budget(claim, share * ofCount), SQUARE);
  }

  private static Budget budget(Claim claim, double share) {
    return new Budget(claim.epsilon() / share, SAMPLERS, claim.neighbours());
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    return audit(variant, claim, track(claim, share, 1.0), share < 1.0 ? BROKEN : SOUND, 0);
  }

  private AuditCase audit(
      String variant, Claim claim, ModelTrack track, double threshold, int uncharged) {
    return AuditCase.of(mechanism(), variant, claim, () -> new EpochsTrial(track, claim, uncharged))
        .withThreshold(threshold * claim.epsilon())
        .withRuns(RUNS);
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.pure(Neighbours.ADD_REMOVE);
    return List.of(
        audit(
            "a count with the whole budget",
            claim,
            track(claim, 1.0, ModelTrack.COUNT_SHARE),
            BROKEN,
            0),
        audit("a centre of the same row", claim, track(claim, 1.0, 1.0), BROKEN, 1));
  }

  /** Computes the log-likelihood ratio of what is released, without the noise for the solver. */
  private static final class EpochsTrial implements Trial {
    private final ModelTrack track;
    private final ObjectiveCalibration calibration;
    private final boolean moves;
    private final int uncharged;

    /**
     * Creates a trial.
     *
     * @param uncharged how often the rows of the first epoch are fitted for a centre before
     */
    EpochsTrial(ModelTrack track, Claim claim, int uncharged) {
      this.track = track;
      this.calibration = track.calibration();
      this.moves = claim.neighbours() == Neighbours.REPLACE_ONE;
      this.uncharged = uncharged;
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      List<Double> none = List.of();
      List<Double> near = List.of(NEAR);
      Optional<PreviousModel<TrackedModel>> last = Optional.empty();
      double ratio = 0.0;
      for (int epoch = 0; epoch <= uncharged; epoch++) {
        TrackedModel model = track.fit(rows(inSecond ? none : near), last, entropy);
        ratio += logDensity(model, last, none) - logDensity(model, last, near);
        last = Optional.of(new PreviousModel<>(model, 1));
      }
      if (moves) {
        List<Double> far = List.of(FAR);
        TrackedModel model = track.fit(rows(inSecond ? far : none), last, entropy);
        ratio += logDensity(model, last, far) - logDensity(model, last, none);
      }
      return ratio;
    }

    private ModelRows rows(List<Double> responses) {
      ModelRows rows = track.rows();
      responses.forEach(response -> rows.add(new double[] {1.0}, response));
      return rows;
    }

    /** The logarithm of the density of number and coefficient, up to a constant. */
    private double logDensity(
        TrackedModel model, Optional<PreviousModel<TrackedModel>> before, List<Double> responses) {
      int bits = calibration.outputBits();
      double theta = Math.scalb((double) model.numbers()[0], -bits);
      double centre = before.map(earlier -> earlier.model().centre(bits).get(0)).orElse(0.0);
      double linear = -model.ridge() * (theta - centre);
      double curvature = model.ridge();
      for (double response : responses) {
        double residual = response - theta;
        linear += Math.max(-1.0, Math.min(1.0, residual));
        curvature += Math.abs(residual) < 1.0 ? 1.0 : 0.0;
      }
      return Math.log(curvature)
          - Math.abs(linear) / calibration.scale()
          + logCount(model.count() - responses.size());
    }

    /** The logarithm of the probability of rounded Laplace noise. */
    private double logCount(long noise) {
      double scale = track.count().scale();
      double half = 0.5 / scale;
      return noise == 0
          ? Math.log(-Math.expm1(-half))
          : -Math.abs(noise) / scale + Math.log(Math.sinh(half));
    }
  }
}

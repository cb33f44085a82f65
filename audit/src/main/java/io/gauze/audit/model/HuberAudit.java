package io.gauze.audit.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.model.HuberModel;
import io.gauze.model.ModelLoss;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import java.util.List;

/**
 * Audits models of one feature and one row, whose coefficient has a known density. The gradient of
 * one response and of the other one are at their two bounds; at a corner of the loss, so is the
 * determinant.
 */
public class HuberAudit extends ObjectiveAudit implements MinimiserTrial.Row {
  private static final double DETERMINANT_SHARE = 0.6;
  private static final double NEAR = 2.8; // on the side where the slope of a quantile is largest
  private static final double FAR = -35.4;
  private static final int RUNS = 100_000;

  /**
   * Events of a sound mechanism are near what these rows reach, of a broken one beyond the claim. A
   * replaced row moves the gradient of a quantile by two thirds of its bound.
   */
  private static final double SOUND = 0.85;

  private static final double SOUND_OF_QUANTILES = 0.6;

  private static final double BROKEN = 1.15;
  private static final double CENTRE = 0.64; // of the ridge of quantiles
  private static final double SAMPLERS = 1e-6; // the delta that pays for them

  private final String mechanism;
  private final ModelLoss loss;
  private final double tilt;
  private final double centre;

  /** The mechanism huber. */
  public HuberAudit() {
    this(HuberModel.HUBER, new ModelLoss.Huber(1.0), 0.0, 0.0);
  }

  private HuberAudit(String mechanism, ModelLoss loss, double tilt, double centre) {
    this.mechanism = mechanism;
    this.loss = loss;
    this.tilt = tilt;
    this.centre = centre;
  }

  /** The mechanism quantile. */
  public static final class OfQuantile extends HuberAudit {
    public OfQuantile() {
      super(HuberModel.QUANTILE, new ModelLoss.Quantile(0.75, 1.0), 0.5, CENTRE);
    }
  }

  @Override
  public String mechanism() {
    return mechanism;
  }

  @Override
  public double noise(Claim claim) {
    return mechanism(claim, 1.0).calibration().scale();
  }

  /** The noise and the ridge of a larger epsilon are smaller. */
  private ObjectivePerturbation mechanism(Claim claim, double share) {
    Budget budget = new Budget(claim.epsilon() / share, SAMPLERS, claim.neighbours());
    return ObjectivePerturbation.of(
        ObjectiveSpec.of(1, 1.0, loss, budget)
            .withNoise(ObjectiveNoise.PURE)
            .withDeterminantShare(DETERMINANT_SHARE)
            .withCentre(DoubleVector.of(centre)));
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    ObjectivePerturbation audited = mechanism(claim, share);
    List<Double> one = List.of(NEAR);
    List<Double> other =
        claim.neighbours() == Neighbours.REPLACE_ONE ? List.of(FAR) : List.<Double>of();
    double sound = tilt == 0.0 ? SOUND : SOUND_OF_QUANTILES;
    double threshold = (share < 1.0 ? BROKEN : sound) * claim.epsilon();
    return AuditCase.of(
            mechanism(), variant, claim, () -> new MinimiserTrial(audited, this, one, other))
        .withThreshold(threshold)
        .withRuns(RUNS);
  }

  @Override
  public double score(double response, double theta) {
    return Math.max(-1.0, Math.min(1.0, response - theta)) + tilt;
  }

  @Override
  public double curvature(double response, double theta) {
    return Math.abs(response - theta) < 1.0 ? 1.0 : 0.0;
  }
}

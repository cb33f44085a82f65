package io.gauze.audit.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Trial;
import io.gauze.mechanism.model.LogisticModel;
import io.gauze.model.ModelLoss;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import java.util.List;

/**
 * Audits logistic models of one feature and one row. The determinant is near its bound where the
 * coefficient is small, and the gradient of a row where the model is wrong about its label. Two
 * labels at once move it by no more than one, so a replaced row moves to another cell.
 */
public final class LogisticAudit extends ObjectiveAudit implements MinimiserTrial.Row {
  private static final double DETERMINANT_SHARE = 0.6;
  private static final List<Double> ROW = List.of(1.0);
  private static final List<Double> NONE = List.of();
  private static final int RUNS = 200_000;
  private static final double SOUND = 0.6;
  private static final double BROKEN = 1.2;
  private static final double SAMPLERS = 1e-6; // the delta that pays for them

  @Override
  public String mechanism() {
    return LogisticModel.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return mechanism(claim, 1.0).calibration().scale();
  }

  /** The noise and the ridge of a larger epsilon are smaller. */
  private static ObjectivePerturbation mechanism(Claim claim, double share) {
    Budget budget = new Budget(claim.epsilon() / share, SAMPLERS, claim.neighbours());
    return ObjectivePerturbation.of(
        ObjectiveSpec.of(1, 1.0, new ModelLoss.Logistic(), budget)
            .withNoise(ObjectiveNoise.PURE)
            .withDeterminantShare(DETERMINANT_SHARE));
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    ObjectivePerturbation audited = mechanism(claim, share);
    double threshold = (share < 1.0 ? BROKEN : SOUND) * claim.epsilon();
    boolean moves = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
            mechanism(),
            variant,
            claim,
            () -> {
              Trial leaves = new MinimiserTrial(audited, this, ROW, NONE);
              Trial enters = new MinimiserTrial(audited, this, NONE, ROW);
              return (second, entropy) ->
                  enters.run(second, entropy) + (moves ? leaves.run(second, entropy) : 0.0);
            })
        .withThreshold(threshold)
        .withRuns(RUNS);
  }

  /** One model shows less than half of epsilon, since no row reaches both bounds. */
  @Override
  public int restored() {
    return 4;
  }

  @Override
  public double score(double label, double theta) {
    return label / (1.0 + Math.exp(label * theta));
  }

  @Override
  public double curvature(double label, double theta) {
    double share = 1.0 / (1.0 + Math.exp(-Math.abs(theta)));
    return share * (1.0 - share);
  }
}

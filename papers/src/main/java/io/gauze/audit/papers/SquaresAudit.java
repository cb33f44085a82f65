package io.gauze.audit.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ObjectivePrivacy;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.Trial;
import io.gauze.audit.model.ObjectiveAudit;
import io.gauze.mechanism.papers.SquaresModel;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.SquaresPerturbation;
import io.gauze.model.SquaresSpec;
import java.util.List;

/**
 * Audits models of least squares of one feature, whose coefficient has a density within its ball,
 * and a probability at each end. Other rows of small features and one response push the model to an
 * end, without adding to the curvature: near that end both the gradient and the determinant of a
 * row of full length are at their bounds.
 */
public final class SquaresAudit extends ObjectiveAudit {
  private static final double UNIT = 0x1p-30;

  /** Where the prediction is a part of the residual. */
  private static final double RADIUS = 0.75;

  /** In so small a ball two rows of opposite responses attain nearly twice L. */
  private static final double SMALL = 0x1p-4;

  /** In this one the prediction is most of a residual. */
  private static final double LARGE = 1.5;

  /** Features of the other rows; their response is -1. */
  private static final double FEW = 0x1p-6;

  /** Other rows of the feature 1 in the cell to which a row moves, where it adds no curvature. */
  private static final double MANY = 16.0;

  private static final int RUNS = 30_000;

  /** For a loss of little more than the claim. */
  private static final int RUNS_OF_PARTS = 200_000;

  private static final double SOUND = 0.9;
  private static final double BROKEN = 1.1;
  private static final double PARTS = 1.05;
  private static final double SAMPLERS = 1e-6; // the delta that pays for them

  /** Of the published calibration: variance {@code 10 L^2 ln(1 / delta) / epsilon^2}. */
  private static final double PUBLISHED_EPSILON = 4.0;

  private static final double PUBLISHED_DELTA = 0.02;
  private static final double PUBLISHED_RIDGE = 100.0;

  @Override
  public String mechanism() {
    return SquaresModel.NAME;
  }

  @Override
  public double noise(Claim claim) {
    return SquaresPerturbation.of(spec(claim, 1.0, RADIUS)).scale();
  }

  /** Rows of a feature and a response of at most 1. */
  private static SquaresSpec spec(Claim claim, double share, double radius) {
    Budget budget = new Budget(claim.epsilon() / share, SAMPLERS, claim.neighbours());
    return new SquaresSpec(1, radius, 1.0 + radius, 1.0, UNIT, budget, ObjectiveNoise.PURE);
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    return audit(variant, claim, spec(claim, share, RADIUS))
        .withThreshold((share < 1.0 ? BROKEN : SOUND) * claim.epsilon());
  }

  /** A row that leaves a cell, and enters another one if it is replaced. */
  private AuditCase audit(String variant, Claim claim, SquaresSpec spec) {
    SquaresPerturbation audited = SquaresPerturbation.of(spec);
    double push = 1.0 + (audited.lambda() + 1.0) * spec.radius();
    BallTrial.Sums left = new BallTrial.Sums(FEW * push, -push);
    BallTrial.Sums entered =
        new BallTrial.Sums(MANY, 0.5 - (MANY + audited.lambda()) * spec.radius());
    boolean moves = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
            mechanism(),
            variant,
            claim,
            () -> {
              Trial leaves = new BallTrial(SquaresPerturbation.of(spec), left.with(1.0, 1.0), left);
              Trial enters =
                  new BallTrial(SquaresPerturbation.of(spec), entered, entered.with(1.0, 1.0));
              return (second, entropy) ->
                  leaves.run(second, entropy) + (moves ? enters.run(second, entropy) : 0.0);
            })
        .withThreshold(BROKEN * claim.epsilon())
        .withRuns(RUNS);
  }

  /**
   * The bound on gradients without the prediction, half of the ridge, a b that has epsilon for
   * itself beside the determinant, and the published variance, which is claimed for replaced rows
   * to cost half of epsilon beside the determinant.
   */
  @Override
  public List<AuditCase> published() {
    Claim removed = Claims.pure(Neighbours.ADD_REMOVE);
    SquaresSpec large = spec(removed, 1.0, LARGE);
    SquaresSpec spec = spec(removed, 1.0, RADIUS);
    double left = 1.0 - SquaresSpec.DETERMINANT_SHARE;
    return List.of(
        audit("gradients without predictions", removed, large.withGradientBound(1.0)),
        parts("half of the ridge", removed, spec.withCurvatureBound(0.5)),
        parts("b with all of epsilon", removed, spec.withGradientBound(left * spec.gradientBound()))
            .withRuns(RUNS_OF_PARTS / 2),
        published(
            new Claim(
                0.5 * PUBLISHED_EPSILON + 2.0 / PUBLISHED_RIDGE,
                PUBLISHED_DELTA,
                Neighbours.REPLACE_ONE)));
  }

  private AuditCase parts(String variant, Claim claim, SquaresSpec spec) {
    return audit(variant, claim, spec)
        .withThreshold(PARTS * claim.epsilon())
        .withRuns(RUNS_OF_PARTS);
  }

  private AuditCase published(Claim claim) {
    Budget budget = new Budget(PUBLISHED_EPSILON, PUBLISHED_DELTA, claim.neighbours());
    double deviation =
        Math.sqrt(10.0 * Math.log(1.0 / PUBLISHED_DELTA)) / PUBLISHED_EPSILON * (1.0 + SMALL);
    double det = SquaresSpec.DETERMINANT_SHARE * PUBLISHED_EPSILON;
    SquaresSpec right =
        new SquaresSpec(1, SMALL, 1.0 + SMALL, 1.0, UNIT, budget, ObjectiveNoise.GAUSSIAN);
    double scale = SquaresPerturbation.of(right).scale() / (1.0 + SMALL);
    SquaresSpec published =
        right
            .withGradientBound(deviation / scale)
            .withCurvatureBound(PUBLISHED_RIDGE / ObjectivePrivacy.strength(det));
    BallTrial.Sums none = new BallTrial.Sums(0.0, 0.0);
    return AuditCase.of(
            mechanism(),
            "the published variance",
            claim,
            () ->
                new BallTrial(
                    SquaresPerturbation.of(published), none.with(1.0, 1.0), none.with(1.0, -1.0)))
        .withRuns(RUNS_OF_PARTS);
  }
}

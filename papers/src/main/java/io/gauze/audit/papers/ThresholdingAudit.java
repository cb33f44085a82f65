package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.GradientBudget;
import io.gauze.mechanism.papers.HardThresholding;
import io.gauze.noise.Entropy;
import io.gauze.row.EncodedRow;
import java.util.List;
import java.util.Map;

/**
 * Audits one step of hard thresholding, or of peeling: a draw and the value of what is drawn. Rows
 * attain the bounds of the gradient, but a part of the budget is the curvature's, and draws have
 * less to tell than the Gaussian that accounts for them, so that the audit cannot detect a tenth
 * less noise.
 */
public class ThresholdingAudit extends MechanismAudit {
  private static final int ONE = BOUND / 2;
  private static final double RADIUS = 0.25;

  private final boolean peels;

  /** The mechanism iht. */
  public ThresholdingAudit() {
    this(false);
  }

  private ThresholdingAudit(boolean peels) {
    this.peels = peels;
  }

  /** The mechanism peeling. */
  public static final class OfPeeling extends ThresholdingAudit {
    public OfPeeling() {
      super(true);
    }
  }

  @Override
  public String mechanism() {
    return peels ? HardThresholding.PEELING : HardThresholding.IHT;
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).sigma();
  }

  @Override
  public List<Neighbours> exact() {
    return List.of();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    HardThresholding right = planned(claim);
    GradientBudget parts = right.parts();
    HardThresholding mechanism =
        right.withParts(
            new GradientBudget(
                parts.curvature() / share, parts.values() / share, parts.range() / share));
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
        mechanism(), variant, claim, () -> new StepTrial(mechanism, peels, replaced));
  }

  // The published variance of the gradient's noise has no factor for the size of a row's gradient,
  // here sqrt 2. The published scale of peeling is R (sqrt s + 1) for R sqrt s + 1, R the radius.
  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    return List.of(
        peels
            ? audit("the published scale, for a small ball", claim, 2.0 * RADIUS / (1.0 + RADIUS))
            : audit("the published variance, without the size of rows", claim, Math.sqrt(0.5)));
  }

  private HardThresholding planned(Claim claim) {
    String nonzero = peels ? "1" : "2";
    return (HardThresholding)
        Plans.ofFour(
            mechanism(),
            claim,
            Map.of(
                "steps",
                "1",
                "nonzero",
                nonzero,
                "radius",
                Double.toString(RADIUS),
                "response",
                "y"));
  }

  /** Computes the log-likelihood ratio of the coefficients, for a curvature without noise. */
  private static final class StepTrial implements Trial {
    private static final int RESPONSE = 3;
    private static final long COPIES = 1L << 20;
    private static final double SQUARE = (double) ONE * ONE;

    private final HardThresholding mechanism;
    private final boolean peels;
    private final long[] first;
    private final long[] second;
    private final double curvature;
    private final double sigma;

    // Many rows decide the curvature, and speak for x and z alike. One more has the largest
    // gradient; for peeling it speaks for x and against z.
    StepTrial(HardThresholding mechanism, boolean peels, boolean replaced) {
      this.mechanism = mechanism;
      this.peels = peels;
      int z = peels ? -ONE : ONE;
      this.first = state(replaced ? Plans.row(0, ONE, z, -ONE) : Plans.row(0, 0, 0, 0));
      this.second = state(Plans.row(0, ONE, z, ONE));
      GradientBudget parts = mechanism.parts();
      double row = replaced ? 2.0 : 1.0;
      this.sigma = (peels ? 1.0 : Math.sqrt(2.0)) * row * SQUARE / parts.values();
      this.curvature =
          second[mechanism.spec().index(1, 1)]
              + Math.abs((double) second[mechanism.spec().index(1, 2)])
              + mechanism.curvatureMargin();
    }

    private long[] state(EncodedRow row) {
      List<EncodedRow> many = List.of(Plans.row(0, ONE, 0, 1), Plans.row(0, 0, ONE, 1));
      return Plans.amid(COPIES, many, row, mechanism.spec());
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] payload = mechanism.release((inSecond ? second : first).clone(), entropy);
      double ratio = 0.0;
      for (int k = 1; k <= 2; k++) {
        if (payload[k] != 0L) {
          double value = payload[k] * mechanism.stepSize() * curvature;
          double before = gradient(first, k);
          double after = gradient(second, k);
          ratio += (after - before) * (value - 0.5 * (after + before)) / (sigma * sigma);
          ratio += peels ? logProbability(second, k) - logProbability(first, k) : 0.0;
        }
      }
      return ratio;
    }

    private double logProbability(long[] state, int column) {
      double gap =
          mechanism.rate(new double[3]) * (gradient(state, column) - gradient(state, 3 - column));
      return -Math.log1p(Math.exp(-gap));
    }

    private double gradient(long[] state, int column) {
      return state[mechanism.spec().index(column, RESPONSE)];
    }
  }
}

package io.gauze.audit.papers;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.FrankWolfe;
import io.gauze.noise.Entropy;
import io.gauze.row.EncodedRow;
import java.util.List;
import java.util.Map;

/**
 * Audits two steps of Frank and Wolfe among the vertices of two features. Both attain their bounds,
 * but draws have less to tell than the Gaussians that account for them, so that the audit cannot
 * detect a tenth less noise.
 */
public final class FrankWolfeAudit extends MechanismAudit {
  private static final int ONE = BOUND / 2;
  private static final double RADIUS = 0.25;

  @Override
  public String mechanism() {
    return FrankWolfe.NAME;
  }

  @Override
  public double noise(Claim claim) {
    FrankWolfe right = planned(claim);
    return 1.0 / right.rate(new double[3]);
  }

  @Override
  public List<Neighbours> exact() {
    return List.of();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    FrankWolfe right = planned(claim);
    FrankWolfe mechanism = right.withRange(right.range() / share);
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    // No ratio of two draws reaches an epsilon of 1: other events tell more.
    return AuditCase.of(mechanism(), variant, claim, () -> new StepsTrial(mechanism, replaced))
        .withLearntThreshold();
  }

  /** The published proof counts a change of the scores once, of which one rises and one falls. */
  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim oneStep = Claims.pure(Neighbours.REPLACE_ONE);
    return List.of(
        audit("Laplace's half of the scale", claim, 0.5),
        AuditCase.of(
                mechanism(),
                "the argmin of scores with Laplace noise, one step",
                oneStep,
                () -> new NoisyArgminTrial(planned(oneStep), oneStep.epsilon()))
            .withRuns(NoisyArgminTrial.RUNS));
  }

  private FrankWolfe planned(Claim claim) {
    return (FrankWolfe)
        Plans.ofFour(
            mechanism(),
            claim,
            Map.of("steps", "2", "radius", Double.toString(RADIUS), "response", "y"));
  }

  /** Computes the log-likelihood ratio of both vertices. */
  private static final class StepsTrial implements Trial {
    private static final int RESPONSE = 3;
    private static final long COPIES = 1024;

    private final FrankWolfe mechanism;
    private final long[] first;
    private final long[] second;

    // One row raises the score of x and lowers that of z, by all that their bound allows.
    StepsTrial(FrankWolfe mechanism, boolean replaced) {
      this.mechanism = mechanism;
      EncodedRow before = replaced ? Plans.row(0, ONE, -ONE, -ONE) : Plans.row(0, 0, 0, 0);
      this.first = state(before);
      this.second = state(Plans.row(0, ONE, -ONE, ONE));
    }

    /** Many rows that speak for x and z alike, and for no other vertex, and one more. */
    private long[] state(EncodedRow row) {
      List<EncodedRow> many =
          List.of(Plans.row(0, ONE / 16, 0, ONE), Plans.row(0, 0, ONE / 16, ONE));
      return Plans.amid(COPIES, many, row, mechanism.spec());
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] payload = mechanism.release((inSecond ? second : first).clone(), entropy);
      double[] theta = new double[payload.length];
      for (int k = 0; k < theta.length; k++) {
        theta[k] = payload[k] * mechanism.stepSize() / RADIUS;
      }
      int[] path = path(theta);
      double[] middle = new double[theta.length];
      double ratio =
          logProbability(second, middle, path[0]) - logProbability(first, middle, path[0]);
      middle[path[0] / 2] = (path[0] % 2 == 0 ? 2.0 : -2.0) / 3.0 * RADIUS;
      return ratio
          + logProbability(second, middle, path[1])
          - logProbability(first, middle, path[1]);
    }

    // The first vertex has the weight 1/3 in the end, the second 1/2.
    private static int[] path(double... theta) {
      int large = 0;
      int other = -1;
      for (int k = 0; k < theta.length; k++) {
        large = Math.abs(theta[k]) > Math.abs(theta[large]) ? k : large;
      }
      for (int k = 0; k < theta.length; k++) {
        other = k != large && Math.abs(theta[k]) > 0.1 ? k : other;
      }
      int last = vertex(large, theta[large]);
      if (other >= 0) {
        return new int[] {vertex(other, theta[other]), last};
      }
      return new int[] {Math.abs(theta[large]) > 0.5 ? last : last ^ 1, last};
    }

    private static int vertex(int feature, double sign) {
      return 2 * feature + (sign > 0.0 ? 0 : 1);
    }

    private double logProbability(long[] state, double[] theta, int vertex) {
      double rate = mechanism.rate(theta);
      double sum = 0.0;
      double chosen = rate * score(state, theta, vertex);
      for (int v = 0; v < 2 * theta.length; v++) {
        sum += Math.exp(rate * score(state, theta, v) - chosen);
      }
      return -Math.log(sum);
    }

    private double score(long[] state, double[] theta, int vertex) {
      int j = vertex / 2;
      double gradient = state[mechanism.spec().index(j, RESPONSE)];
      for (int k = 0; k < theta.length; k++) {
        gradient -= theta[k] * state[mechanism.spec().index(j, k)];
      }
      return vertex % 2 == 0 ? gradient : -gradient;
    }
  }
}

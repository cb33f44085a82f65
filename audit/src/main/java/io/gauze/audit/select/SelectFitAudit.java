package io.gauze.audit.select;

import static io.gauze.audit.Plans.BOUND;

import io.gauze.accounting.BoundedRange;
import io.gauze.accounting.Neighbours;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.mechanism.select.SelectFitRows;
import io.gauze.mechanism.select.SelectionPlan;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import java.util.List;
import java.util.Map;

/**
 * Audits the selection of one of two columns and the moments of the one that is selected, of rows
 * that are read again and of sums that are made in one reading. A choice between two has less to
 * tell than the Gaussian that accounts for it, so that the audit cannot detect a tenth less noise.
 */
public final class SelectFitAudit extends MechanismAudit {
  private static final int ONE = BOUND / 2;
  static final int RESPONSE = 3;

  private static final int ROWS = 1_000;

  /** Draws have most of the budget where one row is expected, so that wrong shares show. */
  private static final int ONE_ROW = 1;

  /** Draws of so large a range are of the larger score. */
  private static final double NO_NOISE = 1e4;

  @Override
  public String mechanism() {
    return SelectFit.NAME;
  }

  @Override
  public double noise(Claim claim) {
    SelectFitRows planned = ofRows(claim, ROWS);
    return planned.sigma() * planned.stepSize();
  }

  @Override
  public List<Neighbours> exact() {
    return List.of();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    SelectFitRows right = ofRows(claim, ROWS);
    return audit(
        variant, claim, right, right.plan().range() / share, less(right.plan().noise(), share));
  }

  private static SymmetricNoise less(SymmetricNoise noise, double share) {
    return new SymmetricNoise(
        noise.dimension(),
        RoundedGaussian.of(share * noise.diagonal().sigma()),
        RoundedGaussian.of(share * noise.offDiagonal().sigma()));
  }

  @Override
  public boolean isForOneResponse() {
    return true;
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    SelectFitRows right = ofRows(claim, ONE_ROW);
    SelectFit once = ofSums(claim);
    return List.of(
        audit("columns selected without noise", claim, right, NO_NOISE, right.plan().noise())
            .withRuns(20_000),
        audit(
            "half of the sensitivity of scores",
            claim,
            right,
            2.0 * right.plan().range(),
            right.plan().noise()),
        audit(
            "moments of the selected columns with the whole budget",
            claim,
            right,
            right.plan().range(),
            less(right.plan().noise(), ofMoments(right.plan()))),
        audit("one reading", claim, once, once.plan().range()).asSound(),
        audit("one reading, columns selected without noise", claim, once, NO_NOISE)
            .withRuns(20_000));
  }

  /** Returns the mu that the released moments have, over that of all, where one column is drawn. */
  private static double ofMoments(SelectionPlan plan) {
    double draw = BoundedRange.mu(plan.range()) / plan.mu();
    return Math.sqrt(1.0 - draw * draw);
  }

  private AuditCase audit(
      String variant, Claim claim, SelectFitRows right, double range, SymmetricNoise noise) {
    SelectFitRows mechanism = right.with(right.plan().with(range, noise));
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(
        mechanism(), variant, claim, () -> new RowsSelectionTrial(mechanism, replaced));
  }

  private AuditCase audit(String variant, Claim claim, SelectFit right, double range) {
    SelectFit mechanism = right.with(right.plan().with(range, right.plan().noise()));
    boolean replaced = claim.neighbours() == Neighbours.REPLACE_ONE;
    return AuditCase.of(mechanism(), variant, claim, () -> new SelectionTrial(mechanism, replaced));
  }

  private SelectFitRows ofRows(Claim claim, int expectedRows) {
    return (SelectFitRows) Plans.ofFourApart(mechanism(), claim, expectedRows, options(2));
  }

  private SelectFit ofSums(Claim claim) {
    return (SelectFit) Plans.ofFour(mechanism(), claim, options(1));
  }

  private static Map<String, String> options(int readings) {
    return Map.of(
        "selected", "1", "rounds", "1", "response", "y", "readings", Integer.toString(readings));
  }

  /** Computes the log-likelihood ratio of the selected column and of its moments. */
  private static final class SelectionTrial implements Trial {
    private final SelectFit mechanism;
    private final long[] first;
    private final long[] second;

    // Scores of x and z have different signs, so that one row raises the one and lowers the other
    // by all that their bound allows. Its moments attain their bound too. In the first data set z
    // is ahead of x by that bound, in the second x ahead of z.
    SelectionTrial(SelectFit mechanism, boolean replaced) {
      this.mechanism = mechanism;
      EncodedRow x = Plans.row(0, ONE, 0, ONE);
      EncodedRow z = Plans.row(0, 0, -ONE, ONE);
      EncodedRow before = replaced ? Plans.row(0, ONE, ONE, -ONE) : Plans.row(0, 0, 0, 0);
      EncodedRow ahead = replaced ? Plans.row(0, 0, 0, 0) : z;
      this.first = state(x, x, z, z, ahead, before);
      this.second = state(x, x, z, z, ahead, Plans.row(0, ONE, ONE, ONE));
    }

    private long[] state(EncodedRow... rows) {
      return Plans.state(mechanism.spec().zero(), new RowTag(), rows);
    }

    @Override
    public double run(boolean inSecond, Entropy entropy) {
      long[] payload = mechanism.release((inSecond ? second : first).clone(), entropy);
      int selected = (int) Math.rint(payload[0] * mechanism.stepSize());
      double ratio = logProbability(second, selected) - logProbability(first, selected);
      int[] columns = {0, selected, RESPONSE};
      long[] mean = mechanism.upper(first, columns);
      long[] other = mechanism.upper(second, columns);
      for (int i = 0; i < mean.length; i++) {
        double sigma = mechanism.plan().noise().scale(i, mean.length);
        double middle = 0.5 * (mean[i] + other[i]);
        ratio += (other[i] - mean[i]) * (payload[1 + i] - middle) / (sigma * sigma);
      }
      return ratio;
    }

    private double logProbability(long[] state, int selected) {
      double rate = mechanism.rate();
      double gap = rate * (score(state, selected) - score(state, RESPONSE - selected));
      return -Math.log1p(Math.exp(-gap));
    }

    private double score(long[] state, int column) {
      return Math.abs((double) state[mechanism.spec().index(column, RESPONSE)]);
    }
  }
}

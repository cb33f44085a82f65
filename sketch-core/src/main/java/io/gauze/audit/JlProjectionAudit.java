package io.gauze.audit;

import io.gauze.privacy.Budget;
import io.gauze.privacy.Entropy;
import io.gauze.privacy.ProjectionPrivacy;
import io.gauze.row.EncodedRow;
import io.gauze.row.Neighbours;
import io.gauze.row.RowTag;
import io.gauze.sketch.GaussianProjection;
import io.gauze.sketch.GaussianProjectionSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The Gaussian projection of the rows, with the rows {@code w e_1} and {@code w e_2} appended, each
 * row under a fresh secret tag. The worst replaced rows are orthogonal.
 */
final class JlProjectionAudit implements MechanismAudit {
  private static final int ROWS = 4;
  private static final int BOUND = 1 << 12;
  private static final int FRACTION = GaussianProjectionSpec.FRACTION_BITS;
  private static final GaussianProjectionSpec SPEC = new GaussianProjectionSpec(2, ROWS, 0L);

  @Override
  public String mechanism() {
    return "jl-projection";
  }

  @Override
  public List<AuditCase> cases() {
    List<AuditCase> cases = new ArrayList<>();
    for (Claim claim : Claims.approximate()) {
      cases.add(AuditCase.sound(mechanism(), claim, trials(claim, ridgeRow(claim))));
    }
    for (Neighbours neighbours : Neighbours.values()) {
      Claim claim = Claims.approximate(neighbours);
      int less = (int) (ridgeRow(claim) / Twin.LESS);
      cases.add(broken(Twin.LESS_NOISE + " (w)", claim, trials(claim, less)));
    }
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    cases.add(
        broken(Twin.WRONG_RELATION, replaced, trials(replaced, ridgeRow(removed))));
    int ridgeRow = ridgeRow(removed);
    cases.add(
        broken("002: unregularised, rescaled by w / sigma_min", removed, () -> new Rescaled(ridgeRow))
            .withRuns(20_000));
    cases.add(
        broken("one projection of two data sets", removed, () -> new Reused(ridgeRow))
            .withThreshold(0.5)
            .withRuns(10_000));
    return cases;
  }

  private AuditCase broken(String variant, Claim claim, Supplier<Trial> trials) {
    return AuditCase.broken(mechanism(), variant, claim, trials);
  }

  /** w in grid steps, rounded up. */
  private static int ridgeRow(Claim claim) {
    Budget budget = new Budget(claim.epsilon(), claim.delta(), claim.neighbours());
    return (int) Math.ceil(BOUND * Math.sqrt(ProjectionPrivacy.ridge(budget, ROWS)));
  }

  private static Supplier<Trial> trials(Claim claim, int ridgeRow) {
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? BOUND : 0;
    return () -> new Projected(ridgeRow, old);
  }

  /** A row under a tag of its own. */
  private static void project(EncodedRow row, GaussianProjection sketch, Entropy entropy) {
    RowTag tag = new RowTag();
    tag.set(entropy.nextLong(), entropy.nextLong());
    sketch.add(tag, row, 1);
  }

  /** The sum of squares of a column, in squared grid steps. */
  private static double squares(GaussianProjection sketch, int column) {
    double sum = 0.0;
    for (int j = 0; j < ROWS; j++) {
      double entry = Math.scalb((double) sketch.state()[2 * j + column], -FRACTION);
      sum += entry * entry;
    }
    return sum;
  }

  /** The row (old, 0) or the row (0, B) above the ridge rows. */
  private static final class Projected implements Trial {
    private final GaussianProjection sketch = SPEC.zero();
    private final EncodedRow[] ridge;
    private final EncodedRow[] rows;
    private final CovarianceLoss loss;

    Projected(int ridgeRow, int old) {
      ridge = new EncodedRow[] {Plans.row(ridgeRow, 0), Plans.row(0, ridgeRow)};
      rows = new EncodedRow[] {Plans.row(old, 0), Plans.row(0, BOUND)};
      double w2 = (double) ridgeRow * ridgeRow;
      loss =
          new CovarianceLoss(
              ROWS,
              new double[] {w2 + (double) old * old, w2},
              new double[] {w2, w2 + (double) BOUND * BOUND});
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      project(ridge[0], sketch, entropy);
      project(ridge[1], sketch, entropy);
      project(rows[second ? 1 : 0], sketch, entropy);
      return loss.ratio(squares(sketch, 0), squares(sketch, 1));
    }
  }

  /**
   * As published for data whose least singular value is below w: no ridge, and {@code w /
   * sigma_min} times the projection. The rows are (B, 0) and (0, B / 4), and a second (0, B) or
   * not; the least singular value is B/4 without it and B with it.
   */
  private static final class Rescaled implements Trial {
    private final GaussianProjection sketch = SPEC.zero();
    private final EncodedRow[] common = {Plans.row(BOUND, 0), Plans.row(0, BOUND / 4)};
    private final EncodedRow row = Plans.row(0, BOUND);
    private final double[] factors;
    private final CovarianceLoss loss;

    Rescaled(int ridgeRow) {
      double w2 = (double) ridgeRow * ridgeRow;
      double b2 = (double) BOUND * BOUND;
      factors = new double[] {16.0 * w2 / b2, w2 / b2}; // (w / sigma_min)^2
      loss =
          new CovarianceLoss(ROWS, new double[] {16.0 * w2, w2}, new double[] {w2, 17.0 / 16 * w2});
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      project(common[0], sketch, entropy);
      project(common[1], sketch, entropy);
      if (second) {
        project(row, sketch, entropy);
      }
      double factor = factors[second ? 1 : 0];
      return loss.ratio(factor * squares(sketch, 0), factor * squares(sketch, 1));
    }
  }

  /** One projection is published before and after a row may have come. */
  private static final class Reused implements Trial {
    private final GaussianProjection sketch = SPEC.zero();
    private final EncodedRow[] ridge;
    private final EncodedRow row = Plans.row(0, BOUND);

    Reused(int ridgeRow) {
      ridge = new EncodedRow[] {Plans.row(ridgeRow, 0), Plans.row(0, ridgeRow)};
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      project(ridge[0], sketch, entropy);
      project(ridge[1], sketch, entropy);
      long[] before = sketch.state().clone();
      if (second) {
        project(row, sketch, entropy);
      }
      return Arrays.equals(before, sketch.state()) ? -1.0 : 1.0;
    }
  }
}

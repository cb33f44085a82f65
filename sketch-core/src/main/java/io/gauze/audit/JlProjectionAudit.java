package io.gauze.audit;

import io.gauze.privacy.Entropy;
import io.gauze.privacy.ProjectionPrivacy;
import io.gauze.row.EncodedRow;
import io.gauze.row.Neighbours;
import io.gauze.row.RowTag;
import io.gauze.sketch.GaussianProjection;
import io.gauze.sketch.GaussianProjectionSpec;
import java.util.Arrays;
import java.util.List;

/**
 * The Gaussian projection of the rows, with the rows {@code w e_1} and {@code w e_2} appended, each
 * row under a fresh secret tag. The worst replaced rows are orthogonal.
 */
final class JlProjectionAudit extends MechanismAudit {
  private static final int ROWS = 4;
  private static final int BOUND = 1 << 12;
  private static final int FRACTION = GaussianProjectionSpec.FRACTION_BITS;
  private static final GaussianProjectionSpec SPEC = new GaussianProjectionSpec(2, ROWS, 0L);

  @Override
  String mechanism() {
    return "jl-projection";
  }

  @Override
  String noiseName() {
    return "w^2";
  }

  @Override
  double noise(Claim claim) {
    return ProjectionPrivacy.ridge(claim.budget(), ROWS);
  }

  @Override
  AuditCase audit(String variant, Claim claim, double share) {
    int ridgeRow = ridgeRow(share * noise(claim));
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? BOUND : 0;
    return AuditCase.of(mechanism(), variant, claim, () -> new Projected(ridgeRow, old))
        .withRuns(800_000);
  }

  @Override
  List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    int ridgeRow = ridgeRow(noise(claim));
    return List.of(
        AuditCase.of(
                mechanism(), "one projection of two data sets", claim, () -> new Reused(ridgeRow))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  /** w in grid steps, rounded up. */
  private static int ridgeRow(double ridge) {
    return (int) Math.ceil(BOUND * Math.sqrt(ridge));
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

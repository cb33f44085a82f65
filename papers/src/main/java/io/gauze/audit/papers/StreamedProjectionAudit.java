package io.gauze.audit.papers;

import io.gauze.accounting.Neighbours;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.audit.AuditCase;
import io.gauze.audit.Claim;
import io.gauze.audit.Claims;
import io.gauze.audit.MechanismAudit;
import io.gauze.audit.Plans;
import io.gauze.audit.Trial;
import io.gauze.mechanism.papers.StreamedProjection;
import io.gauze.noise.Entropy;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowTag;
import io.gauze.sketch.GaussianProjection;
import io.gauze.sketch.GaussianProjectionSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Audits the Gaussian projection of the rows as a sketch that has its noise from the start, with
 * each row under a fresh secret tag. The worst replaced rows are orthogonal.
 */
public final class StreamedProjectionAudit extends MechanismAudit {
  private static final int ROWS = 4;
  private static final int BOUND = 1 << 12;
  private static final GaussianProjectionSpec SPEC = new GaussianProjectionSpec(2, ROWS, 0L);

  @Override
  public String mechanism() {
    return "jl-projection";
  }

  @Override
  public String noiseName() {
    return "w^2";
  }

  @Override
  public double noise(Claim claim) {
    return planned(claim).ridge();
  }

  @Override
  public AuditCase audit(String variant, Claim claim, double share) {
    StreamedProjection right = planned(claim);
    double sigma = Math.sqrt(share) * right.noise().sigma();
    StreamedProjection mechanism =
        new StreamedProjection(
            right.spec(),
            right.cost(),
            share * right.ridge(),
            right.stepSize(),
            RoundedGaussian.of(sigma),
            right.shift(),
            right.fine());
    int old = claim.neighbours() == Neighbours.REPLACE_ONE ? Plans.BOUND : 0;
    return AuditCase.of(mechanism(), variant, claim, () -> new Projected(mechanism, old))
        .withRuns(800_000);
  }

  private static StreamedProjection planned(Claim claim) {
    Map<String, String> options = Map.of("rows", Integer.toString(ROWS), "state", "projection");
    return (StreamedProjection) Plans.mechanism("jl", claim, options);
  }

  @Override
  public List<AuditCase> published() {
    Claim claim = Claims.approximate(Neighbours.ADD_REMOVE);
    StreamedProjection planned = planned(claim);
    int ridgeRow = ridgeRow(ProjectionPrivacy.ridge(claim.budget(), ROWS));
    return List.of(
        AuditCase.of(
                mechanism(), "one projection of two data sets", claim, () -> new Reused(ridgeRow))
            .withThreshold(0.5)
            .withRuns(10_000),
        AuditCase.of(
                mechanism(), "lattice attack", LatticeAudit.CLAIM, () -> new LowBits(planned, true))
            .asSound()
            .withThreshold(0.5)
            .withRuns(10_000),
        AuditCase.of(
                mechanism(),
                "no noise in the lowest bits",
                claim,
                () -> new LowBits(planned, false))
            .withThreshold(0.5)
            .withRuns(10_000));
  }

  /** Returns w in grid steps, rounded up. */
  private static int ridgeRow(double ridge) {
    return (int) Math.ceil(BOUND * Math.sqrt(ridge));
  }

  /** Adds a row under a tag of its own. */
  private static void project(EncodedRow row, GaussianProjection sketch, Entropy entropy) {
    RowTag tag = new RowTag();
    tag.set(entropy.nextLong(), entropy.nextLong());
    sketch.add(tag, row, 1);
  }

  /** Runs the projection with the row (old, 0) or the row (0, B) on top of the noise. */
  private static final class Projected implements Trial {
    private final StreamedProjection mechanism;
    private final GaussianProjection sketch;
    private final EncodedRow[] rows;
    private final CovarianceLoss loss;

    Projected(StreamedProjection mechanism, int old) {
      this.mechanism = mechanism;
      this.sketch = mechanism.spec().zero();
      this.rows = new EncodedRow[] {Plans.row(old, 0), Plans.row(0, Plans.BOUND)};
      double w2 = mechanism.ridge();
      this.loss =
          new CovarianceLoss(
              ROWS, new double[] {w2 + (old == 0 ? 0.0 : 1.0), w2}, new double[] {w2, w2 + 1.0});
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      mechanism.addNoise(sketch.state(), 0, entropy);
      project(rows[second ? 1 : 0], sketch, entropy);
      return loss.ratio(squares(0), squares(1));
    }

    /** Returns the sum of squares of a column, in the encoded scale. */
    private double squares(int column) {
      double sum = 0.0;
      for (int j = 0; j < ROWS; j++) {
        double entry = sketch.state()[2 * j + column] * mechanism.stepSize();
        sum += entry * entry;
      }
      return sum;
    }
  }

  /**
   * A broken variant: noise in whole multiples of a power of two discloses the bits below it, and
   * so whether there is a row.
   */
  private static final class LowBits implements Trial {
    private final StreamedProjection mechanism;
    private final GaussianProjection sketch;
    private final EncodedRow row = Plans.row(0, BOUND - 1);
    private final boolean filled;

    LowBits(StreamedProjection mechanism, boolean filled) {
      this.mechanism = mechanism;
      this.filled = filled;
      this.sketch = mechanism.spec().zero();
    }

    @Override
    public double run(boolean second, Entropy entropy) {
      sketch.clear();
      if (second) {
        project(row, sketch, entropy);
      }
      long bits = 0;
      long[] noise = new long[sketch.state().length];
      if (filled) {
        mechanism.addNoise(noise, 0, entropy);
      } else {
        Arrays.setAll(noise, i -> mechanism.noise().sample(entropy) << mechanism.shift());
      }
      for (int i = 0; i < noise.length; i++) {
        bits |= sketch.state()[i] + noise[i];
      }
      return (bits & ((1 << mechanism.shift()) - 1)) == 0 ? -1.0 : 1.0;
    }
  }

  /** A broken use: one projection is published before and after a row may arrive. */
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

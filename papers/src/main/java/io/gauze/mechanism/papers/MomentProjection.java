package io.gauze.mechanism.papers;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.noise.Entropy;
import io.gauze.noise.GaussianRows;
import io.gauze.noise.OutputGrid;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A Gaussian projection with a ridge: r rows of the law {@code N(0, M + w^2 I)}, drawn from the
 * second moments M when they are complete.
 *
 * <p>After J. Blocki, A. Blum, A. Datta and O. Sheffet, <a
 * href="https://doi.org/10.1109/FOCS.2012.67">The Johnson-Lindenstrauss transform itself preserves
 * differential privacy</a>, FOCS 2012, and O. Sheffet, <a
 * href="https://proceedings.mlr.press/v98/sheffet19a.html">Old techniques in differentially private
 * linear regression</a>, ALT 2019, algorithm 1. Differs from the papers: the ridge is added for
 * every data set, and is the least that keeps the budget, see {@code ProjectionPrivacy}, which is
 * five to eight times smaller; the rows are drawn from the moments, which has the same law as
 * projecting the data.
 *
 * @param spec the state: exact second moments, until they are released
 * @param cost the cost of a release
 * @param ridge w^2, in the encoded scale squared
 * @param momentUnit a step of the state in the encoded scale squared
 * @param grid the grid of the released numbers
 */
public record MomentProjection(
    SecondMomentsSpec spec,
    MechanismCost.Projection cost,
    double ridge,
    double momentUnit,
    OutputGrid grid)
    implements ExactStateMechanism {
  static final MechanismKind KIND =
      new MechanismKind(
          Jl.NAME,
          Jl.OPTIONS,
          false,
          MomentProjection::sized,
          Optional.of(MomentProjection::calibration),
          MomentProjection::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              Jl.BASIS,
              List.of(
                  Moments.NO_OVERFLOW,
                  "where a projection is kept as a sketch, coefficients that are made from the secret tags of"
                      + " rows cannot be told from independent normal draws"),
              true));

  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    stream.requireOneRow(Jl.NAME);
    int dimension = stream.schema().dimension();
    int rows = Jl.rows(sketch, dimension);
    if (sketch.word(Jl.STATE, Jl.MOMENTS).equals(Jl.PROJECTION)) {
      if (stream.unit().kind() == UnitKind.KEY) {
        throw new IllegalArgumentException(
            "state must be moments for unit key, since two tables under one projection give away"
                + " how they differ. Provided value: projection");
      }
      return StreamedProjection.sized(stream, sketch, rows);
    }
    SecondMomentsSpec spec = new SecondMomentsSpec(dimension);
    return UncalibratedMechanism.projection(spec, rows, cost -> of(stream, spec, cost));
  }

  private static MomentProjection of(
      StreamRequest stream, SecondMomentsSpec spec, MechanismCost.Projection cost) {
    double ridge = Jl.ridge(cost, stream.schema().rowBound());
    return new MomentProjection(
        spec, cost, ridge, stream.schema().grid().momentUnit(), Jl.grid(Math.sqrt(ridge)));
  }

  private static Payload payload(PayloadParameters header) {
    int rows = header.whole(Jl.ROWS, 1, Jl.MOST_ROWS);
    return new Payload.Projection(rows, header.dimension(), header.positive(Jl.RIDGE));
  }

  private static Calibration calibration(CalibrationRequest request) {
    int rows = request.requireRows(Jl.NAME, 1, ProjectionPrivacy.MOST_ROWS);
    return Calibration.ridge(
        Jl.NAME,
        request,
        Map.of(Jl.ROWS, (double) rows),
        "wSquared",
        "exact, for r rows of N(0, M + w^2 I) and rows of norm B at most: the worst neighbours differ"
            + " in one direction (replace-one: two) of leverage B^2 / w^2");
  }

  @Override
  public String name() {
    return Jl.NAME;
  }

  @Override
  public double stepSize() {
    return grid.step();
  }

  /** The standard deviation of an entry of a row of the ridge. */
  @Override
  public double sigma() {
    return Math.sqrt(ridge) / grid.step();
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    double[] moments = Moments.ridged(spec, state, momentUnit, ridge);
    return GaussianRows.of(spec.dimension(), moments, grid).sample(cost.rows(), entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(Map.of(Jl.ROWS, (double) cost.rows(), Jl.RIDGE, ridge));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(Jl.STATE, Jl.MOMENTS);
  }

  /**
   * The number of rows. A replaced row may affect the releases of two cells, which must have the
   * same law.
   */
  @Override
  public List<Integer> shape() {
    return List.of(cost.rows());
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%d independent rows N(0, M + %s I), M the second moments, under %s",
        cost.rows(),
        ridge,
        grid.law());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

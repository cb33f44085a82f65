package io.gauze.mechanism.ranges;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.RangeBudget;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.UniformScaleNoise;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.RangeCountsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * For each column of unknown range the number of rows in each cell of a public grid, with Gaussian
 * noise. {@link EstimatedRanges} chooses ranges from it.
 *
 * @param spec the sketch
 * @param sensitivity in rows: sqrt m for m columns (add-remove), sqrt(2 m) (replace-one), times the
 *     rows of a unit
 * @param mu the mu that one release spends
 * @param stepSize a step of the state, in rows
 * @param noise the noise in each count, in steps
 * @param expectedRows a public guess of the rows
 */
public record ColumnRanges(
    RangeCountsSpec spec,
    double sensitivity,
    double mu,
    double stepSize,
    RoundedGaussian noise,
    long expectedRows)
    implements UniformScaleNoise {
  /** The name in config files and releases. */
  public static final String NAME = RangeBudget.MECHANISM;

  /** A step of the state and of the release, in rows. */
  private static final double STEP = Math.scalb(1.0, -RangeCountsSpec.ROW_BITS);

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(),
          true,
          ColumnRanges::sized,
          Optional.of(ColumnRanges::calibration),
          ColumnRanges::payload,
          ColumnRanges::warnings,
          new MechanismKind.Proof(
              "a row is in one cell of each of m columns, so that it changes the counts by sqrt m,"
                  + " a replaced one by sqrt(2 m)",
              List.of(),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public ColumnRanges {
    Noise.checkSpending(sensitivity, mu, noise.sigma() * stepSize);
  }

  // Sensitivity. The cells are public and the same for all data. A row adds one to one cell of each
  // of the m columns, or to none where its value is missing: adding or removing it moves the counts
  // by at most sqrt m. A replaced row takes one from a cell of each column and adds one to a cell
  // of each, of this group and epoch or of another: 2 m squared, attained where all cells differ.
  // All counts are whole multiples of a row, 2^16 steps; x + round(Z) = round(x + Z) for whole x.
  // Users, cumulative releases and two noises: rows u and v in place of each other give v - u with
  // u, v >= 0, so <u, v> >= 0, and the product of the states of a removed and an added row, -u and
  // v, is at most 0. That is the case of moments: there too the sensitivity to a replaced row is
  // sqrt 2 times that to a removed one.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    RangeCountsSpec spec = spec(stream.schema());
    double sensitivity = stream.unitSensitivity(spec);
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength(), mu -> calibrate(stream, spec, sensitivity, mu));
  }

  private static ColumnRanges calibrate(
      StreamRequest stream, RangeCountsSpec spec, double sensitivity, double mu) {
    double sigma = Noise.sigma(NAME, sensitivity / mu, STEP, 1.0);
    return new ColumnRanges(
        spec, sensitivity, mu, STEP, RoundedGaussian.of(sigma), stream.expectedRows());
  }

  private static Payload payload(PayloadParameters header) {
    return new Payload.RangeCounts(spec(header.schema()).columns().size(), header.encodedSigma());
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    int columns = ((RangeCountsSpec) mechanism.spec()).columns().size();
    double least = EstimatedRanges.deviations(columns) * mechanism.sigma() * mechanism.stepSize();
    return least <= Tuning.BEYOND * stream.expectedRows()
        ? List.of()
        : List.of(
            PlanMessage.RARE.of(
                sketch,
                Math.ceil(least),
                100.0 * least / stream.expectedRows(),
                stream.rangeShare() > 0.0 ? "a larger epsilon or rangeShare" : "a larger epsilon"));
  }

  private static Calibration calibration(CalibrationRequest request) {
    int counted = Math.max(1, request.columns() - 1);
    double changes = request.neighbours() == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
    return Calibration.gaussian(
        NAME,
        request,
        Map.of(),
        Math.nextUp(Math.sqrt(changes * counted)),
        "sqrt m (add-remove) or sqrt(2 m) (replace-one) for m = D - 1 columns, whatever the bound");
  }

  /**
   * Returns the spec of the counts of the columns of unknown range.
   *
   * @throws IllegalArgumentException if there is none, or if rows are so long that their grid is
   *     too coarse
   */
  static RangeCountsSpec spec(RowSchema schema) {
    List<Integer> columns = new ArrayList<>();
    for (int c = 0; c < schema.columns().size(); c++) {
      if (schema.columns().get(c).isEstimated()) {
        columns.add(schema.offset(c));
      }
    }
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          "mechanism ranges needs a column with range: estimate. Provided value: none");
    }
    boolean whole = schema.rowBound() >= schema.largestNorm() * (1.0 - 1e-12);
    if (!whole || schema.isScaled() || !schema.responses().isEmpty()) {
      throw new IllegalArgumentException(
          "rowBound must be the largest norm of a row for ranges, and columns not scaled, since"
              + " clipping would move values into other cells. Provided value: "
              + schema.rowBound());
    }
    return new RangeCountsSpec(schema.dimension(), schema.grid(), columns);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(EXPECTED_ROWS, (double) expectedRows, "mu", mu, "sensitivity", sensitivity));
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "independent normal noise, rounded to whole steps of %s rows: standard deviation %s rows in"
            + " every cell of every column",
        stepSize,
        noise.sigma() * stepSize);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }

    @Override
    public Family family() {
      return Family.RANGES;
    }
  }
}

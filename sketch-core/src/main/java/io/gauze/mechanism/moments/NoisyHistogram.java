package io.gauze.mechanism.moments;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.LaplaceMechanism;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.RoundedLaplace;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.Column;
import io.gauze.row.MissingValues;
import io.gauze.row.RowSchema;
import io.gauze.sketch.HistogramSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The number of rows in each cell of a public grid over all columns, with Laplace noise. Suited to
 * few columns only, since the number of cells is a product over the columns.
 *
 * <p>After J. Lei, Differentially private M-estimators, NIPS 2011. Differs from the paper: the
 * cells are over public ranges, and counts keep their noise, even if the sum is below zero.
 *
 * <p>The axes are all encoded columns but the intercept. A number has as many bins as {@code bins}
 * says. An indicator has two, or three where a missing value is encoded in the middle. An entry of
 * a category, 0 or 1, has three, so that the two values are in different bins; the first of the
 * three is always empty.
 *
 * @param spec the sketch
 * @param bins the number of bins of each axis that is a number
 * @param sensitivity in l1, in rows: 1 (add-remove), 2 (replace-one), times the rows of a unit
 * @param epsilon the epsilon that one release spends
 * @param noise the noise in each cell, in rows
 * @param expectedRows the public guess that decides the default number of bins
 */
public record NoisyHistogram(
    HistogramSpec spec,
    int bins,
    double sensitivity,
    double epsilon,
    RoundedLaplace noise,
    long expectedRows)
    implements LaplaceMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "histogram";

  private static final String BINS = "bins";
  private static final int LEAST_BINS = 2;

  /** The largest number of cells: 8 MB of state. */
  private static final int MOST_CELLS = 1 << 20;

  /**
   * The number of rows per cell, in standard deviations of the noise, below which a count is mostly
   * noise.
   */
  private static final double USEFUL = 3.0;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.whole(BINS, LEAST_BINS, MOST_CELLS)
                  .orPlanned()
                  .means("Into how many parts the range of a number is cut.")),
          false,
          NoisyHistogram::sized,
          Optional.of(NoisyHistogram::calibration),
          NoisyHistogram::payload,
          NoisyHistogram::warnings,
          new MechanismKind.Proof(
              "Laplace noise after Dwork, McSherry, Nissim and Smith, Calibrating noise to"
                  + " sensitivity in private data analysis, TCC 2006, for counts: a row is in one"
                  + " cell, a replaced one in another",
              List.of(),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public NoisyHistogram {
    Noise.checkLaplace(sensitivity, epsilon, noise.scale());
  }

  // Sensitivity. A row is in one cell, which depends on that row alone. Adding or removing one row
  // changes one count by 1. Replacing a row takes 1 from a cell and adds 1 to a cell, of this group
  // and epoch or of another: 2 in l1. Every cell gets its noise, full or empty, and every cell is
  // published, so that it stays secret which cells are empty.
  //
  // Noise. Laplace(sensitivity / epsilon) in each count, the Laplace mechanism of C. Dwork, F.
  // McSherry, K. Nissim and A. Smith, TCC 2006. Counts are whole: x + round(Z) = round(x + Z) for
  // any scale, also one below 1, where most of the noise rounds to 0.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    RowSchema schema = stream.schema();
    int bins =
        (int)
            sketch
                .whole(BINS)
                .orElseGet(() -> defaultBins(stream.expectedRows(), schema.dimension() - 1));
    HistogramSpec spec = spec(schema, bins);
    return UncalibratedMechanism.laplace(spec, epsilon -> calibrate(stream, spec, bins, epsilon));
  }

  private static NoisyHistogram calibrate(
      StreamRequest stream, HistogramSpec spec, int bins, double epsilon) {
    double sensitivity = stream.unitSensitivity(sensitivity(stream.budget().neighbours()));
    double scale = Math.nextUp(sensitivity / epsilon);
    if (!(scale <= RoundedLaplace.LARGEST_SCALE)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "scale of histogram must be at most %.4g rows. Provided value: %.4g; give it more of"
                  + " epsilon",
              RoundedLaplace.LARGEST_SCALE,
              scale));
    }
    return new NoisyHistogram(
        spec, bins, sensitivity, epsilon, RoundedLaplace.of(scale), stream.expectedRows());
  }

  private static Payload payload(PayloadParameters header) {
    int bins = header.whole(BINS, LEAST_BINS, MOST_CELLS);
    return new Payload.Counts(spec(header.schema(), bins), header.laplaceScale());
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    double rows = (double) stream.expectedRows() / mechanism.spec().stateLength();
    double needed = USEFUL * mechanism.sigma();
    return rows >= needed
        ? List.of()
        : List.of(
            PlanMessage.DROWNED.of(
                sketch,
                "a cell",
                rows,
                needed,
                "fewer columns or bins, more rows an epoch, a larger epsilon or noisy-moments"));
  }

  private static Calibration calibration(CalibrationRequest request) {
    double sensitivity = sensitivity(request.neighbours());
    return Calibration.laplace(
        NAME,
        request,
        Map.of("sensitivity", sensitivity),
        sensitivity,
        "Laplace on the count of each cell; a row is in one cell, so that the l1 sensitivity is 1"
            + " (add-remove) or 2 (replace-one), whatever the bound and the number of cells");
  }

  /**
   * Returns the default number of bins of a number: the whole number nearest to {@code (n / ln
   * n)^(1/(2+d))}, at least 2. This is the order of Lei's rule, at which the width of a bin causes
   * as much error as the noise.
   *
   * @param expectedRows n, at least 1
   * @param axes d, at least 1
   */
  public static int defaultBins(long expectedRows, int axes) {
    double rows = Math.max(3.0, (double) expectedRows);
    double wanted = Math.pow(rows / Math.log(rows), 1.0 / (2.0 + axes));
    return (int) Math.max(LEAST_BINS, Math.round(wanted));
  }

  /** Returns the l1 sensitivity for one row, in rows. */
  static double sensitivity(Neighbours neighbours) {
    return neighbours == Neighbours.ADD_REMOVE ? 1.0 : 2.0;
  }

  /** Returns the spec of the cells of these columns. Allocates nothing for the cells. */
  static HistogramSpec spec(RowSchema schema, int bins) {
    List<HistogramSpec.Axis> axes = new ArrayList<>();
    long cells = 1;
    for (int c = 0; c < schema.columns().size(); c++) {
      Column column = schema.columns().get(c);
      int cuts = bins(column, schema.missing(), bins);
      for (int i = 0; i < column.width(); i++) {
        cells = Math.min(Long.MAX_VALUE / MOST_CELLS, cells * cuts);
        axes.add(new HistogramSpec.Axis(schema.offset(c) + i, cuts));
      }
    }
    if (cells > MOST_CELLS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bins must be so few that there are at most %,d cells. Provided value: %d for %d"
                  + " columns; take fewer columns, or fewer bins (at least %d)",
              MOST_CELLS,
              bins,
              axes.size(),
              LEAST_BINS));
    }
    return new HistogramSpec(schema.dimension(), schema.grid(), Collections.unmodifiableList(axes));
  }

  private static int bins(Column column, MissingValues missing, int bins) {
    if (column.isIndicator()) {
      return missing == MissingValues.REJECT ? 2 : 3;
    }
    return column.isOneHot() ? 3 : bins;
  }

  @Override
  public String name() {
    return NAME;
  }

  /** Always 1: counts are in rows. */
  @Override
  public double stepSize() {
    return 1.0;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            BINS,
            (double) bins,
            EXPECTED_ROWS,
            (double) expectedRows,
            "epsilon",
            epsilon,
            "sensitivity",
            sensitivity));
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "independent Laplace noise, rounded to whole rows: scale %s in every cell",
        noise.scale());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

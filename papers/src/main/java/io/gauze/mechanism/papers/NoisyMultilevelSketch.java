package io.gauze.mechanism.papers;

import io.gauze.internal.Fingerprint;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.UniformScaleNoise;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.sketch.MultilevelSketchSpec;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The multilevel sketch for least absolute deviations with one Gaussian noise row in every bucket
 * of every level.
 *
 * <p>After R. Das, G. Nayak and D. Dasgupta, private sketches for linear regression, algorithm 2,
 * on the sketch of A. Munteanu, S. Omlor and D. Woodruff, <a
 * href="https://openreview.net/forum?id=F6Vv_MmIBE">Almost linear constant-factor sketching for l1
 * and logistic regression</a>, ICLR 2023. Differs from the paper: every bucket has a noise row,
 * where the paper subsamples noise rows like data and leaves most buckets of high levels bare; the
 * sensitivity counts the buckets that a row touches; the hash is fresh and secret.
 *
 * @param spec the sketch
 * @param sensitivity in the encoded scale: B sqrt c (add-remove), 2 B sqrt c (replace-one), where c
 *     is the number of buckets that a row touches, at most s + 2; times the rows of a unit
 * @param mu the mu that one release spends
 * @param stepSize a grid step in the encoded scale
 * @param noise the noise in each entry, in grid steps
 * @param expectedRows the public guess that decides the default shape
 */
public record NoisyMultilevelSketch(
    MultilevelSketchSpec spec,
    double sensitivity,
    double mu,
    double stepSize,
    RoundedGaussian noise,
    long expectedRows)
    implements UniformScaleNoise {
  /** The name in config files and releases. */
  public static final String NAME = "multilevel-l1";

  private static final String ROWS = "rows";
  private static final String LEVELS = "levels";
  private static final String BASE = "samplingBase";
  private static final String COPIES = "level0Buckets";
  private static final int MOST_ROWS = 1 << 20;
  private static final int MOST_LEVELS = 48;
  private static final int MOST_COPIES = 16;
  private static final double LARGEST_SAMPLING = 0x1p48;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.whole(ROWS, 1, MOST_ROWS)
                  .orPlanned()
                  .means("How many rows are released."),
              MechanismOption.whole(LEVELS, 0, MOST_LEVELS)
                  .orPlanned()
                  .means("How many levels are between the first and the last."),
              MechanismOption.whole(BASE, 2, Integer.MAX_VALUE)
                  .orPlanned()
                  .means("By what factor a level samples more thinly than the one before."),
              MechanismOption.whole(COPIES, 1, MOST_COPIES)
                  .orPlanned()
                  .or(1)
                  .means("Into how many buckets of the first level a row goes.")),
          true,
          NoisyMultilevelSketch::sized,
          Optional.of(NoisyMultilevelSketch::calibration),
          NoisyMultilevelSketch::payload,
          NoisyMultilevelSketch::warnings,
          new MechanismKind.Proof(
              "a row counts in at most s + 2 buckets of a secret hash (s copies), so that one of"
                  + " norm at most B changes the sketch by at most B sqrt(s + 2), a replaced one by"
                  + " twice that",
              List.of(NoisyCountSketch.SECRET_HASH),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public NoisyMultilevelSketch {
    Noise.checkSpending(sensitivity, mu, noise.sigma() * stepSize);
  }

  // Sensitivity, for a fixed hash. A row is added once, with coefficient 1, to each of c buckets: s
  // of level 0, at most one of the levels between (they exclude each other), at most one of the
  // last. Adding or removing one row moves the state by at most B sqrt c. Row a in place of b under
  // the same key moves each of these buckets by a - b: at most 2 B sqrt c, attained by b = -a. If
  // the row moves to other buckets, another group or epoch, c buckets lose b and c others gain a,
  // under independent noise: at most sqrt(2 c) B, which is less. The solver applies the weights of
  // the levels; the state does not contain them. The bound holds for the integers, and
  // x + round(Z) = round(x + Z) for whole x. A secret random hash and shifted positions are covered
  // as in NoisyCountSketch: levels and buckets depend on the row's tag alone.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    Shape shape = Shape.of(sketch);
    double sensitivity = stream.unitSensitivity(shape.spec(stream, shape.leastRows(), 0L));
    int rows =
        (int)
            sketch
                .whole(ROWS)
                .orElseGet(
                    () ->
                        Math.max(
                            shape.leastRows(),
                            NoisyCountSketch.defaultBuckets(
                                stream.expectedRows() * ExpectedSquares.mean(stream.schema()),
                                sensitivity / size,
                                stream.schema().dimension())));
    MultilevelSketchSpec spec =
        shape.spec(stream, rows, Fingerprint.seed(stream.stream(), sketch.name()));
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength(), mu -> calibrate(stream, spec, mu));
  }

  private static NoisyMultilevelSketch calibrate(
      StreamRequest stream, MultilevelSketchSpec spec, double mu) {
    double sensitivity = stream.unitSensitivity(spec);
    double stepSize = stream.schema().grid().rowUnit();
    double sigma = Noise.sigma(NAME, sensitivity / mu, stepSize, 1.0);
    return new NoisyMultilevelSketch(
        spec, sensitivity, mu, stepSize, RoundedGaussian.of(sigma), stream.expectedRows());
  }

  private static Payload payload(PayloadParameters header) {
    int rows = header.whole(ROWS, 1, MOST_ROWS);
    int levels = header.whole(LEVELS, 0, MOST_LEVELS);
    int base = header.whole(BASE, 2, Integer.MAX_VALUE);
    int copies = header.whole(COPIES, 1, MOST_COPIES);
    if (rows % (levels + 1) != 0) {
      throw new IllegalArgumentException(
          "rows must be a multiple of levels + 1. Provided value: " + rows + " and " + levels);
    }
    MultilevelSketchSpec spec =
        new MultilevelSketchSpec(header.dimension(), rows / (levels + 1), levels, base, copies, 0L);
    return new Payload.WeightedBuckets(spec, header.encodedSigma());
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    MultilevelSketchSpec spec = (MultilevelSketchSpec) mechanism.spec();
    double sigma = mechanism.sigma() * mechanism.stepSize();
    double rows = stream.expectedRows() * (double) spec.copies() / spec.buckets();
    double residuals = Tuning.RESIDUAL * Math.sqrt(rows);
    return sigma <= Tuning.QUIET * residuals && rows <= Tuning.ROBUST_ROWS
        ? List.of()
        : List.of(PlanMessage.FEWSUMS.of(sketch, rows, sigma, residuals));
  }

  private static Calibration calibration(CalibrationRequest request) {
    int copies = request.copies();
    // The request does not know the number of levels. Two levels are sampled, so that a row touches
    // the largest possible number of buckets.
    SketchSpec spec = new MultilevelSketchSpec(request.columns(), copies, 2, 2, copies, 0L);
    return Calibration.gaussian(
        NAME,
        request,
        Map.of(COPIES, (double) copies),
        request.sensitivity(spec),
        "B sqrt(s + 2) (add-remove) or twice that (replace-one), for two levels or more");
  }

  /** The requested shape; levels and base of -1 are planned. */
  private record Shape(int levels, int base, int copies) {
    static Shape of(SketchRequest sketch) {
      return new Shape(
          (int) sketch.whole(LEVELS).orElse(-1L),
          (int) sketch.whole(BASE).orElse(-1L),
          (int) sketch.whole(COPIES).orElse(1L));
    }

    /** Returns the least number of rows: one for each copy in each level. */
    int leastRows() {
      return copies * (1 + givenLevels());
    }

    private int givenLevels() {
      return levels < 0 ? 1 : levels;
    }

    MultilevelSketchSpec spec(StreamRequest stream, int rows, long seed) {
      int dimension = stream.schema().dimension();
      long most = Math.min(MOST_ROWS, SketchSpec.MAX_STATE_LENGTH / dimension);
      if (rows < leastRows() || rows > most) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "rows must be in [%d, %d] for these columns, levels and copies. Provided value: %d",
                leastRows(),
                most,
                rows));
      }
      if (levels < 0 && base < 0) {
        return MultilevelSketchSpec.forRows(dimension, rows, stream.expectedRows(), copies, seed);
      }
      if (base > 0 && !(Math.pow(base, givenLevels()) <= LARGEST_SAMPLING)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "samplingBase must be such that its power to the levels, %d, is at most 2^48."
                    + " Provided value: %d",
                givenLevels(),
                base));
      }
      int buckets = rows / (givenLevels() + 1) / copies * copies;
      return new MultilevelSketchSpec(
          dimension,
          buckets,
          givenLevels(),
          base < 0 ? plannedBase(stream.expectedRows(), buckets) : base,
          copies,
          seed);
    }

    /** Returns the base for which a bucket of the last level has about one row. */
    private int plannedBase(long expectedRows, int buckets) {
      double base = Math.pow((double) expectedRows / buckets, 1.0 / Math.max(1, givenLevels()));
      return (int) Math.min(Integer.MAX_VALUE, Math.max(2L, Math.round(base)));
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>();
    parameters.put(ROWS, (double) spec.rows());
    parameters.put(LEVELS, (double) spec.levels());
    parameters.put(BASE, (double) spec.base());
    parameters.put(COPIES, (double) spec.copies());
    parameters.put(EXPECTED_ROWS, (double) expectedRows);
    parameters.put("mu", mu);
    parameters.put("sensitivity", sensitivity);
    return parameters;
  }

  /** Levels, base and copies, which decide which rows are in which bucket. */
  @Override
  public List<Integer> shape() {
    return List.of(spec.levels(), spec.base(), spec.copies());
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "independent normal noise, rounded to whole steps of %s: standard deviation %s in every"
            + " column of every bucket of every level",
        stepSize,
        noise.sigma() * stepSize);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

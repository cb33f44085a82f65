package io.gauze.mechanism.moments;

import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.Entropy;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Second moments of the rows of each stratum, a part of a public column's range, with Gaussian
 * noise: K times {@code sum of a a' + E}, each E symmetric with independent entries of standard
 * deviation sigma on the diagonal and {@code sigma / sqrt 2} off it. Not from the literature.
 *
 * @param spec the sketch
 * @param by the name of the encoded column that decides the stratum
 * @param sensitivity in the encoded scale: B^2 (add-remove), sqrt 2 B^2 (replace-one), times the
 *     rows of a unit
 * @param mu the mu that one release spends
 * @param stepSize a squared grid step in the encoded scale
 * @param noise the noise in squared grid steps
 * @param expectedRows the public guess that decides the default number of strata
 */
public record StratifiedMomentsNoise(
    StratifiedMomentsSpec spec,
    String by,
    double sensitivity,
    double mu,
    double stepSize,
    SymmetricNoise noise,
    long expectedRows)
    implements AdditiveMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "stratified-moments";

  private static final String BY = "stratifyBy";
  private static final String STRATA = "strata";
  private static final int MOST_STRATA = 1 << 10;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.column(BY)
                  .or("the last column")
                  .means("The column whose range is cut into strata."),
              MechanismOption.whole(STRATA, 1, MOST_STRATA)
                  .orPlanned()
                  .means("Into how many strata the range is cut.")),
          true,
          StratifiedMomentsNoise::sized,
          Optional.of(StratifiedMomentsNoise::calibration),
          StratifiedMomentsNoise::payload,
          StratifiedMomentsNoise::warnings,
          new MechanismKind.Proof(
              "a row counts in one stratum, which it alone decides, so that one of norm at most B"
                  + " changes the second moments of all strata together by at most B^2 in Frobenius"
                  + " norm, a replaced one by sqrt 2 B^2",
              List.of(),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public StratifiedMomentsNoise {
    noise.checkSpending(sensitivity, mu, stepSize);
  }

  // Sensitivity. The state is K symmetric matrices; its norm is the root of the sum of their
  // squared Frobenius norms. The stratum of a row depends on the row alone, so adding or removing
  // one row changes one matrix by a a', of norm at most B^2. Row a in place of b: in one stratum,
  //   |a a' - b b'|^2 = |a|^4 + |b|^4 - 2 (a'b)^2 <= 2 B^4;
  // in two strata, one matrix loses b b' and another gains a a': |a|^4 + |b|^4 <= 2 B^4, attained
  // by any two rows of norm B, opposite ones as well. In two groups or epochs the bound is equal,
  // under independent noise. So the sensitivity is that of one matrix, whatever K. All strata get
  // their noise, so that it stays secret which strata are empty.
  //
  // Noise. As in NoisyMoments, for each matrix: in the list of diagonals and sqrt 2 times the
  // entries above them it is N(0, sigma^2 I), and x + round(Z) = round(x + Z) for the whole x.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    RowSchema schema = stream.schema();
    List<String> names = schema.encodedNames();
    String by = sketch.word(BY, names.get(names.size() - 1));
    double sensitivity = stream.unitSensitivity(spec(schema, by, 1));
    int strata =
        (int)
            sketch
                .whole(STRATA)
                .orElseGet(
                    () ->
                        StratifiedMomentsSpec.plannedStrata(
                            stream.expectedRows(), schema.dimension(), sensitivity / size));
    StratifiedMomentsSpec spec = spec(schema, by, strata);
    return UncalibratedMechanism.gaussian(
        spec, spec.stateLength(), mu -> calibrate(stream, spec, by, mu));
  }

  private static StratifiedMomentsSpec spec(RowSchema schema, String by, int strata) {
    int column = column(schema, by);
    long length = (long) strata * schema.dimension() * (schema.dimension() + 1L) / 2;
    if (length > SketchSpec.MAX_STATE_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "strata must be in [1, %d] for %d columns with the intercept."
                  + " Provided value: %d",
              SketchSpec.MAX_STATE_LENGTH * strata / length,
              schema.dimension(),
              strata));
    }
    return new StratifiedMomentsSpec(schema.dimension(), column, strata, schema.grid());
  }

  private static int column(RowSchema schema, String by) {
    int column;
    try {
      column = schema.encodedIndex(by);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(BY + ": " + e.getMessage(), e);
    }
    if (column == 0) {
      throw new IllegalArgumentException(
          BY + " must be a column that varies. Provided value: " + by);
    }
    return column;
  }

  private static StratifiedMomentsNoise calibrate(
      StreamRequest stream, StratifiedMomentsSpec spec, String by, double mu) {
    double sensitivity = stream.unitSensitivity(spec);
    double stepSize = stream.schema().grid().momentUnit();
    SymmetricNoise noise = SymmetricNoise.of(NAME, spec.dimension(), sensitivity / mu, stepSize);
    return new StratifiedMomentsNoise(
        spec, by, sensitivity, mu, stepSize, noise, stream.expectedRows());
  }

  private static Payload payload(PayloadParameters header) {
    int strata = header.whole(STRATA, 1, MOST_STRATA);
    String by = header.settings().get(BY);
    if (by == null) {
      throw new IllegalArgumentException(BY + " must be among the settings of " + NAME);
    }
    return new Payload.Strata(spec(header.schema(), by, strata), header.encodedSigma());
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    return drowned(
        stream,
        sketch,
        ((StratifiedMomentsSpec) mechanism.spec()).strata(),
        norm(mechanism.sigma() * mechanism.stepSize(), mechanism.spec().dimension()));
  }

  /**
   * Warns if the noise of a stratum is larger than what its rows are likely to add.
   *
   * @param noise the expected norm of the noise of a stratum
   */
  static List<Message> drowned(StreamRequest stream, String sketch, int strata, double noise) {
    double signal = stream.expectedRows() * ExpectedSquares.mean(stream.schema()) / strata;
    String fewer = strata > 1 ? "fewer strata" : "noisy-moments for least squares";
    return signal >= noise
        ? List.of()
        : List.of(
            PlanMessage.DROWNED.of(
                sketch,
                "a stratum",
                signal,
                noise,
                fewer + ", more rows an epoch or a larger epsilon"));
  }

  private static Calibration calibration(CalibrationRequest request) {
    return Calibration.gaussian(
        NAME,
        request,
        Map.of(),
        request.sensitivity(new SecondMomentsSpec(request.columns())),
        "B^2 (add-remove) or sqrt 2 B^2 (replace-one) in Frobenius' norm over all strata, whatever"
            + " their number, since a row is in one; sigma is on the diagonals, sigma / sqrt 2 off"
            + " them");
  }

  /**
   * Returns the approximate spectral norm of the noise: twice the root of D times the standard
   * deviation off the diagonal.
   */
  static double norm(double sigma, int dimension) {
    return sigma * Math.sqrt(2.0 * dimension);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double sigma() {
    return noise.diagonal().sigma();
  }

  @Override
  public double noiseScale(int stateIndex) {
    return noise.scale(stateIndex, spec.stateLength());
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    noise.add(block, from, spec.stateLength(), entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            STRATA,
            (double) spec.strata(),
            EXPECTED_ROWS,
            (double) expectedRows,
            "mu",
            mu,
            "sensitivity",
            sensitivity));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(BY, by);
  }

  @Override
  public String noiseLaw() {
    return noise.law(stepSize) + ", in every stratum";
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }

    @Override
    public boolean isRecommended() {
      return true;
    }
  }
}

package io.gauze.mechanism.moments;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.UnitKind;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.TwoStageMechanism;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.noise.Entropy;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.ResidualStrataSpec;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Second moments of all rows with Gaussian noise, a linear model of the response that is made from
 * them, and then second moments of the rows of each stratum of the model's residual, with Gaussian
 * noise. The rows are read twice. Not from the literature.
 *
 * <p>Of the budget mu^2 the first stage spends {@link Tuning#FIRST_STAGE} and the second stage the
 * rest.
 *
 * @param spec the first stage
 * @param response the index of the encoded column whose residual decides the stratum
 * @param responseName the name of that column
 * @param strata K
 * @param schema of the rows
 * @param sensitivity of each stage, in the encoded scale: B^2 (add-remove), sqrt 2 B^2
 *     (replace-one)
 * @param mu the mu that one release spends
 * @param first the noise of the first stage, in squared grid steps
 * @param second the noise of every stratum, in squared grid steps
 * @param expectedRows the public guess that decides the default number of strata
 * @param modelEpochs the largest number of epochs from whose first stages a model is made
 */
public record ResidualStrataNoise(
    SecondMomentsSpec spec,
    int response,
    String responseName,
    int strata,
    RowSchema schema,
    double sensitivity,
    double mu,
    SymmetricNoise first,
    SymmetricNoise second,
    long expectedRows,
    int modelEpochs)
    implements TwoStageMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "residual-strata";

  /** The relative difference that rounding may make between two widths of one noise. */
  private static final double NEAR = 1e-9;

  private static final String STRATA = "strata";
  private static final String MODEL_EPOCHS = "modelEpochs";

  /** The largest number of epochs of a model, whose first stages are in memory. */
  private static final int MOST_EPOCHS = 64;

  private static final String MOMENTS_SIGMA = "momentsSigma";
  private static final String STRATA_SIGMA = "strataSigma";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.response(),
              MechanismOption.whole(STRATA, 1, ResidualStrataSpec.MOST_STRATA)
                  .orPlanned()
                  .means("How many strata of residuals there are."),
              MechanismOption.whole(MODEL_EPOCHS, 1, MOST_EPOCHS)
                  .or(1)
                  .means("From how many epochs the model is made: its own, and those before it.")),
          false,
          ResidualStrataNoise::sized,
          Optional.empty(),
          ResidualStrataNoise::payload,
          ResidualStrataNoise::warnings,
          new MechanismKind.Proof(
              "one row of norm at most B changes the second moments of all rows by at most B^2 in"
                  + " Frobenius norm (replaced: sqrt 2 B^2), and, for each model that these moments"
                  + " with their noise lead to, the second moments of all strata together by as"
                  + " much, since the row and the public model alone decide its stratum; the stages"
                  + " compose adaptively",
              List.of(),
              false));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public ResidualStrataNoise {
    Objects.requireNonNull(schema, "schema");
    double step = schema.grid().momentUnit();
    first.checkSpending(sensitivity, share(mu, Tuning.FIRST_STAGE), step);
    second.checkSpending(sensitivity, share(mu, 1.0 - Tuning.FIRST_STAGE), step);
  }

  // First stage. As NoisyMoments: |a a'| <= B^2, |a a' - b b'| <= sqrt 2 B^2.
  //
  // Model. A function of the first stage with its noise, of the releases of the epochs before, and
  // of nothing else of the data.
  //
  // Second stage. Fix any values of these releases and of the first stage with its noise. They fix
  // the model. The stratum of a row is then a function of the row alone, and the bound is that of
  // StratifiedMomentsNoise: B^2, or sqrt 2 B^2 also for a replaced row that changes its stratum.
  //
  // Both. Gaussian mechanisms of mu_1 and, for each result of the first, mu_2 compose adaptively to
  // one of sqrt(mu_1^2 + mu_2^2) (Dong, Roth and Su, corollary 3.3). The model is published too,
  // and is post-processing.
  //
  // Two cells. A replaced row may move to another group or epoch. In each of the four sums that it
  // touches (a first and a second stage of each cell) it changes one product of norm at most B^2,
  // under independent noises: mu^2 adds up to B^4 / s_1^2 + B^4 / s_2^2 for each cell, together
  // the mu^2 of sqrt 2 B^2 in each stage. The model of one cell may depend on what is published of
  // the other: in the order in which they are published, each of the four is a Gaussian mechanism
  // for every result of those before. The argument does not need both stages to hold the same rows:
  // a row is in at most one first and one second stage, and each of these sums depends on a row
  // through that row alone.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    requireRows(stream);
    RowSchema schema = stream.schema();
    int response = sketch.response(schema);
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    double sensitivity = stream.unitSensitivity(spec);
    double sigma = sensitivity / share(size, 1.0 - Tuning.FIRST_STAGE);
    int strata =
        (int)
            sketch
                .whole(STRATA)
                .orElseGet(
                    () ->
                        ResidualStrataSpec.plannedStrata(
                            signal(stream), schema.dimension(), sigma));
    long length = ResidualStrataSpec.length(schema.dimension(), strata);
    if (length > SketchSpec.MAX_STATE_LENGTH) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "strata must be in [1, %d] for %d columns with the intercept. Provided value: %d",
              SketchSpec.MAX_STATE_LENGTH * strata / length,
              schema.dimension(),
              strata));
    }
    return UncalibratedMechanism.gaussian(
        spec,
        Math.toIntExact(spec.stateLength() + length),
        mu -> calibrate(stream, response, strata, modelEpochs(sketch), mu));
  }

  private static int modelEpochs(SketchRequest sketch) {
    return (int) sketch.whole(MODEL_EPOCHS).orElse(1);
  }

  /** The expected rows, less where columns are encoded smaller: noise then exceeds them sooner. */
  private static long signal(StreamRequest stream) {
    List<Double> factors = stream.schema().factors();
    double squares = 0.0;
    for (double factor : factors) {
      squares += factor * factor;
    }
    return Math.max(1, Math.round(stream.expectedRows() * squares / factors.size()));
  }

  private static void requireRows(StreamRequest stream) {
    if (stream.unit().kind() != UnitKind.ROW) {
      throw new IllegalArgumentException(
          "privacy.unit must be row for "
              + NAME
              + ", which reads the rows of an epoch twice. Provided value: "
              + stream.unit().description()
              + "; stratified-moments reads them once");
    }
  }

  private static ResidualStrataNoise calibrate(
      StreamRequest stream, int response, int strata, int modelEpochs, double mu) {
    RowSchema schema = stream.schema();
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    double sensitivity = stream.unitSensitivity(spec);
    double step = schema.grid().momentUnit();
    return new ResidualStrataNoise(
        spec,
        response,
        schema.encodedNames().get(response),
        strata,
        schema,
        sensitivity,
        mu,
        SymmetricNoise.of(
            NAME, spec.dimension(), sensitivity / share(mu, Tuning.FIRST_STAGE), step),
        SymmetricNoise.of(
            NAME, spec.dimension(), sensitivity / share(mu, 1.0 - Tuning.FIRST_STAGE), step),
        stream.expectedRows(),
        modelEpochs);
  }

  /** The mu of a stage that spends a share of mu^2, rounded down. */
  static double share(double mu, double share) {
    return Math.nextDown(mu * Math.sqrt(share));
  }

  private static Payload payload(PayloadParameters header) {
    String name = header.settings().getOrDefault(SketchRequest.RESPONSE, "");
    double widest = Math.max(header.positive(MOMENTS_SIGMA), header.positive(STRATA_SIGMA));
    if (!(Math.abs(widest - header.encodedSigma()) <= NEAR * header.encodedSigma())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the larger of %s and %s must be the header's sigma, %s. Provided value: %s",
              MOMENTS_SIGMA,
              STRATA_SIGMA,
              header.encodedSigma(),
              widest));
    }
    return new Payload.ResidualStrata(
        header.dimension(),
        SketchRequest.responseIndex(header.schema(), name),
        header.whole(STRATA, 1, ResidualStrataSpec.MOST_STRATA),
        header.positive(MOMENTS_SIGMA),
        header.positive(STRATA_SIGMA));
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    ResidualStrataNoise noise = (ResidualStrataNoise) mechanism;
    return StratifiedMomentsNoise.drowned(
        stream,
        sketch,
        noise.strata(),
        StratifiedMomentsNoise.norm(
            noise.second().diagonal().sigma() * noise.stepSize(), noise.spec().dimension()));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(mu);
  }

  @Override
  public double stepSize() {
    return schema.grid().momentUnit();
  }

  @Override
  public double sigma() {
    return Math.max(first.diagonal().sigma(), second.diagonal().sigma());
  }

  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    first.add(block, from, spec.stateLength(), entropy);
  }

  @Override
  public int modelLength() {
    return spec.dimension();
  }

  @Override
  public int secondLength() {
    return (int) ResidualStrataSpec.length(spec.dimension(), strata);
  }

  @Override
  public ResidualStrataSpec second(long... model) {
    List<Double> weights = new ArrayList<>();
    for (long weight : model) {
      weights.add(weight * stepSize());
    }
    return new ResidualStrataSpec(spec.dimension(), weights, strata, schema.grid());
  }

  @Override
  public void addSecondNoise(long[] block, int from, Entropy entropy) {
    second.add(block, from, secondLength(), entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            STRATA,
            (double) strata,
            EXPECTED_ROWS,
            (double) expectedRows,
            "mu",
            mu,
            "sensitivity",
            sensitivity,
            MOMENTS_SIGMA,
            first.diagonal().sigma() * stepSize(),
            STRATA_SIGMA,
            second.diagonal().sigma() * stepSize()));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(SketchRequest.RESPONSE, responseName);
  }

  @Override
  public List<Integer> shape() {
    return List.of(strata);
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%s, in the moments of all rows; %s, in every stratum",
        first.law(stepSize()),
        second.law(stepSize()));
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

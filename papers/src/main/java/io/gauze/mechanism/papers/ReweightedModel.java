package io.gauze.mechanism.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.model.HuberPlan;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.mechanism.model.ObjectiveModels;
import io.gauze.mechanism.model.ResponseThreshold;
import io.gauze.model.IrlsCalibration;
import io.gauze.model.IrlsNoise;
import io.gauze.model.IrlsSpec;
import io.gauze.model.ModelRows;
import io.gauze.model.PrivateIrls;
import io.gauze.noise.Entropy;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * One linear model of one response by rounds of least squares, whose weights come from the
 * residuals of the round before: Huber's loss, see {@link PrivateIrls}.
 *
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param irls the public numbers of the rounds
 * @param cost of all rounds together
 * @param expectedRows the public guess from which an error is predicted
 */
public record ReweightedModel(
    EmptySketchSpec spec,
    ModelColumns columns,
    IrlsSpec irls,
    MechanismCost cost,
    long expectedRows)
    implements RowsMechanism {
  /** The name of the mechanism. */
  public static final String NAME = "private-irls";

  private static final String ROUNDS = "rounds";
  private static final String THRESHOLD = "threshold";
  private static final String NOISE = "noise";
  private static final String GAUSSIAN = "gaussian";
  private static final String LAPLACE = "laplace";
  private static final String COMPOSED = "laplace-composed";
  private static final String DEVIATION = "momentSigma";
  private static final String RESPONSE_BOUND = "responseBound";
  private static final int MOST_ROUNDS = 100;
  private static final double LARGEST_RATIO = 16.0;
  private static final double LEAST_MU = 0.0015;
  private static final double MOST_MU = 14.0;

  /** Coefficients are rounded to multiples of 2^-32; they are public by then. */
  private static final int OUTPUT_BITS = 32;

  private static final double LARGEST_COEFFICIENT = 0x1p30;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              ModelColumns.RESPONSE,
              ModelColumns.FEATURES,
              MechanismOption.whole(ROUNDS, 1, MOST_ROUNDS)
                  .or(IrlsSpec.ROUNDS)
                  .means("In how many rounds rows are weighted anew."),
              MechanismOption.choice(NOISE, GAUSSIAN, LAPLACE, COMPOSED)
                  .or(GAUSSIAN)
                  .means("The law of the noise of a round."),
              ResponseThreshold.OPTION,
              ObjectiveModels.bound()),
          false,
          ReweightedModel::sized,
          Optional.empty(),
          ReweightedModel::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "each round adds noise to the moments of rows whose weights are at most 1, so that one"
                  + " row changes them by at most what a row of full length and weight does; rounds"
                  + " compose adaptively",
              List.of(),
              false));

  // PrivateIrls has the proof of the promise of each law, for an added, removed or replaced row,
  // which may also move to another cell. So the costs below are those of all cells together.
  //
  // Gaussian: all rounds together are mu-GDP, and rho-zCDP of rho = mu^2 / 2 gives a round the
  // same noise. The samplers are paid for by the stream. Laplace: (epsilon, delta), with a delta of
  // its own, that of the samplers, and of the composition if it is exact.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.requireRows(stream, NAME);
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    EmptySketchSpec spec = new EmptySketchSpec(schema.dimension());
    IrlsSpec any = irls(stream, sketch, columns);
    Function<MechanismCost, Mechanism> model =
        cost ->
            new ReweightedModel(
                spec,
                columns,
                any.withNoise(law(sketch, cost, stream.budget().neighbours())),
                cost,
                stream.expectedRows());
    String noise = noise(sketch);
    if (noise.equals(GAUSSIAN)) {
      int entries = (any.features() + 1) * (any.features() + 2) / 2 - 1;
      return UncalibratedMechanism.gaussian(
          spec, any.rounds() * entries, mu -> checked(model.apply(new MechanismCost.Gaussian(mu))));
    }
    ObjectiveModels.check(stream, NAME + " with noise " + noise);
    boolean pure = noise.equals(LAPLACE);
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Approximate(ObjectiveModels.ownDelta(stream, sketch, pure)),
        0.0, // in the delta of the rounds
        cost -> checked(model.apply(cost)));
  }

  private static String noise(SketchRequest sketch) {
    return sketch.word(NOISE, GAUSSIAN);
  }

  private static IrlsNoise law(SketchRequest sketch, MechanismCost cost, Neighbours neighbours) {
    if (cost instanceof MechanismCost.Gaussian gaussian) {
      double mu =
          Checks.within(
              "mu of " + NAME + ", by weight and epsilon,", gaussian.mu(), LEAST_MU, MOST_MU);
      return new IrlsNoise.Concentrated(
          0.5 * mu * mu, neighbours, IrlsNoise.Concentrated.Law.GAUSSIAN);
    }
    MechanismCost.Approximate mine = (MechanismCost.Approximate) cost;
    Budget budget = new Budget(mine.epsilon(), mine.delta(), neighbours);
    return noise(sketch).equals(LAPLACE)
        ? new IrlsNoise.Pure(budget)
        : new IrlsNoise.Composed(budget);
  }

  /** The public numbers, with any noise. */
  private static IrlsSpec irls(StreamRequest stream, SketchRequest sketch, ModelColumns columns) {
    RowSchema schema = stream.schema();
    int response = columns.response();
    double bound =
        sketch
            .number(ObjectiveModels.FEATURE_BOUND)
            .orElseGet(() -> HuberPlan.of(stream, columns).featureBound());
    double widest =
        Math.max(
            Math.abs(schema.encoded(response, schema.lower(response))),
            Math.abs(schema.encoded(response, schema.upper(response))));
    double responseBound = Math.max(bound / LARGEST_RATIO, Math.min(LARGEST_RATIO * bound, widest));
    double threshold =
        ResponseThreshold.of(schema, columns, sketch).orElse(IrlsSpec.THRESHOLD * widest);
    int rounds = (int) sketch.whole(ROUNDS).orElse(IrlsSpec.ROUNDS);
    IrlsNoise any = new IrlsNoise.Gaussian(stream.budget());
    return new IrlsSpec(columns.features().size(), bound, responseBound, threshold, rounds, any);
  }

  private static Mechanism checked(Mechanism mechanism) {
    ((ReweightedModel) mechanism).calibration();
    return mechanism;
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    int rounds = header.whole(ROUNDS, 1, MOST_ROUNDS);
    double deviation = header.positive(DEVIATION);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        rounds == 1 ? FittedLoss.SQUARED : new FittedLoss(header.positive(THRESHOLD), 0.5),
        deviation * Math.sqrt(0.5),
        header.positive(ObjectiveModels.RIDGE),
        header.positive(EXPECTED_ROWS),
        new FitMethod.Reweighting(rounds, deviation));
  }

  private IrlsCalibration calibration() {
    return IrlsCalibration.of(irls);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public double stepSize() {
    return Math.scalb(1.0, -OUTPUT_BITS);
  }

  /** What the noise of a round moves a coefficient by, where there are no rows. */
  @Override
  public double sigma() {
    IrlsCalibration calibration = calibration();
    double products = calibration.deviation() * Math.sqrt(0.5);
    return Math.scalb(products / calibration.ridge(), OUTPUT_BITS);
  }

  @Override
  public ModelRows rows() {
    return ModelRows.create(irls.features(), irls.featureBound());
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    rows.add(columns.features(scaled), scaled[columns.response()]);
  }

  @Override
  public int payloadLength() {
    return columns.features().size();
  }

  @Override
  public long[] fit(ModelRows rows, Entropy entropy) {
    double[] model = PrivateIrls.of(irls).fit(rows, entropy).toArray();
    long[] steps = new long[model.length];
    for (int k = 0; k < steps.length; k++) {
      double bounded = Math.max(-LARGEST_COEFFICIENT, Math.min(LARGEST_COEFFICIENT, model[k]));
      steps[k] = Math.round(Math.scalb(bounded, OUTPUT_BITS));
    }
    return steps;
  }

  @Override
  public Map<String, Double> parameters() {
    IrlsCalibration calibration = calibration();
    Map<String, Double> parameters =
        new TreeMap<>(
            Map.of(
                EXPECTED_ROWS,
                (double) expectedRows,
                THRESHOLD,
                irls.threshold(),
                ROUNDS,
                (double) irls.rounds(),
                ObjectiveModels.FEATURE_BOUND,
                irls.featureBound(),
                RESPONSE_BOUND,
                irls.responseBound(),
                DEVIATION,
                calibration.deviation(),
                ObjectiveModels.RIDGE,
                calibration.ridge()));
    for (String name : List.of("mu", "epsilon")) {
      if (cost.numbers().containsKey(name)) {
        parameters.put(name, cost.numbers().get(name).doubleValue());
      }
    }
    return parameters;
  }

  @Override
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(columns.settings());
    settings.put(
        NOISE,
        cost.gaussianMu().isPresent()
            ? GAUSSIAN
            : irls.noise() instanceof IrlsNoise.Pure ? LAPLACE : COMPOSED);
    return settings;
  }

  /** The features, the rounds, and the bits of the numbers that decide a round. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(irls.features(), irls.rounds()));
    shape.addAll(ObjectiveModels.bits(irls.threshold(), irls.featureBound(), irls.responseBound()));
    return shape;
  }

  @Override
  public String noiseLaw() {
    IrlsCalibration calibration = calibration();
    boolean normal = cost.gaussianMu().isPresent();
    return String.format(
        Locale.ROOT,
        "in each of %d rounds independent %s noise in the weighted moments, of %s %s%s",
        irls.rounds(),
        normal ? "normal" : "Laplace",
        normal ? "standard deviation" : "scale",
        calibration.scale(),
        normal ? " on the diagonal and 1 / sqrt 2 of that off it" : "");
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.UnitKind;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import io.gauze.noise.Entropy;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.DoubleFunction;

/**
 * One linear model of one response, by Huber's loss or that of a quantile: the minimiser of an
 * objective with a random linear term, see {@link ObjectivePerturbation}.
 *
 * @param name the name of the mechanism
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param loss what the model minimises
 * @param objective the public numbers of the objective
 * @param expectedRows the public guess from which an error is predicted
 */
public record HuberModel(
    String name,
    EmptySketchSpec spec,
    ModelColumns columns,
    FittedLoss loss,
    ObjectiveSpec objective,
    long expectedRows)
    implements RowsMechanism {
  /** The mechanism of robust and median models. */
  public static final String HUBER = "huber";

  /** The mechanism of models of a quantile. */
  public static final String QUANTILE = "quantile";

  private static final String THRESHOLD = "threshold";
  private static final String FEATURE_BOUND = "featureBound";
  private static final String GRADIENT = "gradientSigma";
  private static final String RIDGE = "ridge";

  /** The part of delta of pure noise, of which the samplers need less than 2^-80. */
  private static final double PURE_DELTA = 1e-3;

  /** Larger ones protect nobody, and leave no ridge. */
  private static final double LARGEST_EPSILON = 20.0;

  static final double LEAST_BOUND = 0x1p-6;
  static final double LARGEST_BOUND = 0x1p8;
  private static final double LARGEST_THRESHOLD = 1024.0;

  static final MechanismKind KIND =
      kind(HUBER, List.of(ModelColumns.RESPONSE, ModelColumns.FEATURES, threshold(), bound()));

  static final MechanismKind QUANTILE_KIND =
      kind(
          QUANTILE,
          List.of(
              ModelColumns.RESPONSE,
              ModelColumns.FEATURES,
              MechanismOption.number(QUANTILE, 0.01, 0.99),
              threshold(),
              bound()));

  private static MechanismOption threshold() {
    return MechanismOption.number(THRESHOLD, Double.MIN_NORMAL, Double.MAX_VALUE);
  }

  private static MechanismOption bound() {
    return MechanismOption.number(FEATURE_BOUND, LEAST_BOUND, LARGEST_BOUND);
  }

  private static MechanismKind kind(String name, List<MechanismOption> options) {
    return new MechanismKind(
        name,
        options,
        false,
        HuberModel::sized,
        Optional.empty(),
        HuberModel::payload,
        MechanismKind.NO_WARNINGS,
        new MechanismKind.Proof(
            "the gradient of the loss of one row has at most the norm of its clipped features times"
                + " the slope of the loss, and its second derivative is bounded; a random linear term and a"
                + " ridge hide both, and noise on the coefficients hides what the solver is off by",
            List.of(),
            false));
  }

  // ObjectivePerturbation has the proof: (epsilon, delta) for an added, removed or replaced row,
  // which may also leave a cell and enter another one. The models of all cells are drawn
  // independently given the rows, so for all of them together a row costs what it costs in the
  // cells that it touches. That is the cost of this mechanism over all cells, by epsilon and delta
  // alone, and composes as such. All cells of a series have the same spec.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    requireRows(stream, sketch.mechanism());
    if (stream.budget().epsilon() > LARGEST_EPSILON) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "epsilon must be at most %s for %s. Provided value: %s",
              LARGEST_EPSILON,
              sketch.mechanism(),
              stream.budget().epsilon()));
    }
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    double quantile = sketch.number(QUANTILE).orElse(0.5);
    OptionalDouble threshold = threshold(schema, columns, sketch);
    HuberPlan plan = HuberPlan.of(stream, columns, quantile);
    double bound = sketch.number(FEATURE_BOUND).orElseGet(plan::featureBound);
    double mostSlope = ObjectiveCalibration.largestSlope(bound);
    EmptySketchSpec spec = new EmptySketchSpec(schema.dimension());
    double all = stream.sketches().stream().mapToDouble(SketchRequest::weight).sum();
    double delta = stream.budget().delta() * sketch.weight() / all;
    boolean pure = columns.features().size() <= ObjectiveSpec.MOST_PURE;
    double own = delta * (pure ? PURE_DELTA : 1.0 - PURE_DELTA);
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Approximate(own),
        0.0, // in the delta of the objective
        cost -> {
          MechanismCost.Approximate mine = (MechanismCost.Approximate) cost;
          Budget budget = new Budget(mine.epsilon(), mine.delta(), stream.budget().neighbours());
          DoubleFunction<ObjectiveSpec> objective =
              k -> objective(columns, new FittedLoss(k, quantile), bound, budget);
          double planned = threshold.orElseGet(() -> plan.threshold(objective, mostSlope));
          checkCalibration(objective.apply(planned), stream.expectedRows());
          return new HuberModel(
              sketch.mechanism(),
              spec,
              columns,
              new FittedLoss(planned, quantile),
              objective.apply(planned),
              stream.expectedRows());
        });
  }

  private static void checkCalibration(ObjectiveSpec objective, long expectedRows) {
    ObjectiveCalibration calibration;
    try {
      calibration = ObjectiveCalibration.of(objective);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "threshold, featureBound or epsilon is out of range: " + e.getMessage(), e);
    }
    if (expectedRows > calibration.mostRows() / 2) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedRows must be at most %,d, half of the rows that the model allows at this"
                  + " epsilon; make epochs shorter or epsilon smaller. Provided value: %,d",
              calibration.mostRows() / 2,
              expectedRows));
    }
  }

  private static void requireRows(StreamRequest stream, String name) {
    if (stream.unit().kind() != UnitKind.ROW) {
      throw new IllegalArgumentException(
          "privacy.unit must be row for "
              + name
              + ", which reads the rows of an epoch again. Provided value: "
              + stream.unit().description());
    }
  }

  /** The threshold that the config gives, in the encoded scale; empty if it gives none. */
  private static OptionalDouble threshold(
      RowSchema schema, ModelColumns columns, SketchRequest sketch) {
    OptionalDouble given = sketch.number(THRESHOLD);
    if (given.isEmpty()) {
      return given;
    }
    double half = schema.half(columns.response());
    double threshold = given.getAsDouble() / half;
    if (!(threshold >= ModelLoss.LEAST_THRESHOLD && threshold <= LARGEST_THRESHOLD)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "threshold must be in [%.4g, %.4g], in units of %s. Provided value: %s",
              ModelLoss.LEAST_THRESHOLD * half,
              LARGEST_THRESHOLD * half,
              columns.responseName(),
              given.getAsDouble()));
    }
    return OptionalDouble.of(threshold);
  }

  private static ObjectiveSpec objective(
      ModelColumns columns, FittedLoss loss, double bound, Budget budget) {
    ModelLoss convex =
        loss.quantile() == 0.5
            ? new ModelLoss.Huber(loss.threshold())
            : new ModelLoss.Quantile(loss.quantile(), loss.threshold());
    return ObjectiveSpec.of(columns.features().size(), bound, convex, budget);
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        new FittedLoss(header.positive(THRESHOLD), header.positive(QUANTILE)),
        header.positive(GRADIENT),
        header.positive(RIDGE),
        header.positive(EXPECTED_ROWS));
  }

  private ObjectivePerturbation perturbation() {
    return ObjectivePerturbation.of(objective);
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Approximate(objective.budget().epsilon(), objective.budget().delta());
  }

  @Override
  public double stepSize() {
    return Math.scalb(1.0, -perturbation().calibration().outputBits());
  }

  /** What the random linear term moves a coefficient by, at most, where there are no rows. */
  @Override
  public double sigma() {
    ObjectiveCalibration calibration = perturbation().calibration();
    return Math.scalb(calibration.deviation() / calibration.lambda(), calibration.outputBits());
  }

  @Override
  public ModelRows rows() {
    return perturbation().rows();
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    double[] features = new double[columns.features().size()];
    for (int k = 0; k < features.length; k++) {
      features[k] = scaled[columns.features().get(k)];
    }
    rows.add(features, scaled[columns.response()]);
  }

  @Override
  public int payloadLength() {
    return columns.features().size();
  }

  @Override
  public long[] fit(ModelRows rows, Entropy entropy) {
    return perturbation().steps(rows, entropy);
  }

  @Override
  public Map<String, Double> parameters() {
    ObjectiveCalibration calibration = perturbation().calibration();
    return new TreeMap<>(
        Map.of(
            EXPECTED_ROWS,
            (double) expectedRows,
            THRESHOLD,
            loss.threshold(),
            QUANTILE,
            loss.quantile(),
            FEATURE_BOUND,
            objective.featureBound(),
            "epsilon",
            objective.budget().epsilon(),
            "determinantShare",
            objective.determinantShare(),
            GRADIENT,
            calibration.deviation(),
            RIDGE,
            calibration.lambda()));
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** The features, and the bits of the numbers that decide the loss of a row. */
  @Override
  public List<Integer> shape() {
    return List.of(
        columns.features().size(),
        high(loss.threshold()),
        low(loss.threshold()),
        high(loss.quantile()),
        low(loss.quantile()),
        high(objective.featureBound()),
        low(objective.featureBound()));
  }

  private static int high(double value) {
    return (int) (Double.doubleToLongBits(value) >>> Integer.SIZE);
  }

  private static int low(double value) {
    return (int) Double.doubleToLongBits(value);
  }

  @Override
  public String noiseLaw() {
    ObjectiveCalibration calibration = perturbation().calibration();
    return String.format(
        Locale.ROOT,
        "a random linear term in the objective, %s; rounded Laplace noise of scale %s on each"
            + " coefficient",
        objective.noise() == ObjectiveNoise.PURE
            ? "of density proportional to exp(-|b| / " + calibration.scale() + ")"
            : "Gaussian with standard deviation " + calibration.scale(),
        Math.scalb(calibration.output().scale(), -calibration.outputBits()));
  }
}

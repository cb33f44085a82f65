package io.gauze.mechanism.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.mechanism.model.ObjectiveModels;
import io.gauze.model.ExactSquares;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.ObjectiveSpec;
import io.gauze.model.SquaresPerturbation;
import io.gauze.model.SquaresSpec;
import io.gauze.noise.Entropy;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One linear model of least squares in a ball, from exact moments: the minimiser of an objective
 * with a random linear term, see {@link SquaresPerturbation}.
 *
 * @param spec the exact moments
 * @param columns the response and the features
 * @param squares the public numbers of the objective
 * @param expectedRows the public guess from which an error is predicted
 */
public record SquaresModel(
    SecondMomentsSpec spec, ModelColumns columns, SquaresSpec squares, long expectedRows)
    implements ExactStateMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "objective-perturbation";

  private static final String RADIUS = "radius";
  private static final String NOISE = "noise";
  private static final double DEFAULT_RADIUS = 1.5;
  private static final double LEAST_RADIUS = 0.01;
  private static final double LARGEST_RADIUS = 64.0;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              ModelColumns.RESPONSE,
              ModelColumns.FEATURES,
              MechanismOption.number(RADIUS, LEAST_RADIUS, LARGEST_RADIUS)
                  .or(DEFAULT_RADIUS)
                  .means(
                      "The largest norm of the coefficients, the intercept's included, in the encoded"
                          + " scale."),
              MechanismOption.choice(
                      NOISE, ObjectiveNoise.PURE.label(), ObjectiveNoise.GAUSSIAN.label())
                  .or(
                      "pure up to "
                          + ObjectiveSpec.MOST_PURE
                          + " features, the intercept included, else gaussian")
                  .means("The law of the noise of the linear term.")),
          false,
          SquaresModel::sized,
          Optional.empty(),
          SquaresModel::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "in the ball of the model, the gradient of the squared loss of one row has at most the"
                  + " norm of its features times its largest residual, and its second derivative is"
                  + " at most the square of that norm; a random linear term and a ridge hide both,"
                  + " and noise on the coefficients hides what the solver is off by",
              List.of(Moments.NO_OVERFLOW),
              false));

  // The cost over all cells is that of HuberModel, by epsilon and delta alone. A unit of several
  // rows would change the determinant several times.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.check(stream, NAME, "whose ridge hides the curvature of one row");
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    GradientBounds bounds = GradientBounds.of(stream, columns);
    double radius = sketch.number(RADIUS).orElse(DEFAULT_RADIUS);
    ObjectiveNoise noise = noise(columns, sketch);
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    double own = ObjectiveModels.ownDelta(stream, sketch, noise == ObjectiveNoise.PURE);
    return new UncalibratedMechanism(
        spec,
        new BudgetSplit.Approximate(own),
        0.0, // in the delta of the objective
        cost -> {
          MechanismCost.Approximate mine = (MechanismCost.Approximate) cost;
          SquaresSpec squares =
              new SquaresSpec(
                  columns.features().size(),
                  radius,
                  bounds.row(radius),
                  bounds.squaredFeatures(),
                  schema.grid().momentUnit(),
                  new Budget(mine.epsilon(), mine.delta(), stream.budget().neighbours()),
                  noise);
          SquaresPerturbation.of(squares); // checks it
          return new SquaresModel(spec, columns, squares, stream.expectedRows());
        });
  }

  private static ObjectiveNoise noise(ModelColumns columns, SketchRequest sketch) {
    boolean pure = columns.features().size() <= ObjectiveSpec.MOST_PURE;
    String label = (pure ? ObjectiveNoise.PURE : ObjectiveNoise.GAUSSIAN).label();
    return sketch.word(NOISE, label).equals(ObjectiveNoise.PURE.label())
        ? ObjectiveNoise.PURE
        : ObjectiveNoise.GAUSSIAN;
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        FittedLoss.SQUARED,
        header.positive(ObjectiveModels.GRADIENT),
        header.positive(ObjectiveModels.RIDGE),
        header.positive(EXPECTED_ROWS),
        new FitMethod.Ball(header.positive(RADIUS)));
  }

  /** The calibrated objective. */
  public SquaresPerturbation perturbation() {
    return SquaresPerturbation.of(squares);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Approximate(squares.budget().epsilon(), squares.budget().delta());
  }

  @Override
  public double stepSize() {
    return Math.scalb(1.0, -perturbation().outputBits());
  }

  /** What the random linear term moves a coefficient by, at most, where there are no rows. */
  @Override
  public double sigma() {
    SquaresPerturbation perturbation = perturbation();
    return Math.scalb(perturbation.deviation() / perturbation.lambda(), perturbation.outputBits());
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    return perturbation().steps(moments(state), entropy);
  }

  /** Returns the moments of the model's columns. */
  private ExactSquares moments(long... state) {
    int p = columns.features().size();
    long[] moments = new long[p * p];
    long[] products = new long[p];
    for (int j = 0; j < p; j++) {
      int column = columns.features().get(j);
      products[j] = state[spec.index(column, columns.response())];
      for (int k = 0; k < p; k++) {
        moments[j * p + k] = state[spec.index(column, columns.features().get(k))];
      }
    }
    return new ExactSquares(moments, products);
  }

  @Override
  public Map<String, Double> parameters() {
    SquaresPerturbation perturbation = perturbation();
    return new TreeMap<>(
        Map.of(
            EXPECTED_ROWS,
            (double) expectedRows,
            RADIUS,
            squares.radius(),
            "epsilon",
            squares.budget().epsilon(),
            "determinantShare",
            SquaresSpec.DETERMINANT_SHARE,
            ObjectiveModels.GRADIENT,
            perturbation.deviation(),
            ObjectiveModels.RIDGE,
            perturbation.lambda()));
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** The law of b and the bits of the radius: models of others have another law. */
  @Override
  public List<Integer> shape() {
    int law = squares.noise() == ObjectiveNoise.PURE ? 0 : 1;
    List<Integer> shape = new ArrayList<>(List.of(law));
    shape.addAll(ObjectiveModels.bits(squares.radius()));
    return shape;
  }

  @Override
  public String noiseLaw() {
    return ObjectiveModels.noiseLaw(perturbation().law(), perturbation().outputScale());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

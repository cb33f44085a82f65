package io.gauze.mechanism.descent;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.mechanism.model.ObjectiveModels;
import io.gauze.mechanism.twostage.NormCells;
import io.gauze.model.ModelRows;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One linear model of one response by least squares: noisy gradient descent on rows that a first,
 * cheap release of the same rows has centred and whitened.
 *
 * <p>First stage: the noisy moments of {@link io.gauze.mechanism.twostage.TwoStageMoments}, in one
 * round or two, give a public transform of rows and a first model. Noisy counts of the norms of
 * gradients at that model decide the norm to which gradients are shortened. Second stage: steps
 * down noisy sums of gradients; the mean of the points that whole steps lead to is released. Rows
 * are read once for each part.
 *
 * <p>Not from the literature.
 *
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param rowBound the norm to which encoded rows of these columns are shortened
 * @param intercept the constant of encoded rows, on their grid
 * @param plan what each part spends
 * @param expectedRows the public guess from which an error is predicted
 */
public record DescentModel(
    EmptySketchSpec spec,
    ModelColumns columns,
    double rowBound,
    double intercept,
    DescentPlan plan,
    long expectedRows)
    implements RowsMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "descent";

  private static final String ROW_BOUND = "rowBound";
  private static final String FIRST_SIGMA = "firstSigma";
  private static final String SECOND_SIGMA = "secondSigma";
  private static final String COUNT_SIGMA = "countSigma";
  private static final String ONE_ROUND = "stepSigmaAfterOneRound";
  private static final String TWO_ROUNDS = "stepSigmaAfterTwoRounds";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(ModelColumns.RESPONSE, ModelColumns.FEATURES),
          false,
          DescentModel::sized,
          Optional.empty(),
          DescentModel::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "one row of norm at most B changes second moments by at most B^2 in Frobenius norm"
                  + " (replaced: sqrt 2 B^2), counts by at most 1 (sqrt 2), and a sum of gradients"
                  + " of norm at most 1 by 1 (2), whatever the public transform, bound and model"
                  + " are that the noisy sums before lead to; the parts compose adaptively",
              List.of(),
              false));

  // PROOF-descent.md has the proof.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.requireRows(stream, NAME);
    Checks.within("expectedRows for " + NAME, stream.expectedRows(), 1, ModelRows.MOST_ROWS / 2);
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    int features = columns.features().size();
    double bound = bound(schema, columns);
    RowClipper clipper = RowClipper.of(features + 1, bound);
    double intercept = schema.grid().floor(schema.intercept()); // as releases say it
    EmptySketchSpec spec = new EmptySketchSpec(schema.dimension());
    int samples =
        DescentPlan.ROUNDS * (NormCells.COUNT + SymmetricMatrix.length(features + 1))
            + Tuning.STEPS * features;
    return UncalibratedMechanism.gaussian(
        spec,
        samples,
        mu -> {
          Neighbours neighbours = stream.budget().neighbours();
          SecondMomentsSpec moments = new SecondMomentsSpec(features + 1);
          DescentPlan plan =
              DescentPlan.of(
                  NAME,
                  features + 1,
                  mu,
                  moments.sensitivity(bound, neighbours),
                  clipper.grid().momentUnit(),
                  moments.sensitivity(1.0, neighbours),
                  DescentPlan.gradientSensitivity(neighbours));
          return new DescentModel(spec, columns, bound, intercept, plan, stream.expectedRows());
        });
  }

  /** The row bound of the schema, or the largest norm of a row of these columns if it is less. */
  private static double bound(RowSchema schema, ModelColumns columns) {
    double square = schema.intercept() * schema.intercept();
    square += Math.pow(schema.reach(columns.response()), 2);
    for (int feature : columns.features()) {
      square += Math.pow(schema.reach(feature), 2);
    }
    return Math.min(schema.rowBound(), Math.sqrt(square));
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        FittedLoss.SQUARED,
        0.0,
        0.0,
        header.positive(EXPECTED_ROWS),
        new FitMethod.Steps(
            List.of(header.deviation(FIRST_SIGMA), header.deviation(SECOND_SIGMA)),
            header.deviation(COUNT_SIGMA),
            List.of(header.deviation(ONE_ROUND), header.deviation(TWO_ROUNDS))));
  }

  private FitMethod.Steps noise() {
    return new FitMethod.Steps(
        List.of(plan.first().deviation(), plan.second().deviation()),
        plan.countDeviation(),
        List.of(plan.stepDeviation(1), plan.stepDeviation(2)));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(plan.mu());
  }

  @Override
  public double stepSize() {
    return DescentRelease.OUTPUT_UNIT;
  }

  /** What the noise of a step moves a coefficient of the whitened rows by, if there is one row. */
  @Override
  public double sigma() {
    return plan.stepDeviation(DescentPlan.ROUNDS) / DescentRelease.OUTPUT_UNIT;
  }

  @Override
  public int payloadLength() {
    return columns.features().size() + FitMethod.Steps.EXTRA;
  }

  @Override
  public ModelRows rows() {
    return ModelRows.ofUnitEntries(columns.features().size() + 1);
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    double[] entries = Arrays.copyOf(columns.features(scaled), columns.features().size() + 1);
    entries[entries.length - 1] = scaled[columns.response()];
    rows.add(entries, 0.0);
  }

  @Override
  public long[] fit(ModelRows rows, Entropy entropy) {
    return numbers(sums(rows, entropy));
  }

  /**
   * Returns the noisy sums of which a release of some rows is made. Each call spends budget.
   *
   * @param entropy random bits that are used for nothing else
   */
  public DescentSums sums(ModelRows rows, Entropy entropy) {
    return new NoisyDescentSums(
        RowClipper.of(columns.features().size() + 1, rowBound),
        plan,
        intercept,
        new RowProducts(rows),
        entropy);
  }

  /** Returns the payload that some sums lead to, a function of what they answer alone. */
  public long[] numbers(DescentSums sums) {
    return new DescentRelease(columns.features().size(), noise(), intercept).numbers(sums);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            EXPECTED_ROWS,
            (double) expectedRows,
            "mu",
            plan.mu(),
            ROW_BOUND,
            rowBound,
            FIRST_SIGMA,
            plan.first().deviation(),
            SECOND_SIGMA,
            plan.second().deviation(),
            COUNT_SIGMA,
            plan.countDeviation(),
            ONE_ROUND,
            plan.stepDeviation(1),
            TWO_ROUNDS,
            plan.stepDeviation(2)));
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** The features, and the bits of the numbers that decide a row's part. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(columns.features().size()));
    shape.addAll(ObjectiveModels.bits(rowBound, intercept));
    return shape;
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%s, in the first moments; in those of a second round %s; normal noise of standard"
            + " deviation %s in each count, and in each entry of a sum of gradients of norm 1, in"
            + " each of %d steps, %s, or after a second round %s",
        plan.first().law(),
        plan.second().law(),
        plan.countDeviation(),
        Tuning.STEPS,
        plan.stepDeviation(1),
        plan.stepDeviation(2));
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

package io.gauze.mechanism.model;

import io.gauze.accounting.Budget;
import io.gauze.accounting.MechanismCost;
import io.gauze.linalg.DoubleVector;
import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.RowsMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.track.ModelTrack;
import io.gauze.model.track.PreviousModel;
import io.gauze.model.track.TrackFilter;
import io.gauze.model.track.TrackedModel;
import io.gauze.noise.Entropy;
import io.gauze.payload.FitMethod;
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

/**
 * One robust linear model that is kept up to date, epoch after epoch: see {@link ModelTrack}. Each
 * release holds all that the next epoch needs.
 *
 * @param fit the fit of one epoch, with its part of the budget
 * @param budget of the series
 * @param square the mean square of a feature, as expected
 */
public record HuberTrack(HuberModel fit, Budget budget, double square)
    implements RowsMechanism, TrackingMechanism {
  /** The name in config files. */
  public static final String NAME = "huber-track";

  /** The name of the parameter that holds the expected mean square of a feature. */
  private static final String SQUARE = "featureSquare";

  private static final String EPSILON = "epsilon";
  private static final String COUNT_SCALE = "countScale";
  private static final double LEAST_SQUARE = 0x1p-20;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          HuberModel.OPTIONS,
          false,
          HuberTrack::sized,
          Optional.empty(),
          HuberTrack::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "a twentieth of epsilon is for a noisy number of rows, the rest for a fit whose ridge"
                  + " draws to a published model: "
                  + ObjectiveModels.PROOF.basis(),
              List.of(),
              false));

  // ModelTrack has the proof: (epsilon, delta) for an added, removed or replaced row, which may
  // also leave a cell and enter another one. Given what is published before, each cell is a
  // mechanism of the same epsilon and the same share of the determinant, so for all cells together
  // a row costs what it costs in the cells that it touches.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    UncalibratedMechanism one = HuberModel.sized(stream, sketch, size);
    double expected = square(stream.schema(), ModelColumns.of(stream.schema(), sketch));
    return new UncalibratedMechanism(
        one.spec(),
        one.family(),
        one.samplerDistance(),
        cost -> {
          MechanismCost.Approximate mine = (MechanismCost.Approximate) cost;
          Budget budget = new Budget(mine.epsilon(), mine.delta(), stream.budget().neighbours());
          Budget part = ModelTrack.fitBudget(budget);
          HuberModel fit =
              (HuberModel)
                  one.calibrate()
                      .apply(new MechanismCost.Approximate(part.epsilon(), part.delta()));
          return planned(new HuberTrack(fit, budget, bounded(fit, expected)));
        });
  }

  private static HuberTrack planned(HuberTrack mechanism) {
    int most = mechanism.mostRows() / 2;
    if (mechanism.fit.expectedRows() > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expectedRows must be at most %,d, half of the rows that the model allows at this"
                  + " epsilon; make epochs shorter or epsilon smaller. Provided value: %,d",
              most,
              mechanism.fit.expectedRows()));
    }
    return mechanism;
  }

  private static double square(RowSchema schema, ModelColumns columns) {
    DoubleVector squares = ExpectedSquares.of(schema);
    double sum = schema.intercept() * schema.intercept();
    for (int feature : columns.features()) {
      sum += feature == 0 ? 0.0 : squares.get(feature - 1);
    }
    return sum / columns.features().size();
  }

  /** Rows are scaled down to the bound, which leaves no more of their squares. */
  private static double bounded(HuberModel fit, double square) {
    double bound = fit.objective().featureBound();
    double most = bound * bound / fit.columns().features().size();
    return Math.max(LEAST_SQUARE, Math.min(most, square));
  }

  private static Payload payload(PayloadParameters header) {
    Payload.Model one = (Payload.Model) HuberModel.payload(header);
    TrackFilter filter =
        new TrackFilter(
            one.features().size(),
            new ModelLoss.Huber(one.loss().threshold()).slope(), // as the fit cuts it
            header.positive(ObjectiveModels.FEATURE_BOUND),
            one.gradient(),
            one.ridge(),
            header.positive(COUNT_SCALE),
            header.positive(SQUARE));
    return one.with(
        new FitMethod.Track(filter.expectedVariance(one.expectedRows(), Tuning.SETTLED)));
  }

  private ModelTrack track() {
    return ModelTrack.of(fit.objective(), budget, square);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EmptySketchSpec spec() {
    return fit.spec();
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Approximate(budget.epsilon(), budget.delta());
  }

  @Override
  public double stepSize() {
    return fit.stepSize();
  }

  /** As of a fit with the least ridge. */
  @Override
  public double sigma() {
    return fit.sigma();
  }

  @Override
  public ModelRows rows() {
    return fit.rows();
  }

  @Override
  public void add(ModelRows rows, double... scaled) {
    fit.add(rows, scaled);
  }

  @Override
  public int mostRows() {
    return track().mostRows();
  }

  @Override
  public int payloadLength() {
    return fit.payloadLength() + TrackedModel.EXTRA;
  }

  @Override
  public long[] fit(ModelRows rows, Entropy entropy) {
    return fit(rows, Optional.empty(), entropy);
  }

  private long[] fit(
      ModelRows rows, Optional<PreviousModel<TrackedModel>> before, Entropy entropy) {
    return track().fit(rows, before, entropy).numbers();
  }

  @Override
  public EpochFitter begin(Entropy entropy) {
    return begin(Optional.empty(), entropy);
  }

  @Override
  public EpochFitter begin(Optional<PreviousRelease> before, Entropy entropy) {
    Optional<PreviousModel<TrackedModel>> model = model(before, TrackedModel::of);
    return BufferedEpochFit.of(this, rows -> fit(rows, model, entropy));
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>(fit.parameters());
    parameters.put(EPSILON, budget.epsilon());
    parameters.put(SQUARE, square);
    parameters.put(COUNT_SCALE, track().count().scale());
    return parameters;
  }

  @Override
  public Map<String, String> settings() {
    return fit.settings();
  }

  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(fit.shape());
    shape.addAll(ObjectiveModels.bits(square));
    return shape;
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "rounded Laplace noise of scale %s on the number of rows; %s",
        track().count().scale(),
        fit.noiseLaw());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

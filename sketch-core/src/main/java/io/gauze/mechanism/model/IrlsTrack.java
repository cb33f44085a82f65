package io.gauze.mechanism.model;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.TrackingMechanism;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.model.ResidualNoise;
import io.gauze.model.ResidualStatistics;
import io.gauze.model.ResidualStatisticsSpec;
import io.gauze.model.track.ResidualFilter;
import io.gauze.model.track.ResidualTrack;
import io.gauze.noise.Entropy;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.sketch.EmptySketchSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One robust linear model that is kept up to date by noisy statistics of residuals: each epoch
 * publishes counts of their sizes, and gradient and Hessian of Huber's loss, at the model that was
 * published before. All else is a function of what is published, see {@link ResidualFilter}. The
 * statistics have their noise from the beginning, and no row is kept. Not from the literature.
 *
 * @param spec the sketch of the state, which is empty
 * @param columns the response and the features
 * @param statistics the public numbers of an epoch's statistics
 * @param plan what is expected of the rows
 */
public record IrlsTrack(
    EmptySketchSpec spec,
    ModelColumns columns,
    ResidualStatisticsSpec statistics,
    ResidualPlan plan)
    implements TrackingMechanism {
  /** The name in config files. */
  public static final String NAME = "irls-track";

  private static final String MU = "mu";
  private static final String COUNT = "countSigma";
  private static final String HESSIAN = "hessianSigma";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(ModelColumns.RESPONSE, ModelColumns.FEATURES, ObjectiveModels.bound()),
          false,
          IrlsTrack::sized,
          Optional.empty(),
          IrlsTrack::payload,
          IrlsTrack::warnings,
          new MechanismKind.Proof(
              "at a published model, a row that is added or removed changes one count by 1, the"
                  + " gradient by at most the norm of its clipped features, and the Hessian by at"
                  + " most that norm squared; a replaced row changes two counts, and all three"
                  + " together by less than the sum of their largest changes; epochs compose"
                  + " adaptively",
              List.of(),
              false));

  // ResidualStatistics: the cells that a row touches are mu-GDP together, given what is published
  // before. PROOF-irls-track.md has the proof.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.requireRows(stream, NAME);
    ModelColumns columns = ModelColumns.of(stream.schema(), sketch);
    int features = columns.features().size();
    if (features > ResidualStatisticsSpec.MOST_FEATURES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "features must be at most %d with the intercept for %s, whose releases hold several"
                  + " matrices of them; huber-track takes more. Provided value: %d",
              ResidualStatisticsSpec.MOST_FEATURES,
              NAME,
              features));
    }
    double bound =
        sketch
            .number(ObjectiveModels.FEATURE_BOUND)
            .orElseGet(() -> HuberPlan.of(stream, columns).featureBound());
    ResidualPlan plan = ResidualPlan.of(stream, columns, bound);
    Neighbours neighbours = stream.budget().neighbours();
    EmptySketchSpec spec = new EmptySketchSpec(stream.schema().dimension());
    return UncalibratedMechanism.gaussian(
        spec,
        new ResidualStatisticsSpec(features, bound, 1.0, neighbours).entries(),
        mu -> {
          Checks.within(
              "mu of " + NAME + ", by weight and epsilon,",
              mu,
              ResidualStatisticsSpec.LEAST_MU,
              ResidualStatisticsSpec.MOST_MU);
          return new IrlsTrack(
              spec, columns, new ResidualStatisticsSpec(features, bound, mu, neighbours), plan);
        });
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    ResidualNoise noise =
        new ResidualNoise(
            columns.features().size(),
            header.positive(COUNT),
            header.positive(ObjectiveModels.GRADIENT),
            header.positive(HESSIAN));
    ResidualPlan plan =
        new ResidualPlan(
            header.positive(EXPECTED_ROWS),
            header.positive(ResidualPlan.SQUARE),
            header.positive(ResidualPlan.MEDIAN));
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        new FittedLoss(plan.median(), 0.5),
        noise.gradient() * plan.median(),
        0.0,
        plan.rows(),
        new FitMethod.Residuals(noise.features(), plan.variance(noise), noise.gradient()));
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    IrlsTrack track = (IrlsTrack) mechanism;
    return track.plan.warnings(sketch, track.statistics.noise());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(statistics.mu());
  }

  @Override
  public double stepSize() {
    return Math.scalb(1.0, -ResidualTrack.OUTPUT_BITS);
  }

  /** What the noise of a first epoch moves a coefficient by, at most. */
  @Override
  public double sigma() {
    return Math.scalb(
        ResidualFilter.largestDeviation(statistics.noise()), ResidualTrack.OUTPUT_BITS);
  }

  @Override
  public int payloadLength() {
    return ResidualTrack.length(statistics.features());
  }

  @Override
  public EpochFitter begin(Optional<PreviousRelease> before, Entropy entropy) {
    ResidualFilter filter =
        ResidualFilter.of(
            statistics, model(before, numbers -> ResidualTrack.of(statistics.features(), numbers)));
    ResidualStatistics sums = filter.statistics(entropy);
    return new EpochFitter() {
      @Override
      public void add(double... scaled) {
        sums.add(columns.features(scaled), scaled[columns.response()]);
      }

      @Override
      public long bytes() {
        return (long) Long.BYTES * statistics.entries();
      }

      @Override
      public Optional<BufferedEpochFit> held() {
        return Optional.empty();
      }

      @Override
      public long[] numbers() {
        return filter.next(sums.numbers()).numbers();
      }
    };
  }

  @Override
  public Map<String, Double> parameters() {
    ResidualNoise noise = statistics.noise();
    Map<String, Double> parameters = new TreeMap<>(plan.parameters());
    parameters.put(MU, statistics.mu());
    parameters.put(ObjectiveModels.FEATURE_BOUND, statistics.featureBound());
    parameters.put(COUNT, noise.counts());
    parameters.put(ObjectiveModels.GRADIENT, noise.gradient());
    parameters.put(HESSIAN, noise.hessian());
    return parameters;
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** The features, and the bits of the number that decides a row's part. */
  @Override
  public List<Integer> shape() {
    List<Integer> shape = new ArrayList<>(List.of(statistics.features()));
    shape.addAll(ObjectiveModels.bits(statistics.featureBound()));
    return shape;
  }

  @Override
  public String noiseLaw() {
    ResidualNoise noise = statistics.noise();
    return String.format(
        Locale.ROOT,
        "independent normal noise, rounded to whole steps: standard deviation %s in each count of"
            + " residuals, %s in each entry of the gradient, and in the Hessian %s on the diagonal"
            + " and 1 / sqrt 2 of that off it",
        noise.counts(),
        noise.gradient(),
        noise.hessian());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

package io.gauze.mechanism.twostage;

import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.model.ObjectiveModels;
import io.gauze.model.ModelRows;
import io.gauze.model.RowProducts;
import io.gauze.noise.Entropy;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Moments of rows that a first, cheap release of the same rows has centred and whitened, as {@link
 * TwoStageMoments} releases them, and then moments of the rows of each stratum of the residual of a
 * public model that they lead to. Rows are read several times.
 *
 * <p>Not from the literature.
 *
 * @param spec the sketch of the state, which is empty
 * @param schema of the rows
 * @param response the encoded column whose residual decides the stratum
 * @param strata K
 * @param plan what each part spends
 * @param expectedRows the public guess that decides the default number of strata
 */
public record TwoStageStrata(
    EmptySketchSpec spec,
    RowSchema schema,
    int response,
    int strata,
    StrataPlan plan,
    long expectedRows)
    implements TransformedRowsMechanism<StrataSums> {
  /** The name in config files and releases. */
  public static final String NAME = "residual-strata";

  private static final String STRATA = "strata";
  private static final String STRATA_SIGMA = "sigmaOfStrata";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.response(),
              MechanismOption.whole(
                      STRATA, TransformedStrata.LEAST_STRATA, TransformedStrata.MOST_STRATA)
                  .orPlanned()
                  .means("How many strata of residuals there are.")),
          false,
          TwoStageStrata::sized,
          Optional.empty(),
          TwoStageStrata::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "the moments of all rows are a release of two-stage-moments; whatever transform and"
                  + " model they lead to, one row of norm at most 1 changes the second moments of"
                  + " all strata together by at most 1 in Frobenius norm (replaced: sqrt 2), since"
                  + " the row and the public model alone decide its stratum; both compose"
                  + " adaptively",
              List.of(),
              false));

  // PROOF-residual-strata.md has the proof.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.requireRows(stream, NAME);
    Checks.within(
        "expectedRows for " + NAME, stream.expectedRows(), 1, TwoStageMoments.MOST_EXPECTED);
    RowSchema schema = stream.schema();
    int dimension = schema.dimension();
    int response = sketch.response(schema);
    Neighbours neighbours = stream.budget().neighbours();
    SecondMomentsSpec moments = new SecondMomentsSpec(dimension);
    double ofRow = moments.sensitivity(TwoStageRelease.BOUND, neighbours);
    int strata =
        (int)
            sketch
                .whole(STRATA)
                .orElseGet(
                    () ->
                        StrataPlan.strata(
                            stream.expectedRows(),
                            dimension,
                            ofRow / TwoStagePlan.share(size, Tuning.STRATA)));
    Checks.within(
        "strata for " + dimension + " columns with the intercept",
        strata,
        1,
        SketchSpec.MAX_STATE_LENGTH / SymmetricMatrix.length(dimension));
    EmptySketchSpec spec = new EmptySketchSpec(dimension);
    int triangles = Math.addExact(Tuning.ROUNDS + 1, strata);
    int samples =
        Math.addExact(
            Tuning.ROUNDS * NormCells.COUNT,
            Math.multiplyExact(triangles, SymmetricMatrix.length(dimension)));
    return UncalibratedMechanism.gaussian(
        spec,
        samples,
        mu ->
            new TwoStageStrata(
                spec,
                schema,
                response,
                strata,
                StrataPlan.of(
                    NAME,
                    dimension,
                    mu,
                    stream.unitSensitivity(moments),
                    stream.unitSensitivity(ofRow),
                    schema.grid().momentUnit()),
                stream.expectedRows()));
  }

  private static Payload payload(PayloadParameters header) {
    if (!header.parameters().containsKey(STRATA_SIGMA)) {
      return EarlierStrata.payload(header);
    }
    return new TransformedStrata(
        TwoStageMoments.payload(header),
        header.whole(STRATA, TransformedStrata.LEAST_STRATA, TransformedStrata.MOST_STRATA),
        header.deviation(STRATA_SIGMA));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(plan.mu());
  }

  /** That of a stratum. */
  @Override
  public double sigma() {
    return plan.strata().noise().diagonal().sigma();
  }

  @Override
  public TransformedStrata payload() {
    return new TransformedStrata(
        plan.moments().payload(response), strata, plan.strata().deviation());
  }

  @Override
  public StrataSums sums(ModelRows rows, Entropy entropy) {
    return new NoisyStrataSums(
        RowClipper.ofAnyRow(schema), plan, intercept(), new RowProducts(rows), entropy);
  }

  @Override
  public Function<StrataSums, long[]> after(Optional<PreviousRelease> before) {
    return new StrataRelease(payload(), intercept()).after(before);
  }

  @Override
  public Map<String, Double> parameters() {
    Map<String, Double> parameters = new TreeMap<>(TwoStageMoments.parameters(plan.moments()));
    parameters.put("mu", plan.mu());
    parameters.put(STRATA, (double) strata);
    parameters.put(EXPECTED_ROWS, (double) expectedRows);
    parameters.put(STRATA_SIGMA, plan.strata().deviation());
    return parameters;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(SketchRequest.RESPONSE, schema.encodedNames().get(response));
  }

  @Override
  public List<Integer> shape() {
    return List.of(response, strata);
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%s; in every stratum %s",
        TwoStageMoments.noiseLaw(plan.moments()),
        plan.strata().law());
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

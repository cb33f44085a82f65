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
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowClipper;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Second moments of rows that a first, cheap release of the same rows has centred and whitened, so
 * that their noise is that of rows which lie where the ball of the noise is. Wide ranges of columns
 * cost hardly anything then.
 *
 * <p>First stage, one round or two: noisy second moments decide a public transform of rows, and
 * noisy counts of the norms of transformed rows decide the bound to which they are shortened. The
 * second round begins with the rows that the first one transformed; there is none if the first one
 * told enough. Second stage: the noisy second moments of transformed, shortened rows. Rows are read
 * several times. An epoch before which its series has a release with a clear transform takes that
 * in place of the rounds, see {@link EarlierTransform}.
 *
 * <p>Not from the literature.
 *
 * @param spec the sketch of the state, which is empty
 * @param schema of the rows
 * @param response the encoded column whose residual has more weight
 * @param plan what each part spends
 */
public record TwoStageMoments(
    EmptySketchSpec spec, RowSchema schema, int response, TwoStagePlan plan)
    implements TransformedRowsMechanism<RowSums> {
  /** The name in config files and releases. */
  public static final String NAME = "two-stage-moments";

  /** Half of the rows that can be read again: an epoch may have twice the expected ones. */
  static final int MOST_EXPECTED = ModelRows.MOST_ROWS / 2;

  private static final String FIRST_SIGMA = "firstSigma";
  private static final String SECOND_SIGMA = "secondSigma";
  private static final String COUNT_SIGMA = "countSigma";
  private static final String NO_ROUND = "sigmaAfterEarlierRelease";
  private static final String ONE_ROUND = "sigmaAfterOneRound";
  private static final String TWO_ROUNDS = "sigmaAfterTwoRounds";

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(MechanismOption.response()),
          false,
          TwoStageMoments::sized,
          Optional.empty(),
          TwoStageMoments::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "one row of norm at most B changes second moments by at most B^2 in Frobenius norm"
                  + " (replaced: sqrt 2 B^2), and counts of norms by at most 1 (sqrt 2), whatever"
                  + " the public transform and bound are that the noisy sums before lead to; the"
                  + " parts compose adaptively",
              List.of(),
              false));

  // PROOF-two-stage-moments.md has the proof.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ObjectiveModels.requireRows(stream, NAME);
    Checks.within("expectedRows for " + NAME, stream.expectedRows(), 1, MOST_EXPECTED);
    RowSchema schema = stream.schema();
    int dimension = schema.dimension();
    int response = sketch.response(schema);
    EmptySketchSpec spec = new EmptySketchSpec(dimension);
    int samples = Tuning.ROUNDS * NormCells.COUNT + (Tuning.ROUNDS + 1) * length(dimension);
    return UncalibratedMechanism.gaussian(
        spec,
        samples,
        mu -> {
          double sensitivity = stream.unitSensitivity(new SecondMomentsSpec(dimension));
          Neighbours neighbours = stream.budget().neighbours();
          double ofRow =
              stream.unitSensitivity(
                  new SecondMomentsSpec(dimension).sensitivity(TwoStageRelease.BOUND, neighbours));
          double unit = schema.grid().momentUnit();
          return new TwoStageMoments(
              spec,
              schema,
              response,
              TwoStagePlan.of(NAME, dimension, mu, sensitivity, ofRow, unit));
        });
  }

  private static int length(int dimension) {
    return SymmetricMatrix.length(dimension);
  }

  /** Returns the payload of a release whose header has the deviations of a plan. */
  static TransformedMoments payload(PayloadParameters header) {
    String name = header.settings().getOrDefault(SketchRequest.RESPONSE, "");
    // the first releases of all did not know of earlier ones
    String earliest = header.parameters().containsKey(NO_ROUND) ? NO_ROUND : ONE_ROUND;
    return new TransformedMoments(
        header.dimension(),
        SketchRequest.responseIndex(header.schema(), name),
        List.of(header.deviation(FIRST_SIGMA), header.deviation(SECOND_SIGMA)),
        header.deviation(COUNT_SIGMA),
        List.of(
            header.deviation(earliest), header.deviation(ONE_ROUND), header.deviation(TWO_ROUNDS)));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(plan.mu());
  }

  /** That of the last moments after two rounds. */
  @Override
  public double sigma() {
    return plan.last().get(Tuning.ROUNDS).noise().diagonal().sigma();
  }

  @Override
  public TransformedMoments payload() {
    return plan.payload(response);
  }

  @Override
  public RowSums sums(ModelRows rows, Entropy entropy) {
    return new NoisyRowSums(
        RowClipper.ofAnyRow(schema), plan, intercept(), new RowProducts(rows), entropy);
  }

  /** Returns the payload that some sums lead to, a function of what they answer alone. */
  public long[] numbers(RowSums sums) {
    return numbers(sums, Optional.empty());
  }

  @Override
  public Function<RowSums, long[]> after(Optional<PreviousRelease> before) {
    return new TwoStageRelease(payload(), intercept()).after(before);
  }

  @Override
  public Map<String, Double> parameters() {
    return parameters(plan);
  }

  /** Returns what the header of a release says of a plan. */
  static Map<String, Double> parameters(TwoStagePlan plan) {
    return new TreeMap<>(
        Map.of(
            "mu",
            plan.mu(),
            "sensitivity",
            plan.first().sensitivity(),
            FIRST_SIGMA,
            plan.first().deviation(),
            SECOND_SIGMA,
            plan.second().deviation(),
            COUNT_SIGMA,
            plan.countDeviation(),
            NO_ROUND,
            plan.last().get(0).deviation(),
            ONE_ROUND,
            plan.last().get(1).deviation(),
            TWO_ROUNDS,
            plan.last().get(2).deviation()));
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(SketchRequest.RESPONSE, schema.encodedNames().get(response));
  }

  @Override
  public List<Integer> shape() {
    return List.of(response);
  }

  @Override
  public String noiseLaw() {
    return noiseLaw(plan);
  }

  /** Describes the law of the noise of a plan in words. */
  static String noiseLaw(TwoStagePlan plan) {
    return String.format(
        Locale.ROOT,
        "%s, in the first moments; normal noise of standard deviation %s in each count of norms; in"
            + " the last moments %s, or after two rounds %s, or after an earlier release %s",
        plan.first().law(),
        plan.countDeviation(),
        plan.last().get(1).law(),
        plan.last().get(2).law(),
        plan.last().get(0).law());
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

package io.gauze.mechanism.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.MechanismCost;
import io.gauze.accounting.Neighbours;
import io.gauze.accounting.WishartNoise;
import io.gauze.accounting.WishartPrivacy;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.NoisyStateMechanism;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.noise.Entropy;
import io.gauze.noise.OutputGrid;
import io.gauze.noise.WishartSampler;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Second moments with additive Wishart noise: the moments of k noise rows {@code N(0, s I)} are
 * added to those of the data. The result is positive definite unless its least eigenvalue is below
 * some {@code 2 sqrt(D)} standard deviations of the sampler's filling, the larger of {@code 2^-20 s
 * sqrt(k)} and 2^10 steps. A release still contains the noise's mean {@code k s I}.
 *
 * <p>After O. Sheffet, <a href="https://proceedings.mlr.press/v98/sheffet19a.html">Old techniques
 * in differentially private linear regression</a>, ALT 2019, algorithm 2. Differs from the paper:
 * exact accounting (see {@code WishartPrivacy}), with a tenth of the degrees of freedom.
 *
 * @param spec the sketch
 * @param noise its law for a bound of 1, which determines the cost
 * @param squaredBound B^2, in the encoded scale
 * @param stepSize a squared grid step in the encoded scale
 * @param scale s, the variance of an entry of a noise row, in squared grid steps
 */
public record WishartMoments(
    SecondMomentsSpec spec, WishartNoise noise, double squaredBound, double stepSize, double scale)
    implements NoisyStateMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "wishart";

  /** The largest number of columns whose moments fit in one block of a state, 16,384 numbers. */
  public static final int MOST_COLUMNS = 180;

  private static final String DEGREES = "degreesOfFreedom";

  /**
   * The default number of degrees of freedom beyond the columns. The noise falls with the degrees
   * and is within 12 % of its limit here (epsilon in [0.1, 20], delta 1e-6). The mean, which
   * solvers subtract, grows with their root.
   */
  private static final int MORE_DEGREES = 4096;

  /** The largest mean of the noise, in squared grid steps: far below the overflow of a sketch. */
  private static final double LARGEST_MEAN = 0x1p49;

  /**
   * The least standard deviation of the noise off the diagonal, in squared grid steps. The noise is
   * then far wider than the grid and than the sampler's filling of at least 2^10 steps.
   */
  private static final double LEAST_SPREAD = 0x1p20;

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              MechanismOption.whole(DEGREES, 4, WishartNoise.MOST_DEGREES)
                  .orPlanned()
                  .or("D + " + MORE_DEGREES)
                  .means("The degrees of freedom, at least D + 2 for D encoded columns.")),
          false,
          WishartMoments::sized,
          Optional.of(WishartMoments::calibration),
          WishartMoments::payload,
          WishartMoments::warnings,
          new MechanismKind.Proof(
              "additive Wishart noise after Sheffet, Old techniques in differentially private"
                  + " linear regression, ALT 2019, with the exact law of the privacy loss of a row"
                  + " of norm B; a replaced row is one removed and one added",
              List.of(),
              true));

  /**
   * Checks that the noise is large enough.
   *
   * @throws IllegalArgumentException if it is not
   */
  public WishartMoments {
    double needed = noise.scale() * squaredBound;
    if (!(squaredBound > 0.0 && scale * stepSize >= needed * (1.0 - 1e-15))) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "scale must be at least %s in the encoded scale. Provided value: %s",
              needed,
              scale * stepSize));
    }
    if (spec.dimension() != noise.columns()) {
      throw new IllegalArgumentException(
          "columns of noise must be " + spec.dimension() + ". Provided value: " + noise.columns());
    }
  }

  // The worst neighbours. A row a adds a a' to the moments M, and the release is a function of
  // M + W. WishartPrivacy has the law of the loss for |a| = B, and proves that shorter rows lose
  // less. A replaced row is one removed, then one added, in one cell or in two cells of independent
  // noises: the intermediate data set has neither row, and differs from each end by one row of one
  // cell. |a|^2 <= B^2 holds for the integers: the encoder checks their norm exactly.
  //
  // Idealised: W has a continuous law and is computed in doubles. M is whole, so
  //   M + round(W + F) = round(M + W + F),
  // a function of M + W and of the sampler's filling F, if W were drawn exactly. The filling F
  // hides the error of W, see WishartSampler. W is one matrix of dependent entries: workers that do
  // not know of each other cannot draw parts of it.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    stream.requireOneRow(NAME);
    int columns = stream.schema().dimension();
    if (columns > MOST_COLUMNS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "encoded columns with the intercept must be at most %d for %s, whose noise is drawn"
                  + " whole, in one block of a state. Provided value: %d; noisy-moments takes more",
              MOST_COLUMNS,
              NAME,
              columns));
    }
    int degrees = (int) sketch.whole(DEGREES).orElse(columns + MORE_DEGREES);
    if (degrees < columns + 2) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "degreesOfFreedom must be in [%d, %d] for %d columns with the intercept. Provided"
                  + " value: %d",
              columns + 2,
              WishartNoise.MOST_DEGREES,
              columns,
              degrees));
    }
    return new UncalibratedMechanism(
        new SecondMomentsSpec(columns),
        new BudgetSplit.Wishart(columns, degrees),
        0.0,
        cost -> calibrate(stream.schema(), ((MechanismCost.Wishart) cost).noise()));
  }

  private static WishartMoments calibrate(RowSchema schema, WishartNoise noise) {
    SecondMomentsSpec spec = new SecondMomentsSpec(noise.columns());
    double square = spec.sensitivity(schema.rowBound(), Neighbours.ADD_REMOVE);
    double stepSize = schema.grid().momentUnit();
    double scale = Math.nextUp(Math.nextUp(noise.scale() * square) / stepSize);
    double spread = scale * Math.sqrt(noise.degrees());
    double mean = scale * noise.degrees();
    if (!(spread >= LEAST_SPREAD && mean <= LARGEST_MEAN)) { // also refuses NaN
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "noise of wishart must have a deviation of at least %.4g and a mean of at most %.4g"
                  + " squared grid steps. Provided value: %.4g and %.4g; give it %s",
              LEAST_SPREAD,
              LARGEST_MEAN,
              spread,
              mean,
              spread < LEAST_SPREAD ? "less of epsilon" : "more of epsilon, or fewer degrees"));
    }
    return new WishartMoments(spec, noise, square, stepSize, scale);
  }

  private static Payload payload(PayloadParameters header) {
    int columns = header.dimension();
    int degrees = header.whole(DEGREES, columns + 2, WishartNoise.MOST_DEGREES);
    // sigma is the standard deviation on the diagonal
    double scale = header.sigma() / Math.sqrt(2.0 * degrees) * header.stepSize();
    return new Payload.Moments(columns, new MomentNoise.Wishart(degrees, scale));
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    return stream.budget().neighbours() == Neighbours.ADD_REMOVE
        ? List.of()
        : List.of(PlanMessage.REPLACED.of(sketch));
  }

  private static Calibration calibration(CalibrationRequest request) {
    Budget budget = request.budget(NAME);
    WishartNoise noise = leastNoise(request, budget);
    return new Calibration(
        NAME,
        Map.of("columns", (double) request.columns()),
        Map.of(
            "degreesOfFreedom",
            (double) noise.degrees(),
            "scale",
            request.scale().orElse(request.timesSquare(noise.scale()))),
        WishartPrivacy.delta(budget.epsilon(), budget.neighbours(), noise),
        "noise W_D(scale I, degreesOfFreedom); exact for add-remove, removing and then adding a row"
            + " for replace-one; an entry off the diagonal has standard deviation scale sqrt"
            + " degreesOfFreedom, which falls with the degrees of freedom towards a Gaussian's");
  }

  private static WishartNoise leastNoise(CalibrationRequest request, Budget budget) {
    int columns = request.columns();
    if (request.scale().isPresent()) {
      if (request.rows().isPresent()) {
        throw new IllegalArgumentException("wishart takes rows or scale, not both");
      }
      double square = request.bound() * request.bound();
      double least = request.scale().getAsDouble() / square;
      return WishartPrivacy.leastDegrees(
          budget, columns, square == 1.0 ? least : least * (1.0 - 0x1p-51)); // rounded down
    }
    if (request.rows().isEmpty()) {
      return Calibration.searched(
          NAME, () -> WishartPrivacy.leastSpread(budget, columns, columns + MORE_DEGREES));
    }
    int degrees = request.requireRows(NAME, columns + 2, WishartNoise.MOST_DEGREES);
    return Calibration.searched(NAME, () -> WishartPrivacy.leastScale(budget, columns, degrees));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Wishart(noise);
  }

  @Override
  public double sigma() {
    // the variance of s chi-square_k is 2 k s^2; the filling adds less than 2^-21 of it
    return scale * Math.sqrt(2.0 * noise.degrees());
  }

  /**
   * Adds the noise to a whole state.
   *
   * @throws IllegalArgumentException if the block is only a part of a state
   */
  @Override
  public void addNoise(long[] block, int from, Entropy entropy) {
    Objects.checkFromIndexSize(from, block.length, spec.stateLength());
    if (block.length != spec.stateLength()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "block must be the whole state of %d numbers. Provided value: %d",
              spec.stateLength(),
              block.length));
    }
    sampler().addTo(block, entropy);
  }

  private WishartSampler sampler() {
    return WishartSampler.of(noise.columns(), noise.degrees(), scale);
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            DEGREES,
            (double) noise.degrees(),
            "scale",
            noise.scale(),
            "squaredBound",
            squaredBound));
  }

  /** The degrees of freedom: noise with other degrees has another law. */
  @Override
  public List<Integer> shape() {
    return List.of(noise.degrees());
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "Wishart noise, the moments of %d noise rows with independent normal entries of variance"
            + " %s, whose mean is not subtracted, under %s",
        noise.degrees(),
        scale * stepSize,
        new OutputGrid(stepSize, sampler().filling()).law());
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

package io.gauze.mechanism.papers;

import io.gauze.accounting.BoundedRange;
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
import io.gauze.noise.Entropy;
import io.gauze.noise.ExponentialChoice;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.sketch.SecondMomentsSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A model of least squares in a ball of the sum of absolute coefficients, by steps of Frank and
 * Wolfe: each goes toward the vertex of the ball along which the loss falls most, drawn by the
 * exponential mechanism.
 *
 * <p>After K. Talwar, A. Thakurta and L. Zhang, <a href="https://arxiv.org/abs/1411.5417">Nearly
 * optimal private LASSO</a>, NeurIPS 2015. Differs from it: vertices are drawn by the exponential
 * mechanism, whose scores may change by twice as much as the Laplace noise of the paper allows for;
 * scores come from exact moments, and their bound follows the model; steps compose exactly, see
 * {@link BoundedRange}.
 *
 * @param spec the exact moments
 * @param columns the response and the features
 * @param bounds of the rows
 * @param steps T
 * @param radius of the ball, in the encoded scale
 * @param mu the mu that all steps spend together
 * @param range of each draw
 * @param momentUnit a step of the moments in the encoded scale squared
 * @param expectedRows a public guess of the rows
 */
public record FrankWolfe(
    SecondMomentsSpec spec,
    ModelColumns columns,
    GradientBounds bounds,
    int steps,
    double radius,
    double mu,
    double range,
    double momentUnit,
    long expectedRows)
    implements ExactStateMechanism {
  /** The name in config files and releases. */
  public static final String NAME = "frank-wolfe";

  private static final String STEPS = "steps";
  private static final String RADIUS = "radius";
  private static final String SCORES = "scoreSigma";
  private static final double DEFAULT_RADIUS = 2.5;
  private static final double LEAST_RADIUS = 0.01;
  private static final int MOST_STEPS = 1000;
  private static final int LEAST_PLANNED = 5;
  private static final int MOST_PLANNED = 200;

  /** A Gumbel variable of scale 1 has this standard deviation. */
  private static final double GUMBEL = Math.PI / Math.sqrt(6.0);

  static final MechanismKind KIND =
      new MechanismKind(
          NAME,
          List.of(
              ModelColumns.RESPONSE,
              ModelColumns.FEATURES,
              MechanismOption.whole(STEPS, 1, MOST_STEPS)
                  .orPlanned()
                  .means("How many steps are made."),
              MechanismOption.number(RADIUS, LEAST_RADIUS, ExactGradient.LARGEST)
                  .or(DEFAULT_RADIUS)
                  .means(
                      "What the absolute coefficients add up to at most, in the encoded scale.")),
          false,
          FrankWolfe::sized,
          Optional.empty(),
          FrankWolfe::payload,
          MechanismKind.NO_WARNINGS,
          new MechanismKind.Proof(
              "vertices are drawn by the exponential mechanism, whose bounded range r is"
                  + " sqrt(2 pi) r / 4 Gaussian-DP; one row changes an entry of the gradient by at"
                  + " most its largest entry times its largest residual under the model so far"
                  + " (replaced: twice that)",
              List.of(Moments.NO_OVERFLOW),
              false));

  // Each draw is private given those before it, so T draws of mu / sqrt T compose adaptively to
  // one mechanism of mu (Dong, Roth and Su, corollary 3.3). If neighbours change each score, an
  // entry of the gradient or its negative, by at most d, the exponential mechanism of scale
  // 2 d / r has bounded range r. The bound d depends on the model so far, and on nothing else.
  // Cells and units of several rows are as in SelectFit: in a cell where m of a unit's k rows are
  // (before and after: m and m'), each draw spends the part m / k ((m + m') / 2k) of its mu, and
  // the squares of these parts add up to at most 1.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    ModelColumns columns = ModelColumns.of(stream.schema(), sketch);
    GradientBounds bounds = GradientBounds.of(stream, columns);
    double radius = sketch.number(RADIUS).orElse(DEFAULT_RADIUS);
    int steps = (int) sketch.whole(STEPS).orElseGet(() -> planned(stream, size));
    SecondMomentsSpec spec = new SecondMomentsSpec(stream.schema().dimension());
    return UncalibratedMechanism.gaussian(
        spec,
        steps,
        mu ->
            new FrankWolfe(
                spec,
                columns,
                bounds,
                steps,
                radius,
                mu,
                BoundedRange.range(mu / Math.sqrt(steps) * (1.0 - 0x1p-45)),
                stream.schema().grid().momentUnit(),
                stream.expectedRows()));
  }

  private static long planned(StreamRequest stream, double mu) {
    long steps = Math.round(Tuning.FRANK_WOLFE_STEPS * Math.sqrt(stream.expectedRows() * mu));
    return Math.max(LEAST_PLANNED, Math.min(MOST_PLANNED, steps));
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    int steps = header.whole(STEPS, 1, MOST_STEPS);
    int others = columns.features().size() - 1;
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        FittedLoss.SQUARED,
        header.positive(SCORES),
        0.0,
        header.positive(EXPECTED_ROWS),
        new FitMethod.Descent(steps, others, header.positive(RADIUS), true, 0.0));
  }

  /** Returns a copy with another range of each draw. */
  public FrankWolfe withRange(double other) {
    return new FrankWolfe(
        spec, columns, bounds, steps, radius, mu, other, momentUnit, expectedRows);
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
    return Math.scalb(1.0, -ExactGradient.FRACTION_BITS);
  }

  /** The standard deviation of the noise that the draws are like, in a score. */
  private double scores() {
    double[] spread = new double[columns.features().size()];
    spread[spread.length - 1] = radius;
    return GUMBEL * 2.0 * bounds.entry(spread) / range;
  }

  /** The last step: a draw moves a coefficient by that. */
  @Override
  public double sigma() {
    return Math.scalb(2.0 / (steps + 2.0) * radius, ExactGradient.FRACTION_BITS);
  }

  /** Returns the factor of scores in the exponent under a model, in steps of the moments. */
  public double rate(double... theta) {
    BigInteger scale = ExactGradient.scale(bounds.entry(theta), range, momentUnit);
    return 1.0 / Math.scalb(scale.doubleValue(), -ExactGradient.FRACTION_BITS);
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    ExactGradient gradient = new ExactGradient(spec, columns, state);
    long[] theta = new long[columns.features().size()];
    for (int step = 1; step <= steps; step++) {
      BigInteger scale =
          ExactGradient.scale(bounds.entry(ExactGradient.encoded(theta)), range, momentUnit);
      List<BigInteger> scores = new ArrayList<>();
      for (BigInteger entry : gradient.at(theta)) {
        scores.add(entry);
        scores.add(entry.negate());
      }
      int vertex = ExponentialChoice.choose(scores, scale, entropy);
      advance(theta, step, vertex);
    }
    return theta;
  }

  /**
   * Moves a model toward a vertex.
   *
   * @param step from 1
   * @param vertex twice the number of the feature, plus 1 for its negative
   */
  private void advance(long[] theta, int step, int vertex) {
    double part = 2.0 / (step + 2.0);
    for (int k = 0; k < theta.length; k++) {
      theta[k] = Math.round((1.0 - part) * theta[k]);
    }
    long way = ExactGradient.onGrid(part * radius);
    theta[vertex / 2] += vertex % 2 == 0 ? way : -way;
  }

  @Override
  public Map<String, Double> parameters() {
    return new TreeMap<>(
        Map.of(
            EXPECTED_ROWS,
            (double) expectedRows,
            "mu",
            mu,
            STEPS,
            (double) steps,
            RADIUS,
            radius,
            "range",
            range,
            SCORES,
            scores()));
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** The number of steps and the bits of the radius: models of others have another law. */
  @Override
  public List<Integer> shape() {
    return List.of(steps, Double.hashCode(radius));
  }

  @Override
  public String noiseLaw() {
    return String.format(
        Locale.ROOT,
        "%d vertices drawn by the exponential mechanism, each of range %s",
        steps,
        range);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }
}

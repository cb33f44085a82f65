package io.gauze.mechanism.papers;

import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.ExactStateMechanism;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.mechanism.model.ModelColumns;
import io.gauze.noise.Entropy;
import io.gauze.noise.ExponentialChoice;
import io.gauze.noise.RoundedGaussian;
import io.gauze.payload.FitMethod;
import io.gauze.payload.FittedLoss;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.SecondMomentsSpec;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A model of least squares with few coefficients other than 0, by iterative hard thresholding:
 * steps down the gradient, after each of which the largest coefficients are kept. Either all
 * entries of the gradient have Gaussian noise, or the coefficients that are kept are drawn by the
 * exponential mechanism and they alone have noise: peeling.
 *
 * <p>After L. Wang and Q. Gu, <a href="https://doi.org/10.24963/ijcai.2019/519">Differentially
 * private iterative gradient hard thresholding for sparse learning</a>, IJCAI 2019, and T. T. Cai,
 * Y. Wang and L. Zhang, <a href="https://arxiv.org/abs/1902.04495">The cost of privacy</a>, Annals
 * of Statistics 49 (2021). Differs from both: steps read exact moments; their size comes from a
 * private bound on the curvature, so that they do not diverge; sensitivities follow the model;
 * steps compose exactly.
 *
 * @param name the name of the mechanism
 * @param spec the exact moments
 * @param columns the response and the features
 * @param bounds of the rows
 * @param nonzero s, how many features are kept, beside the intercept
 * @param steps T
 * @param radius of the ball of the coefficients that are kept, without the intercept's
 * @param mu the mu that everything spends together
 * @param parts of it
 * @param momentUnit a step of the moments in the encoded scale squared
 * @param expectedRows a public guess of the rows
 */
public record HardThresholding(
    String name,
    SecondMomentsSpec spec,
    ModelColumns columns,
    GradientBounds bounds,
    int nonzero,
    int steps,
    double radius,
    double mu,
    GradientBudget parts,
    double momentUnit,
    long expectedRows)
    implements ExactStateMechanism {
  /** The mechanism with noise in the whole gradient. */
  public static final String IHT = "iht";

  /** The mechanism that draws what it keeps. */
  public static final String PEELING = "peeling";

  private static final String NONZERO = "nonzero";
  private static final String STEPS = "steps";
  private static final String RADIUS = "radius";
  private static final String GRADIENT = "gradientSigma";
  private static final String CURVATURE_SIGMA = "curvatureSigma";
  private static final int DEFAULT_NONZERO = 12;
  private static final int MOST_NONZERO = 256;
  private static final int MOST_STEPS = 100;
  private static final int LEAST_PLANNED = 4;
  private static final int MOST_PLANNED = 12;
  private static final double DEFAULT_RADIUS = 1.5;
  private static final double LEAST_RADIUS = 0.01;

  static final MechanismKind KIND = kind(IHT);
  static final MechanismKind PEELING_KIND = kind(PEELING);

  private static MechanismKind kind(String name) {
    String kept =
        name.equals(IHT)
            ? "each step adds Gaussian noise to the gradient"
            : "coefficients are drawn by the exponential mechanism, whose bounded range r is"
                + " sqrt(2 pi) r / 4 Gaussian-DP, and Gaussian noise is added to them";
    return new MechanismKind(
        name,
        List.of(
            ModelColumns.RESPONSE,
            ModelColumns.FEATURES,
            MechanismOption.whole(NONZERO, 1, MOST_NONZERO)
                .or(DEFAULT_NONZERO + ", or all if there are fewer")
                .means("How many coefficients are kept, beside that of the intercept."),
            MechanismOption.whole(STEPS, 1, MOST_STEPS)
                .orPlanned()
                .means("How many steps are made."),
            MechanismOption.number(RADIUS, LEAST_RADIUS, ExactGradient.LARGEST)
                .or(DEFAULT_RADIUS)
                .means(
                    "The largest norm of the coefficients without the intercept's, in the encoded"
                        + " scale.")),
        false,
        HardThresholding::sized,
        Optional.empty(),
        HardThresholding::payload,
        MechanismKind.NO_WARNINGS,
        new MechanismKind.Proof(
            kept
                + "; one row changes the gradient by at most its norm times its largest residual"
                + " under the model so far (replaced: twice that), and the bound on the curvature"
                + " by at most the largest product of an entry and a sum of entries",
            List.of(Moments.NO_OVERFLOW),
            false));
  }

  // Every part is private given those before it, so their mus compose adaptively to the root of
  // the sum of squares (Dong, Roth and Su, corollary 3.3): GradientBudget divides mu^2.
  //
  // Curvature. It is a norm of the moments, GradientBounds has its sensitivity. The step, its
  // noisy value, is public from then on.
  //
  // Steps. Given theta and the curvature c, the entries of c theta + gradient change by what those
  // of the gradient change by. Draws are of their absolute values, and change by no more. All that
  // follows, division by c, rounding, thresholds and the ball, is post-processing.
  //
  // Cells and units of several rows are as in SelectFit: in a cell where m of a unit's k rows are
  // (before and after: m and m'), everything changes by at most the part m / k ((m + m') / 2k) of
  // its bound, and the squares of these parts add up to at most 1.
  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double size) {
    RowSchema schema = stream.schema();
    ModelColumns columns = ModelColumns.of(schema, sketch);
    int nonzero = nonzero(columns, sketch);
    int steps = (int) sketch.whole(STEPS).orElseGet(() -> planned(stream, size));
    double radius = sketch.number(RADIUS).orElse(DEFAULT_RADIUS);
    boolean all = sketch.mechanism().equals(IHT);
    int draws = all || nonzero == columns.features().size() - 1 ? 0 : nonzero;
    int entries = all ? columns.features().size() : nonzero + 1;
    SecondMomentsSpec spec = new SecondMomentsSpec(schema.dimension());
    return UncalibratedMechanism.gaussian(
        spec,
        1 + steps * (draws + entries),
        mu ->
            new HardThresholding(
                    sketch.mechanism(),
                    spec,
                    columns,
                    GradientBounds.of(stream, columns),
                    nonzero,
                    steps,
                    radius,
                    mu,
                    GradientBudget.of(mu, steps, draws),
                    schema.grid().momentUnit(),
                    stream.expectedRows())
                .checked());
  }

  // A step leaves about a third of the error where columns do not depend on each other.
  private static long planned(StreamRequest stream, double mu) {
    long steps = (long) (Tuning.THRESHOLDING_STEPS * Math.log10(stream.expectedRows() * mu));
    return Math.max(LEAST_PLANNED, Math.min(MOST_PLANNED, steps));
  }

  private static int nonzero(ModelColumns columns, SketchRequest sketch) {
    int features = columns.features().size() - 1;
    if (features < 1) {
      throw new IllegalArgumentException(
          sketch.mechanism()
              + " needs a column beside the response. Provided value: "
              + columns.responseName());
    }
    long nonzero = sketch.whole(NONZERO).orElse(Math.min(DEFAULT_NONZERO, features));
    if (nonzero > features) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "nonzero must be at most %d, the features beside the intercept. Provided value: %d",
              features,
              nonzero));
    }
    return (int) nonzero;
  }

  /** Checks the narrowest and the widest noise. */
  private HardThresholding checked() {
    gradientNoise(new double[columns.features().size()]);
    double widest = bounds.mostEntries(size(), largestIntercept(), radius, nonzero);
    Noise.sigma(name, widest / parts.values(), momentUnit, 1.0);
    curvatureNoise();
    return this;
  }

  /** The features beside the intercept whose entries of the gradient get noise. */
  private int size() {
    return name.equals(IHT) ? columns.features().size() - 1 : nonzero;
  }

  private RoundedGaussian gradientNoise(double... theta) {
    return RoundedGaussian.of(Noise.sigma(name, gradientSigma(theta), momentUnit, 1.0));
  }

  /** The noise in each entry of the gradient, in the encoded scale squared. */
  private double gradientSigma(double... theta) {
    return bounds.entries(size(), theta) / parts.values();
  }

  private RoundedGaussian curvatureNoise() {
    return RoundedGaussian.of(
        Noise.sigma(name, bounds.curvature(2 * nonzero) / parts.curvature(), momentUnit, 1.0));
  }

  private double largestIntercept() {
    return Math.min(ExactGradient.LARGEST, 1.0 / bounds.ends().get(0));
  }

  private static Payload payload(PayloadParameters header) {
    ModelColumns columns = ModelColumns.of(header);
    int most = Math.min(MOST_NONZERO, Math.max(1, columns.features().size() - 1));
    return new Payload.Model(
        header.dimension(),
        columns.response(),
        columns.features(),
        FittedLoss.SQUARED,
        header.positive(GRADIENT),
        0.0,
        header.positive(EXPECTED_ROWS),
        new FitMethod.Descent(
            header.whole(STEPS, 1, MOST_STEPS),
            header.whole(NONZERO, 1, most),
            header.positive(RADIUS),
            false,
            Tuning.CURVATURE_MARGIN * header.positive(CURVATURE_SIGMA)));
  }

  /** Returns a copy with other noise. */
  public HardThresholding withParts(GradientBudget other) {
    return new HardThresholding(
        name, spec, columns, bounds, nonzero, steps, radius, mu, other, momentUnit, expectedRows);
  }

  /** Returns the factor of draws' scores in the exponent under a model, in steps of the moments. */
  public double rate(double... theta) {
    BigInteger scale = ExactGradient.scale(bounds.entry(theta), parts.range(), momentUnit);
    return 1.0 / Math.scalb(scale.doubleValue(), -ExactGradient.FRACTION_BITS);
  }

  /** What is added to the curvature on average, in steps of the moments. */
  public double curvatureMargin() {
    return Math.rint(Tuning.CURVATURE_MARGIN * curvatureNoise().sigma());
  }

  @Override
  public MechanismCost cost() {
    return new MechanismCost.Gaussian(mu);
  }

  @Override
  public double stepSize() {
    return Math.scalb(1.0, -ExactGradient.FRACTION_BITS);
  }

  /** What the noise of a step moves a coefficient by, if there is one row. */
  @Override
  public double sigma() {
    double curvature = ExpectedSquares.WITHOUT_BOUND;
    return Math.scalb(typicalSigma() / curvature, ExactGradient.FRACTION_BITS);
  }

  /** The noise in the gradient at a model of length 1, or at the end of the ball. */
  private double typicalSigma() {
    double[] theta = new double[columns.features().size()];
    theta[theta.length - 1] = Math.min(1.0, radius);
    return gradientSigma(theta);
  }

  @Override
  public long[] release(long[] state, Entropy entropy) {
    ExactGradient gradient = new ExactGradient(spec, columns, state);
    BigInteger curvature = curvature(gradient, entropy);
    long[] theta = new long[columns.features().size()];
    for (int step = 0; step < steps; step++) {
      BigInteger[] next = gradient.at(theta);
      for (int k = 0; k < theta.length; k++) {
        next[k] = next[k].add(curvature.multiply(BigInteger.valueOf(theta[k])));
      }
      theta = step(theta, next, curvature.doubleValue(), entropy);
    }
    return theta;
  }

  // With a step of at most 1 / c, c the largest eigenvalue of the moments of any 2 s features and
  // the intercept, the loss never rises without noise: the model after the step minimises a
  // majorant among all of s features.
  private BigInteger curvature(ExactGradient gradient, Entropy entropy) {
    RoundedGaussian noise = curvatureNoise();
    return gradient
        .curvature(2 * nonzero)
        .add(BigInteger.valueOf(noise.sample(entropy) + (long) curvatureMargin()))
        .max(BigInteger.valueOf(Math.round(noise.sigma())));
  }

  private long[] step(long[] theta, BigInteger[] next, double curvature, Entropy entropy) {
    double[] encoded = ExactGradient.encoded(theta);
    List<Integer> noisy =
        parts.range() == 0.0
            ? IntStream.range(1, theta.length).boxed().toList()
            : drawn(encoded, next, entropy);
    RoundedGaussian noise = gradientNoise(encoded);
    double[] values = new double[theta.length];
    values[0] = value(next[0], noise, entropy) / curvature;
    for (int k : noisy) {
      values[k] = value(next[k], noise, entropy) / curvature;
    }
    return inBall(kept(noisy, values), values);
  }

  /** Returns the features whose coefficients are kept, without the intercept. */
  private List<Integer> drawn(double[] theta, BigInteger[] next, Entropy entropy) {
    List<Integer> candidates = new ArrayList<>();
    List<BigInteger> scores = new ArrayList<>();
    for (int k = 1; k < next.length; k++) {
      candidates.add(k);
      scores.add(next[k].abs());
    }
    BigInteger scale = ExactGradient.scale(bounds.entry(theta), parts.range(), momentUnit);
    List<Integer> drawn = new ArrayList<>();
    while (drawn.size() < nonzero) {
      int choice = ExponentialChoice.choose(scores, scale, entropy);
      drawn.add(candidates.remove(choice));
      scores.remove(choice);
    }
    drawn.sort(Comparator.naturalOrder());
    return drawn;
  }

  /** Returns an entry with noise, rounded to steps of the moments: round(x + sigma Z), exactly. */
  private static double value(BigInteger entry, RoundedGaussian noise, Entropy entropy) {
    BigInteger whole = entry.shiftRight(ExactGradient.FRACTION_BITS);
    BigInteger rest = entry.subtract(whole.shiftLeft(ExactGradient.FRACTION_BITS));
    double fraction = Math.scalb(rest.doubleValue(), -ExactGradient.FRACTION_BITS);
    return whole.add(BigInteger.valueOf(noise.around(fraction, entropy))).doubleValue();
  }

  private List<Integer> kept(List<Integer> noisy, double... values) {
    return noisy.stream()
        .sorted(Comparator.comparingDouble(k -> -Math.abs(values[k])))
        .limit(nonzero)
        .toList();
  }

  private long[] inBall(List<Integer> kept, double... values) {
    double square = 0.0;
    for (int k : kept) {
      square += values[k] * values[k];
    }
    double factor = Math.min(1.0, radius / Math.sqrt(square));
    long[] theta = new long[values.length];
    double end = largestIntercept();
    theta[0] = ExactGradient.onGrid(Math.max(-end, Math.min(end, values[0])));
    for (int k : kept) {
      theta[k] = ExactGradient.onGrid(factor * values[k]);
    }
    return theta;
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
            NONZERO,
            (double) nonzero,
            RADIUS,
            radius,
            "range",
            parts.range(),
            GRADIENT,
            typicalSigma(),
            CURVATURE_SIGMA,
            curvatureNoise().sigma() * momentUnit));
  }

  @Override
  public Map<String, String> settings() {
    return columns.settings();
  }

  /** Models of other sizes have another law. */
  @Override
  public List<Integer> shape() {
    return List.of(nonzero, steps, Double.hashCode(radius));
  }

  @Override
  public String noiseLaw() {
    String drawn =
        parts.range() == 0.0
            ? ""
            : String.format(
                Locale.ROOT,
                "%d coefficients drawn by the exponential mechanism, each of range %s; ",
                nonzero,
                parts.range());
    return String.format(
        Locale.ROOT,
        "in each of %d steps %sindependent normal noise in the gradient, of standard deviation %s"
            + " at a model of 0; %s in the bound on the curvature",
        steps,
        drawn,
        gradientSigma(new double[columns.features().size()]),
        curvatureNoise().sigma() * momentUnit);
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return KIND;
    }
  }

  /** Registers the mechanism. */
  public static final class PeelingProvider implements MechanismProvider.OfModel {
    @Override
    public MechanismKind kind() {
      return PEELING_KIND;
    }
  }
}

package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.accounting.WishartNoise;
import io.gauze.accounting.WishartPrivacy;
import io.gauze.sketch.CountSketchSpec;
import io.gauze.sketch.MultilevelSketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** How each mechanism is calibrated; a new one is a line here. */
final class Calibrations {
  /** By name, in the order in which they are listed to users. */
  static final Map<String, Function<CalibrationRequest, Calibration>> ALL = all();

  private static final String ANALYTIC =
      "the exact condition of Balle and Wang (2018), theorem 8, for one Gaussian of l2 sensitivity ";

  /**
   * Degrees of freedom beyond the columns, if none are asked for: the noise falls with them, here
   * it is within 12 % of its limit (epsilon in [0.1, 20], delta 1e-6), and its mean, which solvers
   * subtract, grows with their root.
   */
  static final int MORE_DEGREES = 4096;

  /** In sensitivities. */
  private static final double LARGEST_NOISE = 1e100;

  private Calibrations() {}

  private static Map<String, Function<CalibrationRequest, Calibration>> all() {
    Map<String, Function<CalibrationRequest, Calibration>> all = new LinkedHashMap<>();
    all.put("gaussian", Calibrations::gaussian);
    all.put("gaussian-classic", Calibrations::classic);
    all.put("laplace", Calibrations::laplace);
    all.put(NoisyMoments.NAME, Calibrations::noisyMoments);
    all.put(NoisyCountSketch.NAME, Calibrations::countSketch);
    all.put(NoisyMultilevelSketch.NAME, Calibrations::multilevel);
    all.put(StratifiedMomentsNoise.NAME, Calibrations::stratified);
    all.put("jl", Calibrations::projection);
    all.put("inverse-wishart", Calibrations::inverseWishart);
    all.put(AdaSsp.NAME, Calibrations::adaSsp);
    all.put(WishartMoments.NAME, Calibrations::wishart);
    all.put(FunctionalMoments.NAME, Calibrations::functional);
    all.put(NoisyHistogram.NAME, Calibrations::histogram);
    return Collections.unmodifiableMap(all);
  }

  private static Calibration gaussian(CalibrationRequest request) {
    return gaussian(
        "gaussian",
        request,
        Map.of(),
        request.bound(),
        "Delta, which is the bound, whatever the neighbours");
  }

  private static Calibration noisyMoments(CalibrationRequest request) {
    return sketch(
        NoisyMoments.NAME,
        request,
        new SecondMomentsSpec(request.columns()),
        "B^2 (add-remove) or sqrt 2 B^2 (replace-one) in Frobenius' norm; sigma is on the diagonal,"
            + " sigma / sqrt 2 off it");
  }

  private static Calibration stratified(CalibrationRequest request) {
    return sketch(
        StratifiedMomentsNoise.NAME,
        request,
        new SecondMomentsSpec(request.columns()),
        "B^2 (add-remove) or sqrt 2 B^2 (replace-one) in Frobenius' norm over all strata, whatever"
            + " their number, since a row is in one; sigma is on the diagonals, sigma / sqrt 2 off them");
  }

  private static Calibration countSketch(CalibrationRequest request) {
    return sketch(
        NoisyCountSketch.NAME,
        request,
        new CountSketchSpec(request.columns(), 1, 0L),
        "B (add-remove) or 2 B (replace-one), whatever the number of buckets");
  }

  private static Calibration multilevel(CalibrationRequest request) {
    int copies = request.copies();
    // Two levels are sampled: the most buckets that a row can touch.
    SketchSpec spec = new MultilevelSketchSpec(request.columns(), copies, 2, 2, copies, 0L);
    return gaussian(
        NoisyMultilevelSketch.NAME,
        request,
        Map.of("copies", (double) copies),
        spec.sensitivity(request.bound(), request.neighbours()),
        "B sqrt(s + 2) (add-remove) or twice that (replace-one), for two levels or more");
  }

  private static Calibration adaSsp(CalibrationRequest request) {
    Budget budget = request.budget(AdaSsp.NAME);
    double each = AdaSsp.share(GaussianDp.mu(budget.epsilon(), budget.delta()));
    attainable(AdaSsp.NAME, 1.0 / each);
    AdaSsp.Reach reach = AdaSsp.Reach.of(request.bound(), request.neighbours());
    return new Calibration(
        AdaSsp.NAME,
        Map.of(),
        Map.of(
            "momentsSigma",
            Math.nextUp(reach.moments() / each),
            "productsSigma",
            Math.nextUp(reach.products() / each),
            "eigenvalueSigma",
            Math.nextUp(reach.eigenvalue() / each)),
        GaussianDp.delta(budget.epsilon(), Math.sqrt(3.0) * each),
        "three Gaussians of mu / sqrt 3 each, composed exactly: moments of the features, B^2 (add-remove)"
            + " or sqrt 2 B^2 (replace-one), sigma on the diagonal; their products with the response, B^2 /"
            + " 2 or B^2; the least eigenvalue, B^2");
  }

  private static Calibration sketch(
      String mechanism, CalibrationRequest request, SketchSpec spec, String words) {
    double sensitivity = spec.sensitivity(request.bound(), request.neighbours());
    return gaussian(mechanism, request, Map.of(), sensitivity, words);
  }

  private static Calibration gaussian(
      String mechanism,
      CalibrationRequest request,
      Map<String, Double> parameters,
      double sensitivity,
      String words) {
    Budget budget = request.budget(mechanism);
    double sigma = GaussianDp.sigma(budget.epsilon(), budget.delta(), sensitivity);
    attainable(mechanism, sigma / sensitivity);
    return new Calibration(
        mechanism,
        parameters,
        Map.of("sigma", sigma),
        GaussianDp.delta(budget.epsilon(), sensitivity / sigma),
        ANALYTIC + words);
  }

  private static Calibration classic(CalibrationRequest request) {
    Budget budget = request.budget("gaussian-classic");
    double sigma = GaussianDp.classicSigma(budget.epsilon(), budget.delta(), request.bound());
    attainable("gaussian-classic", sigma / request.bound());
    return new Calibration(
        "gaussian-classic",
        Map.of(),
        Map.of("sigma", sigma),
        GaussianDp.delta(budget.epsilon(), request.bound() / sigma),
        "Dwork and Roth (2014), theorem A.1, for l2 sensitivity Delta, which is the bound, whatever"
            + " the neighbours: a theorem for epsilon at most 1 only; for comparison, nothing here uses it");
  }

  private static Calibration laplace(CalibrationRequest request) {
    attainable("laplace", 1.0 / request.epsilon());
    return new Calibration(
        "laplace",
        Map.of(),
        Map.of("scale", LaplaceDp.scale(request.epsilon(), request.bound())),
        0.0,
        "Dwork, McSherry, Nissim and Smith (2006), for l1 sensitivity Delta, which is the bound,"
            + " whatever the neighbours");
  }

  private static Calibration projection(CalibrationRequest request) {
    int rows = request.requireRows("jl", 1, ProjectionPrivacy.MOST_ROWS);
    return ridge(
        "jl",
        request,
        Map.of("rows", (double) rows),
        "wSquared",
        "exact, for r rows of N(0, M + w^2 I) and rows of norm B at most: the worst neighbours differ"
            + " in one direction (replace-one: two) of leverage B^2 / w^2");
  }

  private static Calibration inverseWishart(CalibrationRequest request) {
    int degrees =
        request.requireRows("inverse-wishart", request.columns(), ProjectionPrivacy.MOST_ROWS);
    return ridge(
        "inverse-wishart",
        request,
        Map.of("degreesOfFreedom", (double) degrees),
        "psi",
        "exact, as jl with as many rows as degrees of freedom: the inverse of a sample is made of that"
            + " many rows of N(0, (M + psi I)^-1)");
  }

  private static Calibration ridge(
      String mechanism,
      CalibrationRequest request,
      Map<String, Double> parameters,
      String name,
      String basis) {
    Budget budget = request.budget(mechanism);
    int rows = request.rows().getAsInt();
    double ridge = searched(mechanism, () -> ProjectionPrivacy.ridge(budget, rows));
    return new Calibration(
        mechanism,
        parameters,
        Map.of(name, timesSquare(ridge, request.bound())),
        ProjectionPrivacy.delta(budget.epsilon(), budget.neighbours(), rows, ridge),
        basis);
  }

  private static Calibration wishart(CalibrationRequest request) {
    Budget budget = request.budget("wishart");
    WishartNoise noise = wishartNoise(request, budget);
    return new Calibration(
        "wishart",
        Map.of("columns", (double) request.columns()),
        Map.of(
            "degreesOfFreedom",
            (double) noise.degrees(),
            "scale",
            request.scale().orElse(timesSquare(noise.scale(), request.bound()))),
        WishartPrivacy.delta(budget.epsilon(), budget.neighbours(), noise),
        "noise W_D(scale I, degreesOfFreedom); exact for add-remove, removing and then adding a row"
            + " for replace-one; an entry off the diagonal has standard deviation scale sqrt"
            + " degreesOfFreedom, which falls with the degrees of freedom towards a Gaussian's");
  }

  private static WishartNoise wishartNoise(CalibrationRequest request, Budget budget) {
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
      return searched(
          "wishart", () -> WishartPrivacy.leastSpread(budget, columns, columns + MORE_DEGREES));
    }
    int degrees = request.requireRows("wishart", columns + 2, WishartNoise.MOST_DEGREES);
    return searched("wishart", () -> WishartPrivacy.leastScale(budget, columns, degrees));
  }

  private static Calibration functional(CalibrationRequest request) {
    attainable("functional", 1.0 / request.epsilon());
    double sensitivity =
        LaplaceDp.sensitivity(request.columns(), request.bound(), request.neighbours());
    return new Calibration(
        "functional",
        Map.of("columns", (double) request.columns(), "sensitivity", sensitivity),
        Map.of("scale", LaplaceDp.scale(request.epsilon(), sensitivity)),
        0.0,
        "Laplace on each of the D (D + 1) / 2 sums of products of columns in [-1, 1]; l1 sensitivity"
            + " the smaller of D (D + 1) / 2 and B^2 (D + 1) / 2, twice for replace-one");
  }

  private static Calibration histogram(CalibrationRequest request) {
    attainable(NoisyHistogram.NAME, 1.0 / request.epsilon());
    double sensitivity = NoisyHistogram.sensitivity(request.neighbours());
    return new Calibration(
        NoisyHistogram.NAME,
        Map.of("sensitivity", sensitivity),
        Map.of("scale", LaplaceDp.scale(request.epsilon(), sensitivity)),
        0.0,
        "Laplace on the count of each cell; a row is in one cell, so that the l1 sensitivity is 1"
            + " (add-remove) or 2 (replace-one), whatever the bound and the number of cells");
  }

  /** Refuses noise beyond what doubles and the accounting were made for. */
  private static void attainable(String mechanism, double noise) {
    if (!(noise <= LARGEST_NOISE)) {
      throw tooLarge(mechanism, null);
    }
  }

  /** What a search finds. All of its arguments are in their ranges: it fails on the noise alone. */
  private static <T> T searched(String mechanism, Supplier<T> search) {
    try {
      return search.get();
    } catch (IllegalArgumentException e) {
      throw tooLarge(mechanism, e);
    }
  }

  private static ArithmeticException tooLarge(String mechanism, IllegalArgumentException cause) {
    ArithmeticException refusal =
        new ArithmeticException(
            "the noise that "
                + mechanism
                + " needs for this epsilon and delta is too large to compute with; make epsilon or"
                + " delta larger, or, where there are rows, their number");
    refusal.initCause(cause);
    return refusal;
  }

  /** Rounded up. */
  private static double timesSquare(double value, double bound) {
    double square = Math.nextUp(bound * bound);
    return bound == 1.0 ? value : Math.nextUp(value * square);
  }
}

package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.ProjectionPrivacy;
import io.gauze.row.NearestName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The least noise with which a mechanism keeps a budget, rounded up.
 *
 * @param mechanism the name of the mechanism
 * @param parameters the sizes that the noise depends on, by name
 * @param noise the noise by name, in the unit of the bound (squared for sums of products)
 * @param achievedDelta the delta that this noise achieves at the requested epsilon. At most the
 *     requested delta, except for {@code gaussian-classic}, which may miss it
 * @param basis the theorem or argument that the calibration rests on, as one clause
 */
public record Calibration(
    String mechanism,
    Map<String, Double> parameters,
    Map<String, Double> noise,
    double achievedDelta,
    String basis) {
  private static final String ANALYTIC =
      "the exact condition of Balle and Wang (2018), theorem 8, for one Gaussian of l2 sensitivity"
          + " ";

  /** The largest noise that can be attained, in multiples of the sensitivity. */
  private static final double LARGEST_NOISE = 1e100;

  public Calibration {
    parameters = Map.copyOf(new TreeMap<>(parameters));
    noise = Map.copyOf(new TreeMap<>(noise));
  }

  /**
   * Returns the names of the mechanisms that can be calibrated: plain queries first, then sketches.
   */
  public static List<String> mechanisms() {
    return List.copyOf(all().keySet());
  }

  /**
   * Calibrates a mechanism. Takes up to some milliseconds.
   *
   * @param mechanism one of {@link #mechanisms}
   * @param request the budget and the sizes
   * @throws IllegalArgumentException if there is no such mechanism (the message names the nearest
   *     one), or if the request lacks something that the mechanism needs
   * @throws ArithmeticException if the noise would be too large to compute with
   */
  public static Calibration of(String mechanism, CalibrationRequest request) {
    Function<CalibrationRequest, Calibration> calibration = all().get(mechanism);
    if (calibration == null) {
      throw NearestName.unknown("mechanism", mechanism, mechanisms());
    }
    return calibration.apply(request);
  }

  private static Map<String, Function<CalibrationRequest, Calibration>> all() {
    Map<String, Function<CalibrationRequest, Calibration>> all = new LinkedHashMap<>();
    all.put("gaussian", Calibration::gaussianQuery);
    all.put("gaussian-classic", Calibration::classicQuery);
    all.put("laplace", Calibration::laplaceQuery);
    all.putAll(Mechanisms.calibrations());
    return all;
  }

  private static Calibration gaussianQuery(CalibrationRequest request) {
    return gaussian(
        "gaussian",
        request,
        Map.of(),
        request.bound(),
        "Delta, which is the bound, whatever the neighbours");
  }

  private static Calibration classicQuery(CalibrationRequest request) {
    Budget budget = request.budget("gaussian-classic");
    double sigma = GaussianDp.classicSigma(budget.epsilon(), budget.delta(), request.bound());
    checkAttainable("gaussian-classic", sigma / request.bound());
    return new Calibration(
        "gaussian-classic",
        Map.of(),
        Map.of("sigma", sigma),
        GaussianDp.delta(budget.epsilon(), request.bound() / sigma),
        "Dwork and Roth (2014), theorem A.1, for l2 sensitivity Delta, which is the bound, whatever"
            + " the neighbours: a theorem for epsilon at most 1 only; for comparison, nothing here"
            + " uses it");
  }

  private static Calibration laplaceQuery(CalibrationRequest request) {
    return laplace(
        "laplace",
        request,
        Map.of(),
        request.bound(),
        "Dwork, McSherry, Nissim and Smith (2006), for l1 sensitivity Delta, which is the bound,"
            + " whatever the neighbours");
  }

  /** Calibrates one Gaussian mechanism. */
  static Calibration gaussian(
      String mechanism,
      CalibrationRequest request,
      Map<String, Double> parameters,
      double sensitivity,
      String words) {
    Budget budget = request.budget(mechanism);
    double sigma = GaussianDp.sigma(budget.epsilon(), budget.delta(), sensitivity);
    checkAttainable(mechanism, sigma / sensitivity);
    return new Calibration(
        mechanism,
        parameters,
        Map.of("sigma", sigma),
        GaussianDp.delta(budget.epsilon(), sensitivity / sigma),
        ANALYTIC + words);
  }

  /** Calibrates Laplace noise, which spends no delta. */
  static Calibration laplace(
      String mechanism,
      CalibrationRequest request,
      Map<String, Double> parameters,
      double sensitivity,
      String basis) {
    checkAttainable(mechanism, 1.0 / request.epsilon());
    double scale = LaplaceDp.scale(request.epsilon(), sensitivity);
    return new Calibration(mechanism, parameters, Map.of("scale", scale), 0.0, basis);
  }

  /** Calibrates the ridge of a projection with the request's number of rows. */
  static Calibration ridge(
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
        Map.of(name, request.timesSquare(ridge)),
        ProjectionPrivacy.delta(budget.epsilon(), budget.neighbours(), rows, ridge),
        basis);
  }

  /** Checks that the noise is in the range for which doubles and the accounting are made. */
  static void checkAttainable(String mechanism, double noise) {
    if (!(noise <= LARGEST_NOISE)) {
      throw tooLarge(mechanism, null);
    }
  }

  /**
   * Runs a search. Its arguments are in their ranges, so that it fails only if the noise is too
   * large.
   */
  static <T> T searched(String mechanism, Supplier<T> search) {
    try {
      return search.get();
    } catch (IllegalArgumentException e) {
      throw tooLarge(mechanism, e);
    }
  }

  static ArithmeticException tooLarge(String mechanism, IllegalArgumentException cause) {
    ArithmeticException refusal =
        new ArithmeticException(
            "the noise that "
                + mechanism
                + " needs for this epsilon and delta is too large to compute with; make epsilon or"
                + " delta larger, or, where there are rows, their number");
    refusal.initCause(cause);
    return refusal;
  }
}

package io.gauze.mechanism;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.ProjectionPrivacy;
import java.util.Map;
import java.util.TreeMap;
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
  static final String ANALYTIC =
      "the exact condition of Balle and Wang (2018), theorem 8, for one Gaussian of l2 sensitivity"
          + " ";

  /** The largest noise that can be attained, in multiples of the sensitivity. */
  private static final double LARGEST_NOISE = 1e100;

  public Calibration {
    parameters = Map.copyOf(new TreeMap<>(parameters));
    noise = Map.copyOf(new TreeMap<>(noise));
  }

  /** Calibrates one Gaussian mechanism. */
  public static Calibration gaussian(
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
  public static Calibration laplace(
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
  public static Calibration ridge(
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
  public static void checkAttainable(String mechanism, double noise) {
    if (!(noise <= LARGEST_NOISE)) {
      throw tooLarge(mechanism, null);
    }
  }

  /**
   * Runs a search. Its arguments are in their ranges, so that it fails only if the noise is too
   * large.
   */
  public static <T> T searched(String mechanism, Supplier<T> search) {
    try {
      return search.get();
    } catch (IllegalArgumentException e) {
      throw tooLarge(mechanism, e);
    }
  }

  public static ArithmeticException tooLarge(String mechanism, IllegalArgumentException cause) {
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

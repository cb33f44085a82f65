package io.gauze.plan;

import io.gauze.accounting.Budget;
import io.gauze.accounting.GaussianDp;
import io.gauze.mechanism.Calibration;
import io.gauze.mechanism.CalibrationRequest;
import io.gauze.mechanism.Mechanisms;
import io.gauze.message.NearestName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Calibrates plain queries and all mechanisms, by name. */
public final class Calibrations {
  private Calibrations() {}

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
    all.put("gaussian", Calibrations::gaussianQuery);
    all.put("gaussian-classic", Calibrations::classicQuery);
    all.put("laplace", Calibrations::laplaceQuery);
    Mechanisms.kinds()
        .forEach(
            kind ->
                all.put(
                    kind.name(),
                    kind.calibration().orElse(request -> StreamCalibration.of(kind, request))));
    return all;
  }

  private static Calibration gaussianQuery(CalibrationRequest request) {
    return Calibration.gaussian(
        "gaussian",
        request,
        Map.of(),
        request.bound(),
        "Delta, which is the bound, whatever the neighbours");
  }

  private static Calibration classicQuery(CalibrationRequest request) {
    Budget budget = request.budget("gaussian-classic");
    double sigma = GaussianDp.classicSigma(budget.epsilon(), budget.delta(), request.bound());
    Calibration.checkAttainable("gaussian-classic", sigma / request.bound());
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
    return Calibration.laplace(
        "laplace",
        request,
        Map.of(),
        request.bound(),
        "Dwork, McSherry, Nissim and Smith (2006), for l1 sensitivity Delta, which is the bound,"
            + " whatever the neighbours");
  }
}

package io.gauze.release;

import io.gauze.privacy.GaussianDp;
import io.gauze.privacy.LaplaceDp;
import io.gauze.row.NearestName;
import io.gauze.sketch.CountSketchSpec;
import io.gauze.sketch.MultilevelSketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.SketchSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The least noise with which a mechanism keeps a promise, rounded towards more.
 *
 * @param mechanism its name
 * @param parameters the sizes that the noise depends on, by name
 * @param noise the noise in the unit of the bound (its square for sums of products), by name
 * @param achievedDelta the delta that this noise achieves at the epsilon asked for; at most the one
 *     asked for
 * @param basis the theorem or argument that it rests on, in one clause
 */
public record Calibration(
    String mechanism,
    Map<String, Double> parameters,
    Map<String, Double> noise,
    double achievedDelta,
    String basis) {
  private static final String GAUSSIAN = "gaussian";
  private static final String LAPLACE = "laplace";
  private static final String MULTILEVEL = "multilevel-l1";
  private static final String ANALYTIC =
      "the exact condition of Balle and Wang (2018), theorem 8, for one Gaussian of l2 sensitivity ";

  /** Copies the maps. */
  public Calibration {
    parameters = Map.copyOf(new TreeMap<>(parameters));
    noise = Map.copyOf(new TreeMap<>(noise));
  }

  /** The mechanisms that can be calibrated. */
  public static List<String> mechanisms() {
    return List.of(GAUSSIAN, LAPLACE, NoisyMoments.NAME, NoisyCountSketch.NAME, MULTILEVEL);
  }

  /**
   * Calibrates. Takes microseconds.
   *
   * @param mechanism one of {@link #mechanisms}
   * @throws IllegalArgumentException if there is no such mechanism, with the nearest one, or the
   *     request lacks something that it needs
   */
  public static Calibration of(String mechanism, CalibrationRequest request) {
    int columns = request.columns();
    return switch (mechanism) {
      case GAUSSIAN ->
          gaussian(GAUSSIAN, request, Map.of(), request.bound(), "Delta, which is the bound");
      case LAPLACE -> laplace(request);
      case NoisyMoments.NAME ->
          sketch(
              mechanism,
              request,
              new SecondMomentsSpec(columns),
              "B^2 (add-remove) or sqrt 2 B^2 (replace-one) in Frobenius' norm; sigma is on the"
                  + " diagonal, sigma / sqrt 2 off it");
      case NoisyCountSketch.NAME ->
          sketch(
              mechanism,
              request,
              new CountSketchSpec(columns, 1, 0L),
              "B (add-remove) or 2 B (replace-one), whatever the number of buckets");
      case MULTILEVEL ->
          sketch(
              mechanism,
              request,
              // two levels are sampled: the most buckets that a row can touch
              new MultilevelSketchSpec(columns, request.copies(), 2, 2, request.copies(), 0L),
              "B sqrt(s + 2) (add-remove) or twice that (replace-one), for two levels or more");
      default ->
          throw new IllegalArgumentException(
              "mechanism must be one of "
                  + String.join(", ", mechanisms())
                  + "; the nearest is "
                  + NearestName.of(mechanism, mechanisms())
                  + ". Provided value: "
                  + mechanism);
    };
  }

  private static Calibration sketch(
      String mechanism, CalibrationRequest request, SketchSpec spec, String sensitivity) {
    Map<String, Double> parameters =
        mechanism.equals(MULTILEVEL) ? Map.of("copies", (double) request.copies()) : Map.of();
    return gaussian(
        mechanism,
        request,
        parameters,
        spec.sensitivity(request.bound(), request.neighbours()),
        sensitivity);
  }

  private static Calibration gaussian(
      String mechanism,
      CalibrationRequest request,
      Map<String, Double> parameters,
      double sensitivity,
      String words) {
    double delta = request.requireDelta(mechanism);
    double sigma = GaussianDp.sigma(request.epsilon(), delta, sensitivity);
    return new Calibration(
        mechanism,
        parameters,
        Map.of("sigma", sigma),
        GaussianDp.delta(request.epsilon(), sensitivity / sigma),
        ANALYTIC + words);
  }

  private static Calibration laplace(CalibrationRequest request) {
    return new Calibration(
        LAPLACE,
        Map.of(),
        Map.of("scale", LaplaceDp.scale(request.epsilon(), request.bound())),
        0.0,
        "Dwork, McSherry, Nissim and Smith (2006), for l1 sensitivity Delta, which is the bound");
  }
}

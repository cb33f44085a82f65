package io.gauze.solver;

import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.solve.CoefficientTable;
import io.gauze.solve.DoubleVector;
import io.gauze.solve.Fit;
import io.gauze.solve.FitInput;
import io.gauze.solve.FitOutcome;
import io.gauze.solve.Regression;
import io.gauze.solve.RegressionProblem;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fits a regression on a release: post-processing, free of any further cost in privacy. */
public final class ReleaseSolver {
  private ReleaseSolver() {}

  /**
   * The response on all other columns.
   *
   * @throws IllegalArgumentException if the release has no such column, naming the nearest one
   */
  public static Answer solve(Release release, String response) {
    RegressionProblem problem = RegressionProblem.of(release.schema(), response);
    return answer(release.id(), release, problem, Regression.fit(FitInput.of(release), problem));
  }

  private static Answer answer(
      ReleaseId id, Release release, RegressionProblem problem, FitOutcome outcome) {
    String guarantee = release.guarantee().sentence();
    if (outcome instanceof FitOutcome.Fitted fitted) {
      Fit fit = fitted.fit();
      CoefficientTable user = fit.inUserUnits(release.schema());
      CoefficientTable encoded = fit.encoded();
      return new Answer(
          id.toString(),
          release.mechanism(),
          problem.responseName(),
          fit.loss(),
          fit.lambda(),
          byName(user.names(), user.estimates()),
          byName(user.names(), user.standardErrors()),
          byName(encoded.names(), encoded.estimates()),
          guarantee,
          fit.warnings());
    }
    String reason = outcome instanceof FitOutcome.Refused refused ? refused.reason() : "no fit";
    return new Answer(
        id.toString(),
        release.mechanism(),
        problem.responseName(),
        "none",
        0.0,
        Map.of(),
        Map.of(),
        Map.of(),
        guarantee,
        List.of(reason));
  }

  /** Numbers under their names, in order. */
  public static Map<String, Double> byName(List<String> names, DoubleVector values) {
    Map<String, Double> byName = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      byName.put(names.get(i), values.get(i));
    }
    return byName;
  }
}

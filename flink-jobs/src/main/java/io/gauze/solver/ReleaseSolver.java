package io.gauze.solver;

import io.gauze.release.Release;
import io.gauze.release.ReleaseId;
import io.gauze.row.RowSchema;
import io.gauze.sketch.CountSketchSpec;
import io.gauze.solve.CoefficientTable;
import io.gauze.solve.DoubleVector;
import io.gauze.solve.Fit;
import io.gauze.solve.FitInput;
import io.gauze.solve.FitOutcome;
import io.gauze.solve.LeastSquares;
import io.gauze.solve.RegressionProblem;
import io.gauze.solve.ReleasedMoments;
import io.gauze.solve.ReleasedRows;
import io.gauze.solve.SymmetricMatrix;
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
    return answer(release.id(), release, problem, LeastSquares.fit(input(release), problem));
  }

  /** What a release says about the rows, for the solvers. */
  public static FitInput input(Release release) {
    RowSchema schema = release.schema();
    double intercept = 1.0 / schema.half(0);
    int d = schema.dimension();
    if (release.spec() instanceof CountSketchSpec) {
      double[] values = new double[release.buckets() * d];
      for (int i = 0; i < values.length; i++) {
        values[i] = release.bucket(i / d, i % d);
      }
      return ReleasedRows.of(release.buckets(), d, values, release.sigma(), intercept);
    }
    double[] upper = new double[d * (d + 1) / 2];
    int next = 0;
    for (int i = 0; i < d; i++) {
      for (int j = i; j < d; j++) {
        upper[next++] = release.moment(i, j);
      }
    }
    return new ReleasedMoments(
        SymmetricMatrix.ofUpperTriangle(d, upper), release.sigma(), intercept);
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

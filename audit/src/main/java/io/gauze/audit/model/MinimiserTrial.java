package io.gauze.audit.model;

import io.gauze.audit.Trial;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveCalibration;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.noise.Entropy;
import java.util.List;

/**
 * Fits one coefficient to a few rows whose feature is 1, and computes its log-likelihood ratio,
 * without the noise that hides a solver.
 */
final class MinimiserTrial implements Trial {
  /** The loss of a row as a function of the coefficient. */
  interface Row {
    /** The negative derivative. */
    double score(double response, double theta);

    /** The second derivative. */
    double curvature(double response, double theta);
  }

  private final ObjectivePerturbation audited;
  private final ObjectiveCalibration calibration;
  private final Row row;
  private final List<Double> first;
  private final List<Double> second;
  private final ModelRows firstRows;
  private final ModelRows secondRows;

  /**
   * Creates a trial.
   *
   * @param first the responses of one data set
   * @param second those of the other one
   */
  MinimiserTrial(ObjectivePerturbation audited, Row row, List<Double> first, List<Double> second) {
    this.audited = audited;
    this.calibration = audited.calibration();
    this.row = row;
    this.first = first;
    this.second = second;
    this.firstRows = rows(first);
    this.secondRows = rows(second);
  }

  private ModelRows rows(List<Double> responses) {
    ModelRows rows = audited.rows();
    responses.forEach(response -> rows.add(new double[] {1.0}, response));
    return rows;
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    long steps = audited.steps(inSecond ? secondRows : firstRows, entropy)[0];
    double theta = Math.scalb((double) steps, -calibration.outputBits());
    return logDensity(theta, second) - logDensity(theta, first);
  }

  /** The logarithm of the density of the minimiser, up to a constant. */
  private double logDensity(double theta, List<Double> responses) {
    double linear = -calibration.lambda() * (theta - calibration.spec().centre().get(0));
    double curvature = calibration.lambda();
    for (double response : responses) {
      linear += row.score(response, theta);
      curvature += row.curvature(response, theta);
    }
    return Math.log(curvature) - Math.abs(linear) / calibration.scale();
  }
}

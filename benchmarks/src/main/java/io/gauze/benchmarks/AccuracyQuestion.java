package io.gauze.benchmarks;

import io.gauze.config.ConfigException;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.RegressionProblem;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;

/**
 * A loss, and the mechanism whose releases answer it best.
 *
 * @param name in the tables and the arguments
 */
record AccuracyQuestion(String name, Loss loss, double alpha, String mechanism) {
  static final AccuracyQuestion RIDGE =
      new AccuracyQuestion("ridge", Loss.SQUARED, 1.0, "noisy-moments");
  static final AccuracyQuestion LAD =
      new AccuracyQuestion("lad", Loss.ABSOLUTE, 1.0, "residual-strata");

  static final List<AccuracyQuestion> ALL =
      List.of(
          RIDGE,
          new AccuracyQuestion("lasso", Loss.SQUARED, 0.0, "noisy-moments"),
          new AccuracyQuestion("elastic-net", Loss.SQUARED, 0.5, "noisy-moments"),
          LAD,
          new AccuracyQuestion("quantile", new Loss.Quantile(0.9), 1.0, "residual-strata"),
          new AccuracyQuestion("huber", new Loss.Huber(0.1), 1.0, "residual-strata"));

  /** Questions to sketches and to models that were made for them, in pairs. */
  static final List<AccuracyQuestion> MODELS =
      List.of(
          new AccuracyQuestion("lad", Loss.ABSOLUTE, 1.0, "huber"),
          LAD,
          new AccuracyQuestion("quantile", new Loss.Quantile(0.9), 1.0, "quantile, quantile: 0.9"),
          new AccuracyQuestion("quantile", new Loss.Quantile(0.9), 1.0, "residual-strata"));

  /** Least squares by a model, and by moments. */
  static final List<AccuracyQuestion> SQUARES =
      List.of(new AccuracyQuestion("ridge", Loss.SQUARED, 1.0, "objective-perturbation"), RIDGE);

  /** Returns the rows of a data set, and releases that answer the question. */
  AccuracySample sample(AccuracyData data, String epsilon) throws IOException, ConfigException {
    return AccuracySample.of(data.withMechanism(mechanism).withEpsilon(epsilon));
  }

  /** Puts the question to so many releases of a data set. */
  MeasuredFits measured(AccuracyData data, String epsilon, int releases)
      throws IOException, ConfigException {
    return new MeasuredFits(sample(data, epsilon), this, releases);
  }

  /** Returns the problem with a penalty that the fit chooses. */
  RegressionProblem of(RegressionProblem problem) {
    return problem.withLoss(loss).withPenalty(new Penalty(OptionalDouble.empty(), alpha, false));
  }
}

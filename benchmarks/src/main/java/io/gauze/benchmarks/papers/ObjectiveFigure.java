package io.gauze.benchmarks.papers;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.model.FittedModel;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectivePerturbation;
import io.gauze.model.ObjectiveSpec;
import io.gauze.noise.Randomness;
import io.gauze.plot.Axis;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rate of objective perturbation that D. Wang, Differentially private empirical risk
 * minimization IV (lecture notes), states, measured with Huber's loss against the number of rows
 * and of features.
 */
final class ObjectiveFigure {
  private static final int SEEDS = 11;
  private static final double THRESHOLD = 0.1;
  private static final int ROUNDS = 30; // of reweighting
  private static final Budget BUDGET = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);

  private ObjectiveFigure() {}

  static Figure figure() {
    List<FigureRow> points = new ArrayList<>();
    for (int features : new int[] {4, 16, 64}) {
      double[][] all = SparseRows.of(1 << 16, features);
      double bound = Math.sqrt(SparseRows.INTERCEPT * SparseRows.INTERCEPT + features / 3.0);
      ObjectivePerturbation mechanism =
          ObjectivePerturbation.of(
              ObjectiveSpec.of(features + 1, bound, new ModelLoss.Huber(THRESHOLD), BUDGET));
      for (int log = 10; log <= 16; log++) {
        points.add(point(mechanism, Arrays.copyOf(all, 1 << log)));
      }
    }
    return new Figure(
        "004-objective-perturbation",
        "Objective perturbation of Huber's loss at epsilon 1",
        Axis.log("rows"),
        Axis.log("loss above the least"),
        points);
  }

  private static FigureRow point(ObjectivePerturbation mechanism, double[][] data) {
    int features = data[0].length - 1;
    ModelRows rows = mechanism.rows();
    for (double[] row : data) {
      rows.add(Arrays.copyOf(row, features), row[features]);
    }
    double least = loss(data, least(data));
    return Repeated.row(
        "d " + (features - 1) + Figure.CORRECTED,
        data.length,
        Repeated.values(
            SEEDS,
            random -> {
              Randomness noise = Randomness.insecureForTests(random.nextLong());
              FittedModel model = mechanism.fit(rows, noise, "model");
              return loss(data, model.coefficients().toArray()) - least;
            }));
  }

  private static double loss(double[][] rows, double... model) {
    double sum = 0;
    for (double[] row : rows) {
      double size = Math.abs(residual(row, model));
      sum += size <= THRESHOLD ? size * size / 2 : THRESHOLD * (size - THRESHOLD / 2);
    }
    return sum / rows.length;
  }

  private static double residual(double[] row, double... model) {
    double residual = row[model.length];
    for (int j = 0; j < model.length; j++) {
      residual -= row[j] * model[j];
    }
    return residual;
  }

  /** Huber's minimiser, by least squares with weights. */
  private static double[] least(double[][] rows) {
    double[] model = new double[rows[0].length - 1];
    for (int round = 0; round < ROUNDS; round++) {
      double[][] moments = new double[rows[0].length][rows[0].length];
      for (double[] row : rows) {
        double root = Math.sqrt(Math.min(1, THRESHOLD / Math.abs(residual(row, model))));
        Matrix.add(moments, Arrays.stream(row).map(value -> root * value).toArray());
      }
      model = Matrix.regression(moments);
    }
    return model;
  }
}

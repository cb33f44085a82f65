package io.gauze.benchmarks;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.model.HuberModel;
import io.gauze.model.ObjectiveSpec;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Penalty;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactRows;
import io.gauze.row.RowSchema;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How much worse {@code huber} models are than fits of the rows, with thresholds and feature bounds
 * that do not look at the data, beside the figures of a prototype. Configs have ranges only.
 */
final class HuberAims {
  static final String TABLE = "huber-models";
  static final List<String> EPSILONS = List.of("0.1", "0.5", "1.0", "5.0");

  /** The sizes of made-up data sets with outliers. */
  static final List<Integer> OUTLIERS = List.of(10_000, 100_000);

  private static final double INTERCEPT = 0.5;
  private static final String RMSE = "RMSE";
  private static final String MAE = "MAE";
  private static final String PLANNED = "planned";
  private static final String DEFAULT = "default";
  private static final double PERCENT = 100.0;

  /**
   * The options of a model, and a budget.
   *
   * @param threshold as a share of half the response's range, or what is planned
   * @param bound on the features, or that of {@link ObjectiveSpec}, or what is planned
   */
  private record Setting(String threshold, String bound, String epsilon) {
    StreamPlan plan(StreamRequest request) {
      return StreamPlan.of(
          new StreamRequest(
              request.stream(),
              request.schema(),
              new Budget(Double.parseDouble(epsilon), 1e-6, Neighbours.REPLACE_ONE),
              StreamRequest.ROW,
              request.expectedRows(),
              List.of(),
              List.of(
                  new SketchRequest("model", HuberModel.HUBER, 1.0, options(request.schema())))));
    }

    private Map<String, String> options(RowSchema schema) {
      if (threshold.equals(PLANNED)) {
        return Map.of();
      }
      int last = schema.dimension() - 1;
      double encoded = Double.parseDouble(threshold) * schema.half(last);
      double ofSchema = ObjectiveSpec.defaultFeatureBound(last, schema.intercept());
      return Map.of(
          "threshold",
          Double.toString(encoded),
          "featureBound",
          bound.equals(DEFAULT) ? Double.toString(ofSchema) : bound);
    }
  }

  private final int releases;
  private final PrintStream out;
  private final Aims aims;

  HuberAims(int releases, PrintStream out) throws IOException {
    this.releases = releases;
    this.out = out;
    this.aims = Aims.of("huber");
  }

  void print(List<AccuracyData> sets, List<String> epsilons) throws IOException, ConfigException {
    out.println(
        "\n| data, rows | threshold | feature bound | epsilon | RMSE: excess, % | aim | ratio"
            + " | MAE: excess, % | aim | ratio |");
    out.println("|---|---|---|---|---|---|---|---|---|---|");
    for (AccuracyData data : sets) {
      List<Setting> settings =
          aims.first(5).stream()
              .filter(key -> key.get(0).equals(data.name()))
              .filter(key -> Integer.parseInt(key.get(1)) == data.rows())
              .map(key -> new Setting(key.get(2), key.get(3), key.get(4)))
              .filter(setting -> epsilons.contains(setting.epsilon()))
              .toList();
      if (!settings.isEmpty()) {
        print(data, settings);
      }
    }
  }

  private void print(AccuracyData data, List<Setting> settings)
      throws IOException, ConfigException {
    String config = data.rangesOnly().config() + "intercept: " + INTERCEPT + "\n";
    StreamRequest request = StreamConfig.parse(data.name(), config).request(List.of());
    List<AccuracySample> samples =
        AccuracySample.of(data, settings.stream().map(setting -> setting.plan(request)).toList());
    RegressionProblem problem = samples.get(0).problem();
    ExactRows rows = samples.get(0).rows();
    double rmse = rows.rmse(exact(rows, problem.withLoss(Loss.SQUARED)));
    double mae = rows.mae(exact(rows, problem.withLoss(Loss.ABSOLUTE)));
    for (int k = 0; k < settings.size(); k++) {
      Setting setting = settings.get(k);
      double[] squares = new double[releases];
      double[] absolutes = new double[releases];
      for (int r = 0; r < releases; r++) {
        Fit fit = fit(samples.get(k), problem.withLoss(Loss.ABSOLUTE));
        squares[r] = PERCENT * (rows.rmse(fit) / rmse - 1.0);
        absolutes[r] = PERCENT * (rows.mae(fit) / mae - 1.0);
      }
      out.printf(
          Locale.ROOT,
          "| %s, %,d | %s | %s | %s | %s | %s |%n",
          data.name(),
          rows.rows(),
          setting.threshold(),
          setting.bound(),
          setting.epsilon(),
          cells(squares, data, setting, RMSE),
          cells(absolutes, data, setting, MAE));
    }
  }

  private String cells(double[] excess, AccuracyData data, Setting setting, String error) {
    return aims.cells(
        MeasuredFits.median(excess),
        data.name(),
        Integer.toString(data.rows()),
        setting.threshold(),
        setting.bound(),
        setting.epsilon(),
        error);
  }

  private static Fit exact(ExactRows rows, RegressionProblem problem) {
    Penalty none = new Penalty(OptionalDouble.of(0.0), 1.0, false);
    return ((FitOutcome.Fitted) Regression.fit(rows, problem.withPenalty(none))).fit();
  }

  private static Fit fit(AccuracySample sample, RegressionProblem problem) {
    return ((FitOutcome.Fitted) Regression.fit(sample.release(), problem)).fit();
  }
}

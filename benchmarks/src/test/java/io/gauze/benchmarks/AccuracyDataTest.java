package io.gauze.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.StreamConfig;
import io.gauze.plan.StreamPlan;
import io.gauze.regression.Fit;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.Loss;
import io.gauze.regression.Regression;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.rows.ExactRows;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AccuracyDataTest {
  @Test
  void rangesAloneAreLeft() {
    String config =
        "columns:\n  - {name: x, lower: -125, upper: 1_000, typical: -119.5, spread: 2}\nresponse: x\n";
    AccuracyData data = new AccuracyData("data", config, Path.of("none"), 1, 1);
    assertThat(data.rangesOnly().config())
        .isEqualTo("columns:\n  - {name: x, lower: -125, upper: 1_000}\n\n");
  }

  /** One row in twenty is an outlier, which moves least squares by a seventh or so. */
  @Test
  void outliersMoveLeastSquares() throws Exception {
    AccuracyData data = AccuracyData.outliers(10_000).rangesOnly();
    StreamConfig config = StreamConfig.parse(data.name(), data.config());
    StreamPlan plan = StreamPlan.of(config.request(List.of()));
    AccuracySample sample = AccuracySample.of(data, plan);
    ExactRows rows = sample.rows();
    assertThat(rows.rows()).isEqualTo(10_000);
    double least = rows.mae(fit(sample, Loss.ABSOLUTE));
    assertThat(rows.mae(fit(sample, Loss.SQUARED)) / least - 1.0).isBetween(0.1, 0.2);
  }

  private static Fit fit(AccuracySample sample, Loss loss) {
    RegressionProblem problem = sample.problem().withLoss(loss).withLambda(0.0);
    return ((FitOutcome.Fitted) Regression.fit(sample.rows(), problem)).fit();
  }
}

package io.gauze.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.papers.FrankWolfe;
import io.gauze.mechanism.papers.HardThresholding;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.mechanism.select.SelectFitRows;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Mechanisms that draw and step on exact moments, against steps_noise.py. */
final class StepsNoiseTest {
  /**
   * Ranges r are up to 0.36, and accounted for by a tangent, which is r^2 / 200 above the curve.
   */
  private static final double OF_DRAWS = 1e-3;

  private static final double ROUNDING = 1e-7;
  private static final String OF_ROWS = "-rows";

  /** Never less noise, and no more than rounding and the tangent need. */
  @ParameterizedTest
  @CsvFileSource(resources = "/io/gauze/accounting/steps-noise.csv")
  void noiseIsThatOfReferenceNumbers(ArgumentsAccessor line) {
    double score = line.getDouble(10);
    double gradient = line.getDouble(11);
    double curvature = line.getDouble(12);
    double[] theta = new double[line.getInteger(2)];
    theta[theta.length - 1] = line.getDouble(9);
    Mechanism planned = planned(line);
    if (planned instanceof FrankWolfe descent) {
      assertNoise(descent.momentUnit() / descent.rate(theta), score, OF_DRAWS);
    } else if (planned instanceof SelectFit fit) {
      assertNoise(fit.stepSize() / fit.rate(), score, OF_DRAWS);
      assertNoise(fit.sigma() * fit.stepSize(), gradient, ROUNDING);
    } else if (planned instanceof SelectFitRows fit) {
      assertNoise(1.0 / fit.rate(), score, OF_DRAWS);
      assertNoise(fit.sigma() * fit.stepSize(), gradient, ROUNDING);
    } else {
      HardThresholding steps = (HardThresholding) planned;
      boolean draws = steps.parts().range() > 0.0;
      int entries = draws ? steps.nonzero() : theta.length - 1;
      double noise = steps.bounds().entries(entries, theta) / steps.parts().values();
      assertNoise(noise, gradient, ROUNDING);
      assertNoise(steps.parameters().get("curvatureSigma"), curvature, ROUNDING);
      if (draws) {
        assertNoise(steps.momentUnit() / steps.rate(theta), score, OF_DRAWS);
      }
    }
  }

  private static void assertNoise(double noise, double expected, double slack) {
    assertThat(noise).isBetween(expected * (1.0 - ROUNDING), expected * (1.0 + slack));
  }

  /** Returns what a line asks for; the last column is the response. */
  private static Mechanism planned(ArgumentsAccessor line) {
    String mechanism = line.getString(0).replace(OF_ROWS, "");
    String readings = line.getString(0).endsWith(OF_ROWS) ? "2" : "1";
    RowSchema schema = Fixtures.numbers(line.getInteger(2), line.getDouble(3), line.getDouble(4));
    Budget budget =
        new Budget(line.getDouble(5), line.getDouble(6), Neighbours.parse(line.getString(1)));
    String steps = line.getString(7);
    String kept = line.getString(8);
    Map<String, String> options =
        switch (mechanism) {
          case FrankWolfe.NAME -> Map.of("steps", steps);
          case SelectFit.NAME -> Map.of("rounds", steps, "selected", kept, "readings", readings);
          default -> Map.of("steps", steps, "nonzero", kept);
        };
    SketchRequest sketch = new SketchRequest("s", mechanism, 1.0, options);
    StreamPlan plan = StreamPlan.of(Fixtures.request(schema, budget, sketch));
    return plan.sketch("s").mechanism();
  }
}

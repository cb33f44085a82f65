package io.gauze.regression.strata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.linalg.DoubleVector;
import io.gauze.regression.Loss;
import io.gauze.regression.rows.ExpectedLoss;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.junit.jupiter.api.Test;

class StrataObjectiveTest {
  private static final double TOLERANCE = 1e-12;

  /** The .9 quantile of N(0, 1). */
  private static final double QUANTILE = 1.2815515655446004;

  /** Responses of a normal law, the constant as the only feature. */
  private static StrataObjective constant(double mean, double deviation) {
    StrataModel.Part part = new StrataModel.Part(100.0, DoubleVector.of(new double[] {1.0, mean}));
    StrataModel.Group group = new StrataModel.Group(new DMatrixRMaj(2, 2), List.of(part), 1.0);
    DoubleVector zero = DoubleVector.of(new double[] {0.0});
    return new StrataObjective.Maker(
            ExpectedLoss.of(new Loss.Quantile(0.9)),
            new StrataObjective.Target(zero, 1, zero, zero),
            deviation * deviation)
        .of(new StrataModel(List.of(group), 2));
  }

  /** At 0 the loss of a law of deviation .01 around .5 has no curvature that a double holds. */
  @Test
  void narrowLawsAreSolvedFromAnyStart() {
    StrataObjective objective = constant(0.5, 0.01);
    assertThat(NewtonSearch.minimise(objective, 0.0, TOLERANCE, 0.0).isSolved()).isFalse();
    for (double start : new double[] {-3.0, 0.0, 0.5, 2.0}) {
      NewtonSearch.Minimum minimum = objective.minimum(0.0, TOLERANCE, start);
      assertThat(minimum.isSolved()).isTrue();
      assertThat(minimum.b().get(0)).isCloseTo(0.5 + 0.01 * QUANTILE, within(1e-6));
    }
  }
}

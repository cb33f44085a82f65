package io.gauze.regression;

import io.gauze.message.FitMessage;
import io.gauze.sketch.MultilevelSketchSpec;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link RareMessagesTest} of a mechanism of a paper. */
final class PapersRareMessagesTest {
  @Test
  void sumsOfRows() {
    Simulation simulation = new Simulation(3, 0.9, 4);
    double[][] rows =
        IntStream.range(0, 20_000).mapToObj(i -> simulation.row()).toArray(double[][]::new);
    MultilevelSketchSpec spec = MultilevelSketchSpec.forRows(5, 400, 20_000, 1, 1);
    RegressionProblem problem = simulation.problem().withLoss(Loss.ABSOLUTE);
    RareMessagesTest.said(
        FitMessage.SHRUNK,
        seed -> LadRows.fit(L1Buckets.release(rows, spec, 2.0 + 2.0 * seed, seed), problem));
  }
}

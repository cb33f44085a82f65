package io.gauze.regression.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.moments.ResidualStrataNoise;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowBatch;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.ResidualStrataSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The model between the stages; x1 = .5 x0 + .05 N(0, 1). */
class ResidualModelTest {
  private static final RowSchema SCHEMA = Fixtures.numbers(2, 0.5, 1.5);
  private static final ResidualStrataNoise MECHANISM =
      (ResidualStrataNoise)
          StreamPlan.of(
                  Fixtures.request(
                      SCHEMA,
                      Fixtures.BUDGET,
                      new SketchRequest("s", ResidualStrataNoise.NAME, 1.0, Map.of())))
              .sketch("s")
              .mechanism();

  private static RowBatch rows() {
    return rows(20_000);
  }

  private static RowBatch rows(int count) {
    double steps = 1.0 / SCHEMA.grid().step();
    SplittableRandom random = new SplittableRandom(6);
    RowBatch batch = new RowBatch(3, count);
    for (int i = 0; i < count; i++) {
      double x = random.nextDouble(-1.0, 1.0);
      double y = 0.5 * x + 0.05 * random.nextGaussian();
      int[] row = {(int) (0.5 * steps), (int) (x * steps), (int) (y * steps)};
      EncodedRow encoded = new EncodedRow(3);
      System.arraycopy(row, 0, encoded.values(), 0, 3);
      batch.add(new RowTag(), encoded, 1);
    }
    return batch;
  }

  private static long[] first(RowBatch rows, long seed) {
    LinearSketch<?> sketch = MECHANISM.spec().zero();
    MECHANISM.addNoise(sketch.state(), 0, Randomness.insecureForTests(seed).entropy("first"));
    sketch.add(rows);
    return sketch.state();
  }

  @Test
  void residualsAreDividedByThreeDeviations() {
    RowBatch rows = rows();
    List<Double> u = MECHANISM.second(ResidualModel.of(MECHANISM, first(rows, 1))).weights();
    assertThat(1.0 / u.get(2)).isCloseTo(0.15, within(0.01));
    assertThat(u.get(1) / u.get(2)).isCloseTo(-0.5, within(0.01));
    assertThat(u.get(0) / u.get(2)).isCloseTo(0.0, within(0.01));
    int inside = 0;
    for (int i = 0; i < rows.size(); i++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) {
        sum += u.get(k) * rows.values()[3 * i + k] * SCHEMA.grid().step();
      }
      inside += Math.abs(sum) <= 1.0 ? 1 : 0;
    }
    assertThat(inside / 20_000.0).isGreaterThan(0.99); // three deviations: .9973
  }

  @Test
  void equalStagesGiveEqualModels() {
    long[] first = first(rows(), 2);
    assertThat(ResidualModel.of(MECHANISM, first.clone()))
        .isEqualTo(ResidualModel.of(MECHANISM, first))
        .isNotEqualTo(ResidualModel.of(MECHANISM, first(rows(), 3)));
  }

  /** Of 16 epochs with few rows; the slope is .5. */
  @Test
  void earlierStagesMakeABetterModel() {
    RowBatch rows = rows(200);
    double alone = 0.0;
    double together = 0.0;
    for (int seed = 0; seed < 50; seed++) {
      List<long[]> firsts = new ArrayList<>();
      for (int epoch = 0; epoch < 16; epoch++) {
        firsts.add(first(rows, 100L * seed + epoch));
      }
      alone += Math.abs(slope(firsts.subList(0, 1)) - 0.5) / 50;
      together += Math.abs(slope(firsts) - 0.5) / 50;
    }
    assertThat(together).isLessThan(alone / 2.0);
  }

  private static double slope(List<long[]> firsts) {
    List<Double> u = MECHANISM.second(ResidualModel.of(MECHANISM, firsts)).weights();
    return -u.get(1) / u.get(2);
  }

  /**
   * Whatever the sums are, the second stage can be made: noise alone, no row, sums that wrapped.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, -1, 1L << 40, -(1L << 40), Long.MAX_VALUE, Long.MIN_VALUE})
  void poorSumsGiveBoundedWeights(long value) {
    long[] constant = new long[6];
    Arrays.fill(constant, value);
    bounded(constant);
    bounded(new long[] {1L << 40, 0, 0, value, value, 1L << 40});
    bounded(new long[] {1L << 40, 0, 0, 1L << 40, value, value});
    bounded(first(new RowBatch(3, 1), value));
  }

  private static void bounded(long... first) {
    List<Double> weights = MECHANISM.second(ResidualModel.of(MECHANISM, first)).weights();
    assertThat(weights)
        .allSatisfy(
            weight -> assertThat(Math.abs(weight)).isLessThan(ResidualStrataSpec.MOST_WEIGHT));
    assertThat(weights.get(2)).isBetween(1.0 / 3.01, 342.0); // tau in [2^-10, 1]
  }
}

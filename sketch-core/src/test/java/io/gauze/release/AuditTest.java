package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.privacy.Budget;
import io.gauze.privacy.Entropy;
import io.gauze.privacy.GaussianDp;
import io.gauze.privacy.Randomness;
import io.gauze.row.EncodedRow;
import io.gauze.row.Neighbours;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import java.util.Map;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Attacks releases of worst-case neighbours with the likelihood-ratio test, and bounds from below
 * the epsilon that its success proves: {@code ln((power - delta) / size)}, both replaced by their
 * exact binomial limits, so that the bound is wrong with chance at most 1e-6. It must stay below
 * the claim, and rise above it when the noise is half of what it should be.
 */
final class AuditTest {
  private static final int RUNS = 1_000_000;
  private static final double LEVEL = 5e-7; // for each of the two limits
  private static final double THRESHOLD = 3.0; // fixed before looking

  @ParameterizedTest
  @CsvSource({
    "noisy-moments, ADD_REMOVE",
    "noisy-moments, REPLACE_ONE",
    "count-sketch, ADD_REMOVE",
    "count-sketch, REPLACE_ONE"
  })
  void provesNoMoreThanTheClaimAndCatchesHalfTheNoise(String name, Neighbours neighbours) {
    RowSchema schema = Fixtures.numbers(1, 1.0, 1.5);
    Budget claim = new Budget(1.0, 1e-6, neighbours);
    SketchRequest sketch = new SketchRequest("s", name, 1, options(name));
    StreamRequest request = Fixtures.request(schema, claim, sketch);
    AdditiveMechanism mechanism = StreamPlan.of(request).sketch("s").mechanism();

    double[] rates = rates(mechanism, neighbours, schema, "right");
    assertThat(lowerBound(rates, claim)).isBetween(0.4, claim.epsilon());
    // The test is as good as the Gaussian trade-off allows, within 6 standard errors.
    double power = NormalDistribution.of(0, 1).survivalProbability(THRESHOLD - mechanism.mu());
    assertThat(Math.abs(rates[1] - power)).isLessThan(6 * Math.sqrt(power * (1 - power) / RUNS));

    AdditiveMechanism half =
        Mechanisms.kind(name).calibrate(request, mechanism.spec(), 2 * mechanism.mu());
    assertThat(half.sigma() / mechanism.sigma()).isBetween(0.4999, 0.5001);
    assertThat(lowerBound(rates(half, neighbours, schema, "half"), claim))
        .isGreaterThan(claim.epsilon());
    assertThat(GaussianDp.delta(claim.epsilon(), half.mu())).isGreaterThan(claim.delta());
  }

  private static Map<String, Integer> options(String name) {
    return name.equals(NoisyCountSketch.NAME) ? Map.of("buckets", 2) : Map.of();
  }

  /** How often the test says "the row is there", when it is not and when it is. */
  private static double[] rates(
      AdditiveMechanism mechanism, Neighbours neighbours, RowSchema schema, String purpose) {
    int length = (int) (schema.rowBound() / schema.grid().step());
    boolean moments = mechanism.name().equals(NoisyMoments.NAME);
    LinearSketch<?> without = mechanism.spec().zero();
    if (neighbours == Neighbours.REPLACE_ONE) { // orthogonal rows or opposite ones are the worst
      without.add(new RowTag(), moments ? row(0, length) : row(length, 0), 1);
    }
    LinearSketch<?> with = mechanism.spec().zero();
    with.add(new RowTag(), moments ? row(length, 0) : row(-length, 0), 1);
    Entropy entropy = Randomness.insecureForTests(23).entropy(mechanism.name() + purpose);
    double present = rate(mechanism, with.state(), with.state(), without.state(), entropy);
    double absent = rate(mechanism, without.state(), with.state(), without.state(), entropy);
    return new double[] {absent, present};
  }

  private static EncodedRow row(int first, int second) {
    EncodedRow row = new EncodedRow(2);
    row.values()[0] = first;
    row.values()[1] = second;
    return row;
  }

  private static double rate(
      AdditiveMechanism mechanism, long[] truth, long[] with, long[] without, Entropy entropy) {
    double[] direction = new double[truth.length];
    double distance = 0.0;
    for (int k = 0; k < truth.length; k++) {
      double scale = mechanism.noiseScale(k);
      direction[k] = (with[k] - without[k]) / (scale * scale);
      distance += direction[k] * (with[k] - without[k]);
    }
    int said = 0;
    for (int run = 0; run < RUNS; run++) {
      long[] release = truth.clone();
      mechanism.addNoise(release, 0, entropy);
      double ratio = 0.0;
      for (int k = 0; k < release.length; k++) {
        ratio += direction[k] * (release[k] - without[k]);
      }
      // standard normal without the row
      said += ratio / Math.sqrt(distance) > THRESHOLD ? 1 : 0;
    }
    return said / (double) RUNS;
  }

  private static double lowerBound(double[] rates, Budget claim) {
    double absent = Math.rint(rates[0] * RUNS);
    double present = Math.rint(rates[1] * RUNS);
    double size = BetaDistribution.of(absent + 1, RUNS - absent).inverseSurvivalProbability(LEVEL);
    double power =
        BetaDistribution.of(present, RUNS - present + 1).inverseCumulativeProbability(LEVEL);
    return Math.log((power - claim.delta()) / size);
  }
}

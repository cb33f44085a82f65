package io.gauze.mechanism.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.LaplaceDp;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Noise;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedLaplace;
import io.gauze.payload.MomentNoise;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.row.CategoryColumn;
import io.gauze.row.EncodedRow;
import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.SecondMoments;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.testing.Alpha;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FunctionalMomentsTest {
  private static final SketchRequest SKETCH =
      new SketchRequest("s", FunctionalMoments.NAME, 1.0, Map.of());

  private static StreamPlan plan(RowSchema schema, Budget budget) {
    return StreamPlan.of(Fixtures.request(schema, budget, SKETCH));
  }

  /** Rows of ones, whether the intercept is above 1 or not, or clipped so that all are equal. */
  @ParameterizedTest
  @CsvSource({
    "1, 10", // never clipped: 4 entries of 1
    "0.5, 10",
    "3, 10", // above 1
    "1, 1" // clipped to equal entries
  })
  void worstRowsAttainTheSensitivity(double intercept, double bound) throws RowRejectedException {
    RowSchema schema =
        RowSchema.of(
            Fixtures.numbers(3, 1.0, 2.0).columns(), intercept, bound, MissingValues.REJECT);
    double one = FunctionalMoments.sensitivity(schema, Neighbours.ADD_REMOVE);
    assertThat(distance(schema, 1.0, 1.0, 1.0)).isBetween(0.999 * one, one);
    assertThat(distance(schema, -1.0, 1.0, -1.0)).isBetween(0.999 * one, one);
    assertThat(FunctionalMoments.sensitivity(schema, Neighbours.REPLACE_ONE)).isEqualTo(2.0 * one);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1000; i++) {
      double x = random.nextDouble(-1.5, 1.5);
      double y = random.nextDouble(-1.5, 1.5);
      assertThat(distance(schema, x, y, random.nextInt(3) - 1)).isLessThanOrEqualTo(one);
    }
  }

  private static double distance(RowSchema schema, double... values) throws RowRejectedException {
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    encoder.begin();
    for (int i = 0; i < values.length; i++) {
      encoder.number(i, values[i]);
    }
    encoder.encode(row);
    SecondMoments moments = new SecondMomentsSpec(schema.dimension()).zero();
    moments.add(new RowTag(), row, 1);
    double sum = 0.0;
    for (long entry : moments.state()) {
      sum += Math.abs(entry);
    }
    return sum * schema.grid().momentUnit();
  }

  /** Of a hundred categories one entry is 1 at most: 3 entries in all, (9 + 3) / 2. */
  @Test
  void categoriesCountOnce() {
    List<String> texts = IntStream.range(0, 100).mapToObj(i -> "c" + i).toList();
    RowSchema schema =
        RowSchema.of(
            List.of(new CategoryColumn("c", "c", texts), new NumericColumn("x", -1, 1)), 1.0);
    assertThat(FunctionalMoments.sensitivity(schema, Neighbours.ADD_REMOVE))
        .isCloseTo(6.0, within(1e-12));
  }

  /** Never above what calibrate says of encoded columns in [-1, 1], the intercept among them. */
  @Test
  void isWithinTheGeneralBound() {
    for (double intercept : new double[] {0.25, 0.5, 1.0}) {
      for (double bound : new double[] {1.0, 1.5, 2.0, 5.0}) {
        for (Neighbours neighbours : Neighbours.values()) {
          RowSchema schema = Fixtures.numbers(4, intercept, bound);
          double general = LaplaceDp.sensitivity(5, bound, neighbours);
          assertThat(FunctionalMoments.sensitivity(schema, neighbours))
              .isLessThanOrEqualTo(general * (1 + 1e-12));
        }
      }
    }
  }

  /**
   * The sizes of the noise are exponential: mean and deviation of one scale. z-test for each entry
   * over 20,000 draws, and for the product of neighbours' signs; together 1e-6. A scale that is off
   * by 10 % would be noticed, by 14 standard errors.
   */
  /** The bound of columns in [-1, 1] does not hold for it, that of the norm does. */
  @Test
  void anInterceptAboveOneMayExceedTheBoundOfEntries() {
    RowSchema schema = Fixtures.numbers(2, 3.0, 3.5);
    for (Neighbours neighbours : Neighbours.values()) {
      double planned = FunctionalMoments.sensitivity(schema, neighbours);
      assertThat(planned).isCloseTo(3.0 * LaplaceDp.entrySensitivity(3, neighbours), within(1e-9));
      assertThat(planned).isLessThan(LaplaceDp.normSensitivity(3, 3.5, neighbours));
    }
  }

  @Test
  void noiseFollowsItsLaw() {
    FunctionalMoments mechanism =
        (FunctionalMoments) plan(Fixtures.schema(), Fixtures.BUDGET).sketch("s").mechanism();
    int draws = 20_000;
    double[] sizes = new double[28];
    double[] signs = new double[28];
    Entropy entropy = Randomness.insecureForTests(74).entropy("laplace");
    for (int d = 0; d < draws; d++) {
      long[] state = new long[28];
      for (int from = 0; from < 28; from += 7) {
        long[] block = new long[7];
        mechanism.addNoise(block, from, entropy);
        System.arraycopy(block, 0, state, from, 7);
      }
      for (int k = 0; k < 28; k++) {
        sizes[k] += Math.abs(state[k]) / mechanism.noise().scale() - 1.0;
        signs[k] += Long.signum(state[k]) * Long.signum(state[(k + 1) % 28]);
      }
    }
    double critical = Alpha.z(2 * 28);
    for (int k = 0; k < 28; k++) {
      assertThat(Math.abs(sizes[k]) / Math.sqrt(draws)).isLessThan(critical);
      assertThat(Math.abs(signs[k]) / Math.sqrt(draws)).isLessThan(critical);
      assertThat((1.1 * sizes[k] + 0.1 * draws) / Math.sqrt(draws)).isGreaterThan(critical);
    }
    assertThat(mechanism.sigma()).isEqualTo(Math.sqrt(2.0) * mechanism.noise().scale());
  }

  @Test
  void contentsHaveTheScaleOfTheNoise() {
    StreamPlan plan = plan(Fixtures.schema(), Fixtures.BUDGET);
    FunctionalMoments mechanism = (FunctionalMoments) plan.sketch("s").mechanism();
    Release release = Release.of(plan, Fixtures.id("s"), Randomness.SYSTEM, new long[28]);
    Payload.Moments contents = (Payload.Moments) release.payload();
    double scale = mechanism.noise().scale() * mechanism.stepSize();
    assertThat(((MomentNoise.Laplace) contents.noise()).diagonalScale())
        .isCloseTo(scale, within(1e-14 * scale));
    assertThat(scale).isCloseTo(mechanism.sensitivity() / 1.0, within(1e-5 * scale));
    assertThat(plan.warnings())
        .singleElement()
        .asString()
        .contains("GZ-ENTRYWISE", "noisy-moments needs far less");
  }

  @Test
  void refusesLessNoiseThanClaimedAndMoreThanTheGridCarries() {
    FunctionalMoments right =
        (FunctionalMoments) plan(Fixtures.schema(), Fixtures.BUDGET).sketch("s").mechanism();
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new FunctionalMoments(
                    right.spec(),
                    right.sensitivity(),
                    right.epsilon(),
                    right.stepSize(),
                    RoundedLaplace.of(right.noise().scale() / 1.0001)))
        .withMessageStartingWith("scale must be at least sensitivity / epsilon = ");
    Budget tight = new Budget(1e-4, 1e-9, Neighbours.ADD_REMOVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(Fixtures.numbers(3, 1.0, 1.0), tight))
        .withMessageStartingWith("sketch s: scale of functional must be in [1024, 1.100e+12]")
        .withMessageEndingWith("give it more of epsilon");
    // Noise that is narrow against the grid is for counts only.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Noise.laplace(FunctionalMoments.NAME, 1023.0, 1.0))
        .withMessageEndingWith("give it less of epsilon");
  }
}

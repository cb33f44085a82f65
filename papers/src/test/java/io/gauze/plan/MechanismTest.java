package io.gauze.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.AdditiveMechanism;
import io.gauze.mechanism.EveryMechanism;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.SymmetricNoise;
import io.gauze.mechanism.moments.NoisyCountSketch;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.moments.StratifiedMomentsNoise;
import io.gauze.mechanism.papers.NoisyMultilevelSketch;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import io.gauze.sketch.CountSketchSpec;
import io.gauze.sketch.LinearSketch;
import io.gauze.sketch.SecondMomentsSpec;
import io.gauze.sketch.ShortenedMomentsSpec;
import io.gauze.sketch.SketchSpec;
import io.gauze.testing.Alpha;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class MechanismTest {
  static List<String> sketches() {
    return EveryMechanism.gaussians().sketches().stream().map(SketchPlan::name).toList();
  }

  private static AdditiveMechanism mechanism(String sketch) {
    return (AdditiveMechanism) EveryMechanism.gaussians().sketch(sketch).mechanism();
  }

  @Test
  void offDiagonalsGetHalfTheVariance() {
    AdditiveMechanism moments = mechanism("moments");
    SecondMomentsSpec spec = ((ShortenedMomentsSpec) moments.spec()).moments();
    assertThat(moments.noiseScale(28)).isEqualTo(moments.sigma());
    for (int i = 0; i < 7; i++) {
      for (int j = i; j < 7; j++) {
        double scale = moments.noiseScale(spec.index(i, j)) / moments.sigma();
        assertThat(scale).isCloseTo(i == j ? 1.0 : Math.sqrt(0.5), within(1e-14));
      }
    }
    AdditiveMechanism strata = mechanism("strata");
    for (int k = 0; k < 2 * 28; k++) {
      double scale = strata.noiseScale(k) / strata.sigma();
      double alone = moments.noiseScale(k % 28) / moments.sigma();
      assertThat(scale).isCloseTo(alone, within(1e-14));
    }
    for (String sketch : new String[] {"buckets", "levels"}) {
      AdditiveMechanism buckets = mechanism(sketch);
      for (int k = 0; k < buckets.spec().stateLength(); k++) {
        assertThat(buckets.noiseScale(k)).isEqualTo(buckets.sigma());
      }
    }
  }

  /**
   * Each entry of the noise has mean 0 and the variance of its place, and neighbouring entries do
   * not go together: z-tests of 3 statistics for each entry over 20,000 draws, together 1e-6. A
   * variance that is off by 15 %, as when an entry gets its neighbour's, would be noticed.
   */
  @ParameterizedTest
  @MethodSource("sketches")
  void noiseFollowsItsLaw(String sketch) {
    AdditiveMechanism mechanism = mechanism(sketch);
    int length = mechanism.spec().stateLength();
    int draws = 20_000;
    double[] sums = new double[length];
    double[] squares = new double[length];
    double[] products = new double[length];
    Entropy entropy = Randomness.insecureForTests(11).entropy(sketch);
    for (int d = 0; d < draws; d++) {
      long[] state = new long[length];
      mechanism.addNoise(state, 0, entropy);
      for (int k = 0; k < length; k++) {
        double z = state[k] / mechanism.noiseScale(k);
        int next = (k + 1) % length;
        sums[k] += z;
        squares[k] += z * z;
        products[k] += z * (state[next] / mechanism.noiseScale(next));
      }
    }
    double critical = Alpha.z(3 * length);
    for (int k = 0; k < length; k++) {
      assertThat(Math.abs(sums[k]) / Math.sqrt(draws)).isLessThan(critical);
      assertThat(Math.abs(products[k]) / Math.sqrt(draws)).isLessThan(critical);
      assertThat(Math.abs(squares[k] - draws) / Math.sqrt(2.0 * draws)).isLessThan(critical);
      assertThat(Math.abs(1.15 * squares[k] - draws) / Math.sqrt(2.0 * draws))
          .isGreaterThan(critical);
    }
  }

  /** A state may be noised block by block: the same samplers in the same places. */
  @ParameterizedTest
  @MethodSource("sketches")
  void blocksGetTheNoiseOfTheirPlace(String sketch) {
    AdditiveMechanism mechanism = mechanism(sketch);
    int length = mechanism.spec().stateLength();
    long[] whole = new long[length];
    mechanism.addNoise(whole, 0, Randomness.insecureForTests(12).entropy("whole"));
    Entropy entropy = Randomness.insecureForTests(12).entropy("whole");
    for (int from = 0; from < length; from += 5) {
      long[] block = new long[Math.min(5, length - from)];
      block[0] = 1000;
      mechanism.addNoise(block, from, entropy);
      block[0] -= 1000;
      assertThat(whole).containsSequence(block);
      assertThat(block[0]).isEqualTo(whole[from]);
    }
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> mechanism.addNoise(new long[2], length - 1, entropy));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> mechanism.noiseScale(length));
  }

  @Test
  void noiseFreeEntropyAddsNothing() {
    Entropy entropy = Randomness.noiseFreeForTests(1).entropy("noise");
    for (String sketch : sketches()) {
      AdditiveMechanism mechanism = mechanism(sketch);
      long[] state = new long[mechanism.spec().stateLength()];
      mechanism.addNoise(state, 0, entropy);
      assertThat(state).containsOnly(0L);
    }
  }

  /**
   * The state of the sketch moves by at most the sensitivity between neighbours, measured in the
   * norm in which the noise is round, for random rows and for the worst ones, which attain it.
   */
  @ParameterizedTest
  @MethodSource("sketches")
  void neighboursAreWithinTheSensitivity(String sketch) throws RowRejectedException {
    AdditiveMechanism mechanism = mechanism(sketch);
    double bound = Fixtures.schema().rowBound();
    double one = mechanism.spec().sensitivity(bound, Neighbours.ADD_REMOVE);
    double two = mechanism.spec().sensitivity(bound, Neighbours.REPLACE_ONE);
    SplittableRandom random = new SplittableRandom(13);
    double largest = 0.0;
    for (int i = 0; i < 2000; i++) {
      EncodedRow a = row(random);
      EncodedRow b = row(random);
      RowTag tag = new RowTag();
      tag.set(random.nextLong(), random.nextLong());
      LinearSketch<?> sum = mechanism.spec().zero();
      sum.add(tag, a, 1);
      double distance = distance(mechanism, sum.state());
      assertThat(distance).isLessThanOrEqualTo(one * (1 + 1e-12));
      largest = Math.max(largest, distance);
      sum.add(tag, b, -1);
      assertThat(distance(mechanism, sum.state())).isLessThanOrEqualTo(two * (1 + 1e-12));
    }
    // of lost weight only a row that lost all of it would attain its part
    double reached = sketch.equals("moments") ? Math.sqrt(0.98) : 1.0;
    assertThat(largest).isGreaterThan(0.999 * reached * one);
    double worst = 0.0;
    for (int i = 0; i < 100; i++) { // in one of eight, a row of levels is in all that it can be in
      RowTag tag = new RowTag();
      tag.set(random.nextLong(), random.nextLong());
      for (EncodedRow second : List.of(steps(1, 1), steps(6, -1))) { // orthogonal, opposite
        LinearSketch<?> difference = mechanism.spec().zero();
        difference.add(tag, steps(6, 1), 1);
        difference.add(tag, second, -1);
        worst = Math.max(worst, distance(mechanism, difference.state()));
      }
    }
    assertThat(worst).isBetween(0.999 * reached * two, 1.001 * reached * two);
  }

  /** Rows of the fixture beyond the bound, so that many are clipped. */
  private static EncodedRow row(SplittableRandom random) throws RowRejectedException {
    RowSchema schema = Fixtures.schema();
    RowEncoder encoder = new RowEncoder(schema);
    EncodedRow row = new EncodedRow(schema.dimension());
    encoder.begin();
    encoder.number(schema.fieldIndex("alcohol"), random.nextInt(3) * 3.5 + 8);
    encoder.number(schema.fieldIndex("quality"), random.nextDouble(0, 10));
    encoder.text(schema.fieldIndex("cut"), random.nextBoolean() ? "Fair" : "Ideal");
    encoder.text(schema.fieldIndex("sex"), random.nextBoolean() ? "Female" : "Male");
    encoder.text(schema.fieldIndex("region"), random.nextBoolean() ? "north" : "east");
    encoder.encode(row);
    return row;
  }

  /** A row of the bound's length along one axis. */
  private static EncodedRow steps(int axis, int sign) {
    RowSchema schema = Fixtures.schema();
    EncodedRow row = new EncodedRow(schema.dimension());
    row.values()[axis] = sign * (int) (schema.rowBound() / schema.grid().step());
    return row;
  }

  private static double distance(AdditiveMechanism mechanism, long[] state) {
    double sum = 0.0;
    for (int k = 0; k < state.length; k++) {
      double scaled = state[k] * mechanism.sigma() / mechanism.noiseScale(k);
      sum += scaled * scaled;
    }
    return Math.sqrt(sum) * mechanism.stepSize();
  }

  @Test
  void sensitivitiesAreTheProvedOnes() {
    SketchSpec moments = new SecondMomentsSpec(4);
    assertThat(moments.sensitivity(3, Neighbours.ADD_REMOVE)).isEqualTo(Math.nextUp(9.0));
    assertThat(moments.sensitivity(3, Neighbours.REPLACE_ONE))
        .isGreaterThan(9 * Math.sqrt(2))
        .isCloseTo(9 * Math.sqrt(2), within(1e-14));
    SketchSpec buckets = new CountSketchSpec(4, 8, 0);
    assertThat(buckets.sensitivity(3, Neighbours.ADD_REMOVE)).isEqualTo(3);
    assertThat(buckets.sensitivity(3, Neighbours.REPLACE_ONE)).isEqualTo(6);
    assertThat(Mechanisms.names()).contains("noisy-moments", "count-sketch");
  }

  @Test
  void refusesLessNoiseThanClaimed() {
    NoisyMoments moments = (NoisyMoments) mechanism("moments");
    SymmetricNoise noise = moments.noise();
    RoundedGaussian less = RoundedGaussian.of(noise.diagonal().sigma() / 1.0001);
    RoundedGaussian lessOff = RoundedGaussian.of(noise.offDiagonal().sigma() / 1.0001);
    for (SymmetricNoise wrong :
        new SymmetricNoise[] {
          new SymmetricNoise(noise.dimension(), less, noise.offDiagonal()),
          new SymmetricNoise(noise.dimension(), noise.diagonal(), lessOff)
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new NoisyMoments(
                      moments.spec(),
                      moments.sensitivity(),
                      moments.mu(),
                      moments.stepSize(),
                      wrong))
          .withMessageStartingWith("sigma must be at least sensitivity / mu = ");
    }
    StratifiedMomentsNoise strata = (StratifiedMomentsNoise) mechanism("strata");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new StratifiedMomentsNoise(
                    strata.spec(),
                    strata.by(),
                    strata.sensitivity(),
                    strata.mu() / 1.0001,
                    strata.stepSize(),
                    strata.noise(),
                    1))
        .withMessageStartingWith("sigma must be at least sensitivity / mu = ");
    NoisyMultilevelSketch levels = (NoisyMultilevelSketch) mechanism("levels");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new NoisyMultilevelSketch(
                    levels.spec(),
                    levels.sensitivity() * 1.0001,
                    levels.mu(),
                    levels.stepSize(),
                    levels.noise(),
                    1))
        .withMessageStartingWith("sigma must be at least sensitivity / mu = ");
    NoisyCountSketch buckets = (NoisyCountSketch) mechanism("buckets");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new NoisyCountSketch(
                    buckets.spec(),
                    buckets.sensitivity(),
                    buckets.mu() / 1.0001,
                    buckets.stepSize(),
                    buckets.noise(),
                    1))
        .withMessageStartingWith("sigma must be at least sensitivity / mu = ");
  }
}

package io.gauze.model.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Neighbours;
import io.gauze.model.ResidualStatistics;
import io.gauze.model.ResidualStatisticsSpec;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A model from release to release, against other software. */
final class ResidualFilterTest {
  private static final int FEATURES = 3;
  private static final ResidualStatisticsSpec SPEC =
      new ResidualStatisticsSpec(FEATURES, 1.0, 1.0, Neighbours.REPLACE_ONE);

  private long seed = 1;

  private double uniform() {
    seed = (seed * 1_103_515_245L + 12_345L) % (1L << 31);
    return Math.scalb((double) seed, -31);
  }

  /** The rows of an epoch, as residual_track.py has them. */
  private void add(ResidualStatistics statistics, double slope) {
    for (int i = 0; i < 400; i++) {
      double[] u = {uniform(), uniform(), uniform()};
      double[] x = {0.5, u[0] - 0.5, u[1] - 0.5};
      double outlier = i % 10 == 0 ? 0.9 : 0.0;
      statistics.add(x, slope * x[1] + 0.25 * x[2] + 0.1 * (u[2] - 0.5) + outlier);
    }
  }

  private ResidualTrack next(
      Optional<PreviousModel<ResidualTrack>> before, double slope, Entropy entropy) {
    ResidualFilter filter = ResidualFilter.of(SPEC, before);
    ResidualStatistics statistics = filter.statistics(entropy);
    add(statistics, slope);
    return filter.next(statistics.numbers());
  }

  private static List<double[]> reference() throws IOException {
    try (InputStream csv = ResidualFilterTest.class.getResourceAsStream("residual-track.csv")) {
      return new String(csv.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split(",")).stream().mapToDouble(Double::parseDouble).toArray())
          .toList();
    }
  }

  /** Exact statistics, at the thresholds of noise; a change of the model, and a lost epoch. */
  @Test
  void everyModelIsThatOfOtherSoftware() throws IOException {
    Entropy exact = Randomness.noiseFreeForTests(0).entropy("track");
    Optional<ResidualTrack> last = Optional.empty();
    for (double[] expected : reference()) {
      long since = (long) expected[1];
      ResidualTrack made =
          next(
              last.map(track -> new PreviousModel<>(track, since)),
              expected[0] < 8 ? 0.4 : -0.4,
              exact);
      for (int k = 0; k < FEATURES; k++) {
        assertThat(made.coefficients().get(k)).isCloseTo(expected[2 + k], within(1e-7));
      }
      assertThat(made.threshold()).isCloseTo(expected[2 + FEATURES], within(1e-7));
      assertThat(made.memory()).isEqualTo((int) expected[3 + FEATURES]);
      assertThat(made.epochsBefore()).isEqualTo(since);
      assertThat(made.count()).isEqualTo(400);
      assertThat(made.epochs()).isEqualTo((long) expected[0] + 1);
      last = Optional.of(ResidualTrack.of(FEATURES, made.numbers())); // as a release holds it
    }
  }

  /** What is released is all that the next epoch needs, and the statistics are among it. */
  @Test
  void aReleaseHoldsItsStatisticsAndItsCentre() {
    Entropy noise = Randomness.insecureForTests(3).entropy("track");
    ResidualTrack first = next(Optional.empty(), 0.4, noise);
    ResidualFilter filter = ResidualFilter.of(SPEC, Optional.of(new PreviousModel<>(first, 1)));
    ResidualStatistics statistics = filter.statistics(noise);
    add(statistics, 0.4);
    long[] numbers = statistics.numbers();
    ResidualTrack second = filter.next(numbers);
    assertThat(second.centre()).isEqualTo(first.coefficients());
    int at = 2 * FEATURES + 5;
    assertThat(second.numbers()).hasSize(ResidualTrack.length(FEATURES)).containsSequence(numbers);
    assertThat(Arrays.copyOfRange(second.numbers(), at, at + numbers.length)).isEqualTo(numbers);
    assertThat(filter.next(numbers)).as("a function of what is published").isEqualTo(second);
    assertThat(Math.abs(second.count() - 400)).isLessThan(1000);
  }

  /** Nothing but noise: the model does not walk. */
  @Test
  void epochsWithoutRowsLeaveTheModelWhereItIs() {
    Entropy noise = Randomness.insecureForTests(4).entropy("track");
    ResidualTrack last = next(Optional.empty(), 0.4, noise);
    for (int epoch = 0; epoch < 12; epoch++) {
      last = next(Optional.of(new PreviousModel<>(last, 1)), 0.4, noise);
    }
    double slope = last.coefficients().get(1);
    for (int epoch = 0; epoch < 3; epoch++) {
      ResidualFilter filter = ResidualFilter.of(SPEC, Optional.of(new PreviousModel<>(last, 1)));
      last = filter.next(filter.statistics(noise).numbers());
    }
    assertThat(last.coefficients().get(1)).isCloseTo(slope, within(0.1));
    assertThat(last.threshold()).isBetween(1e-3, 2.0);
  }

  @Test
  void badNumbersAreRefused() {
    ResidualTrack track = next(Optional.empty(), 0.4, Randomness.noiseFreeForTests(0).entropy(""));
    long[] numbers = track.numbers();
    assertThatIllegalArgumentException().isThrownBy(() -> ResidualTrack.of(4, numbers));
    long[] wide = numbers.clone();
    wide[0] = 1L << 40;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResidualTrack.of(FEATURES, wide))
        .withMessageContaining("coefficient");
    long[] infinite = numbers.clone();
    infinite[numbers.length - 1] = Double.doubleToLongBits(Double.POSITIVE_INFINITY);
    assertThatIllegalArgumentException().isThrownBy(() -> ResidualTrack.of(FEATURES, infinite));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PreviousModel<>(track, 0))
        .withMessageContaining("Provided value: 0");
  }
}

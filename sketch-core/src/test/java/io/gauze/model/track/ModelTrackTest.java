package io.gauze.model.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Neighbours;
import io.gauze.model.ModelLoss;
import io.gauze.model.ModelRows;
import io.gauze.model.ObjectiveSpec;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.testing.Alpha;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Shares of epsilon, the law of the number of rows, and what an epoch needs of those before. */
final class ModelTrackTest {
  private static final double THRESHOLD = 0.0625;
  private static final double SQUARE = 0.1;
  private static final int FEATURES = 4;

  private static ModelTrack track(double epsilon, Neighbours neighbours) {
    Budget budget = new Budget(epsilon, 1e-6, neighbours);
    return ModelTrack.of(new ModelLoss.Huber(THRESHOLD), 1.0, FEATURES, SQUARE, budget);
  }

  private static ModelRows rows(ModelTrack track, int count, double slope, long seed) {
    ModelRows rows = track.rows();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      double[] row = {0.5, random.nextDouble(-0.5, 0.5), random.nextDouble(-0.5, 0.5), 0.1};
      rows.add(row, slope * row[1] + 0.05 * random.nextGaussian());
    }
    return rows;
  }

  private static Entropy noise(long seed) {
    return Randomness.insecureForTests(seed).entropy("track");
  }

  /** A row that moves costs a removal and an addition, with the number of rows in both cells. */
  @Test
  void twoCellsCostEpsilon() {
    for (double epsilon : new double[] {0.1, 1.0, 5.0}) {
      ModelTrack track = track(epsilon, Neighbours.REPLACE_ONE);
      double ofCount = 1.0 / track.count().scale();
      double removal = 0.65 * 0.95 * epsilon + ofCount;
      double addition = 0.35 * 0.95 * epsilon + ofCount;
      assertThat(track.removalDelta(removal)).isLessThan(1e-20);
      assertThat(track.additionDelta(addition)).isLessThan(1e-20);
      assertThat(track.removalDelta(0.99 * removal)).isGreaterThan(1e-4 * epsilon);
      assertThat(removal + addition).isCloseTo(epsilon, within(1e-9 * epsilon));
    }
  }

  /**
   * Half of the noisy numbers are within ln 2 scales of the exact one: a z-test of 20,000 runs,
   * which a scale that is a tenth too small fails by 6 deviations and more.
   */
  @Test
  void theNumberOfRowsHasNoiseOfItsScale() {
    ModelTrack track = track(1.0, Neighbours.REPLACE_ONE);
    Entropy entropy = noise(5);
    ModelRows rows = rows(track, 3, 0.0, 1);
    int runs = 20_000;
    int near = 0;
    for (int run = 0; run < runs; run++) {
      TrackedModel model = track.fit(rows, Optional.empty(), entropy);
      near += Math.abs(model.count() - 3) < Math.log(2.0) * 40.0 ? 1 : 0;
    }
    // |round(X)| <= 27 has the probability 1 - exp(-27.5 / 40)
    double p = -Math.expm1(-27.5 / 40.0);
    double z = (near - runs * p) / Math.sqrt(runs * p * (1 - p));
    assertThat(Math.abs(z)).isLessThan(Alpha.z(1));
  }

  /** The filter, written down once more, from the numbers of releases and the config alone. */
  @Test
  void anEpochNeedsTheReleaseBeforeAlone() {
    ModelTrack track = track(1.0, Neighbours.REPLACE_ONE);
    Entropy entropy = noise(6);
    Optional<PreviousModel<TrackedModel>> last = Optional.empty();
    int[] counts = {3000, 10, 0, 4000, 2500, 5000};
    for (int epoch = 0; epoch < counts.length; epoch++) {
      ModelRows rows = rows(track, counts[epoch], epoch < 3 ? 0.4 : -0.4, epoch);
      long since = epoch == 3 ? 2 : 1; // one was lost
      TrackedModel made =
          track.fit(rows, last.map(each -> new PreviousModel<>(each.model(), since)), entropy);
      check(track, last, since, made);
      last = Optional.of(new PreviousModel<>(TrackedModel.of(made.numbers()), 1));
    }
  }

  private static void check(
      ModelTrack track, Optional<PreviousModel<TrackedModel>> last, long since, TrackedModel made) {
    int bits = track.calibration().outputBits();
    double p = last.map(each -> each.model().variance()).orElse(0.25);
    double q = last.map(each -> each.model().drift()).orElse(1e-6);
    double before = last.isPresent() ? Math.min(0.25, p + since * q) : 0.25;
    double n = made.count();
    double rows = n > 2 * Math.sqrt(2) * 40 ? n : Math.max(1, n / 4);
    double information = 0.75 * rows * SQUARE;
    double s = track.calibration().scale();
    double var = (FEATURES + 1) * s * s + 0.3 * THRESHOLD * THRESHOLD * rows * SQUARE;
    double sd = Math.sqrt(FEATURES + 1) * s;
    double ridge =
        Math.max(track.calibration().lambda(), Math.max(var / (information * before), 5.0 * sd));
    assertThat(made.ridge()).isCloseTo(ridge, within(1e-6 * ridge));
    assertThat(made.epochsBefore()).isEqualTo(last.isPresent() ? since : 0);
    double d2 = 0.0;
    for (int k = 0; k < FEATURES; k++) {
      double from = last.isPresent() ? last.get().model().centre(bits).get(k) : 0.0;
      double step = made.centre(bits).get(k) - from;
      d2 += step * step / FEATURES;
    }
    double gain = information / (information + ridge);
    double hidden = track.calibration().outputScale() / gain;
    double error = var / (information * information) + 2 * hidden * hidden;
    double z = d2 / (gain * gain * (before + error));
    double changed = Math.min(0.25, z * (before + error) - error) + error;
    double times = changed / (before + error); // where no change is likelier, at most 1
    boolean forget = times > 1 && z * (1 - 1 / times) - Math.log(times) >= 2 - Math.log(3);
    double next =
        forget ? d2 / (gain * gain) : (1 - gain) * (1 - gain) * before + gain * gain * error;
    assertThat(made.variance()).isCloseTo(Math.min(0.25, next), within(1e-9));
    double drift = Math.max(1e-8, Math.min(1e-2, q * Math.exp(0.15 * (Math.min(z, 3) - 1))));
    assertThat(made.drift()).isCloseTo(drift, within(1e-12));
  }

  /** A change of the slope is followed in two epochs; what stays gets better with each epoch. */
  @Test
  void aModelRemembersAndFollows() {
    ModelTrack track = track(1.0, Neighbours.REPLACE_ONE);
    Entropy entropy = noise(7);
    Optional<PreviousModel<TrackedModel>> last = Optional.empty();
    double[] slopes = new double[24];
    for (int epoch = 0; epoch < slopes.length; epoch++) {
      double slope = epoch < 20 ? 0.4 : -0.4;
      TrackedModel made = track.fit(rows(track, 5000, slope, 100 + epoch), last, entropy);
      slopes[epoch] = made.centre(track.calibration().outputBits()).get(1);
      last = Optional.of(new PreviousModel<>(made, 1));
    }
    assertThat(slopes[19]).isCloseTo(0.4, within(0.01));
    assertThat(slopes[22]).isCloseTo(-0.4, within(0.04));
  }

  /**
   * In 3,000 epochs without rows: where the ridge allows no step, what hides the solver is no sign
   * of a change.
   */
  @Test
  void theNoiseThatHidesTheSolverIsNoChange() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    ModelTrack track = ModelTrack.of(new ModelLoss.Huber(THRESHOLD), 1.0, 11, 0x1p-10, budget);
    Entropy entropy = noise(8);
    TrackedModel settled =
        TrackedModel.of(new long[11], 5000, 1e-6, 1e-8, track.calibration().lambda() + 1, 1);
    for (int run = 0; run < 3000; run++) {
      TrackedModel next =
          track.fit(track.rows(), Optional.of(new PreviousModel<>(settled, 1)), entropy);
      assertThat(next.variance()).isLessThan(1e-3);
    }
  }

  /**
   * What is refused must not depend on the noisy number of rows, nor on what was published: a fit
   * that is tried again would show it.
   */
  @Test
  void theLimitOfRowsIsOneForAllRidges() {
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    ModelTrack track = ModelTrack.of(new ModelLoss.Huber(0.001), 0x1p-6, 18, 0x1p-20, budget);
    ModelRows rows = track.rows();
    double[] row = new double[18];
    for (int i = 0; i <= track.mostRows(); i++) {
      rows.add(row, 0.0);
    }
    for (int seed = 0; seed < 5; seed++) {
      Entropy entropy = noise(seed);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> track.fit(rows, Optional.empty(), entropy))
          .withMessageContaining("rows must be at most " + track.mostRows() + ",");
    }
  }

  @Test
  void aFitForAnotherRelationIsRefused() {
    Budget moved = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    Budget removed = new Budget(0.9, 1e-7, Neighbours.ADD_REMOVE);
    ObjectiveSpec spec = ObjectiveSpec.of(FEATURES, 1.0, new ModelLoss.Huber(0.1), removed);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ModelTrack.of(spec, moved, SQUARE))
        .withMessageContaining("the neighbours of the budget");
  }

  @Test
  void equalNumbersGiveEqualModelsAndOthersAreRefused() {
    ModelTrack track = track(1.0, Neighbours.ADD_REMOVE);
    ModelRows rows = rows(track, 500, 0.3, 9);
    Entropy none = Randomness.noiseFreeForTests(1).entropy("none");
    TrackedModel first = track.fit(rows, Optional.empty(), none);
    assertThat(first.count()).isEqualTo(500);
    PreviousModel<TrackedModel> read = new PreviousModel<>(TrackedModel.of(first.numbers()), 1);
    assertThat(track.fit(rows, Optional.of(read), none))
        .isEqualTo(track.fit(rows, Optional.of(new PreviousModel<>(first, 1)), none));
    long[] broken = first.numbers();
    broken[FEATURES + 1] = 0;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrackedModel.of(broken))
        .withMessageContaining("variance must be in");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PreviousModel<>(first, 0))
        .withMessageContaining("epochsBefore");
  }
}

package io.gauze.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.gauze.accounting.Budget;
import io.gauze.accounting.Guarantee;
import io.gauze.accounting.Neighbours;
import io.gauze.mechanism.select.SelectFit;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.testing.Alpha;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of which one checkpoint may be stolen. */
final class LeakProtectionTest {
  private static final Map<String, Map<String, String>> OPTIONS =
      Map.of(
          "count-sketch", Map.of("buckets", "4"),
          "multilevel-l1",
              Map.of("rows", "6", "levels", "2", "samplingBase", "2", "level0Buckets", "2"),
          "stratified-moments", Map.of("strata", "2"));

  private static StreamRequest request(String mechanism) {
    SketchRequest sketch =
        new SketchRequest("s", mechanism, 1.0, OPTIONS.getOrDefault(mechanism, Map.of()));
    Budget budget = new Budget(1.0, 1e-6, Neighbours.REPLACE_ONE);
    return Fixtures.request(Fixtures.numbers(2, 0.5, 1.5), budget, sketch);
  }

  /** The state is as noisy as without, so that either noise alone keeps the budget. */
  @ParameterizedTest
  @MethodSource("io.gauze.mechanism.Mechanisms#additive")
  void aReleaseHasTwiceTheVariance(String name) {
    StreamPlan once = StreamPlan.of(request(name));
    StreamPlan twice = StreamPlan.of(request(name).withCheckpointLeaks(1));
    AdditiveMechanism one = (AdditiveMechanism) once.sketch("s").mechanism();
    LeakProtection two = (LeakProtection) twice.sketch("s").mechanism();
    assertThat(two.inner().sigma() / one.sigma()).isCloseTo(1.0, within(1e-9));
    assertThat(two.cost()).isEqualTo(two.inner().cost());
    assertThat(two.sigma()).isEqualTo(Math.sqrt(2.0) * two.inner().sigma());
    assertThat(two.noiseInState()).isTrue();
    assertThat(two.parameters()).containsEntry("checkpointLeaks", 1.0);
    assertThat(two.noiseLaw()).startsWith("the sum of two independent noises");
    assertThat(twice.samplerDistance()).isEqualTo(2.0 * once.samplerDistance());
    assertThat(twice.series("PT1H")).isNotEqualTo(once.series("PT1H"));
  }

  /**
   * The state's noise and what the release adds are independent of each other, each of the
   * mechanism's own law: z-tests of the two variances and the product of the two for each of D
   * entries over 20,000 draws, 1e-6 for all. A release without a second noise is seen.
   */
  @ParameterizedTest
  @MethodSource("io.gauze.mechanism.Mechanisms#additive")
  void bothNoisesFollowTheirLaw(String name) {
    LeakProtection mechanism =
        (LeakProtection)
            StreamPlan.of(request(name).withCheckpointLeaks(1)).sketch("s").mechanism();
    int length = mechanism.spec().stateLength();
    int draws = 20_000;
    double[][] sums = new double[3][length];
    Entropy birth = Randomness.insecureForTests(21).entropy("birth");
    Entropy seal = Randomness.insecureForTests(21).entropy("seal");
    for (int d = 0; d < draws; d++) {
      long[] state = new long[length];
      mechanism.addNoise(state, 0, birth);
      long[] release = mechanism.release(state.clone(), seal);
      for (int k = 0; k < length; k++) {
        double scale = mechanism.inner().noiseScale(k);
        double first = state[k] / scale;
        double second = (release[k] - state[k]) / scale;
        sums[0][k] += first * first - 1.0;
        sums[1][k] += second * second - 1.0;
        sums[2][k] += first * second;
      }
    }
    double critical = Alpha.z(3 * length);
    for (int k = 0; k < length; k++) {
      assertThat(Math.abs(sums[0][k]) / Math.sqrt(2.0 * draws)).isLessThan(critical);
      assertThat(Math.abs(sums[1][k]) / Math.sqrt(2.0 * draws)).isLessThan(critical);
      assertThat(Math.abs(sums[2][k]) / Math.sqrt(draws)).isLessThan(critical);
    }
    assertThat(draws / Math.sqrt(2.0 * draws)).isGreaterThan(critical);
  }

  /** Readers find the whole noise in a release. */
  @ParameterizedTest
  @MethodSource("io.gauze.mechanism.Mechanisms#additive")
  void aReleaseSaysBothTogether(String name) {
    StreamPlan plan = StreamPlan.of(request(name).withCheckpointLeaks(1));
    Mechanism mechanism = plan.sketch("s").mechanism();
    long[] state = mechanism.spec().zero().state();
    mechanism.addNoise(state, 0, Randomness.SYSTEM.entropy("birth"));
    Release release =
        Release.of(
            plan,
            new ReleaseId("wine", "all", "1", "s"),
            Randomness.SYSTEM,
            mechanism.release(state, Randomness.SYSTEM.entropy("seal")));
    Release read = Release.fromBytes(release.toBytes());
    assertThat(read).isEqualTo(release);
    assertThat(read.sigma()).isEqualTo(mechanism.sigma() * mechanism.stepSize());
    assertThat(read.payload().toString()).contains("=" + read.sigma());
    assertThat(read.isOf(plan)).isTrue();
    assertThat(read.isOf(StreamPlan.of(request(name)))).isFalse();
  }

  @Test
  void theGuaranteeSaysWhatIsKept() {
    Guarantee guarantee =
        StreamPlan.of(request("noisy-moments").withCheckpointLeaks(1)).guarantee(Randomness.SYSTEM);
    assertThat(guarantee.checkpoint())
        .startsWith(
            "One stolen checkpoint or savepoint, once in the life of the stream, and all releases"
                + " together keep this guarantee, but for the exact numbers of rows read so far")
        .endsWith("Two checkpoints give away the exact sum of the rows between them.");
    assertThat(guarantee.assumptions())
        .contains(
            "nothing but releases and one checkpoint is seen: no second checkpoint, rejected or"
                + " late row, log, metric or timing");
    BudgetScope user = BudgetScope.users("customer", 4);
    assertThat(
            StreamPlan.of(request("noisy-moments").withCheckpointLeaks(1).withScope(user))
                .guarantee(Randomness.SYSTEM)
                .checkpoint())
        .startsWith("NOT COVERED: a checkpoint or savepoint holds, under a hash of each user's id")
        .contains("One stolen checkpoint");
  }

  @Test
  void othersAreRefusedWithAReason() {
    List<String> others = new ArrayList<>(Mechanisms.names());
    others.removeAll(Mechanisms.additive());
    Set<String> ofRows = new TreeSet<>(Mechanisms.models());
    ofRows.removeAll(List.of("objective-perturbation", "frank-wolfe", "iht", "peeling"));
    ofRows.addAll(List.of(SelectFit.NAME, TwoStageMoments.NAME, TwoStageStrata.NAME));
    for (String mechanism : others) {
      String reason =
          ofRows.contains(mechanism)
              ? ", of which checkpoints hold no sums that a second noise could hide"
              : ", since a second noise is for sums that have Gaussian noise from the beginning:"
                  + " those of "
                  + String.join(", ", Mechanisms.additive());
      assertThatIllegalArgumentException()
          .isThrownBy(() -> StreamPlan.of(request(mechanism).withCheckpointLeaks(1)))
          .withMessage(
              (Mechanisms.models().contains(mechanism) ? "model" : "sketch")
                  + " s: checkpointLeaks must be 0 for "
                  + mechanism
                  + reason
                  + ". Provided value: 1");
    }
    StreamRequest keys = request("noisy-moments").withScope(BudgetScope.keys(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPlan.of(keys.withCheckpointLeaks(1)))
        .withMessage(
            "sketch s: checkpointLeaks must be 0 for unit key, whose sums have no noise until they"
                + " are released. Provided value: 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> keys.withCheckpointLeaks(2))
        .withMessage("checkpointLeaks must be 0 or 1. Provided value: 2");
  }
}

package io.gauze.mechanism.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gauze.accounting.MechanismCost;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.PreviousRelease;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.row.RowSchema;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class IrlsTrackTest {
  private static final SketchRequest MODEL =
      new SketchRequest("model", IrlsTrack.NAME, 1.0, Map.of());

  private static StreamPlan plan(RowSchema schema, SketchRequest... sketches) {
    return StreamPlan.of(Fixtures.request(schema, Fixtures.BUDGET, sketches));
  }

  /** A model beside a sketch of equal weight has half of the squared mu. */
  @Test
  void itsBudgetIsThatOfAGaussianMechanism() {
    RowSchema schema = Fixtures.numbers(3, 0.5, 1.0);
    IrlsTrack alone = (IrlsTrack) plan(schema, MODEL).sketch("model").mechanism();
    IrlsTrack shared =
        (IrlsTrack) plan(schema, MODEL, Fixtures.MOMENTS).sketch("model").mechanism();
    assertThat(alone.cost()).isEqualTo(new MechanismCost.Gaussian(alone.statistics().mu()));
    double share = shared.statistics().mu() / alone.statistics().mu();
    assertThat(share * share).isBetween(0.499, 0.501);
  }

  /** Nothing is in the state but where rows are; beside sums a checkpoint shows what sums show. */
  @Test
  void itsCheckpointsHoldNoSums() {
    RowSchema schema = Fixtures.numbers(3, 0.5, 1.0);
    assertThat(checkpoint(plan(schema, MODEL)))
        .startsWith("A stolen checkpoint holds no row and no sum of rows.");
    assertThat(checkpoint(plan(schema, MODEL, Fixtures.MOMENTS)))
        .contains("it gives away the exact sum of the rows in between")
        .contains("between which offsets of the log");
  }

  private static String checkpoint(StreamPlan plan) {
    return plan.guarantee(Randomness.SYSTEM).checkpoint();
  }

  @Test
  void moreThan64FeaturesAreRefused() {
    assertThat(plan(Fixtures.numbers(64, 0.5, 1.0), MODEL).sketches()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(Fixtures.numbers(65, 0.5, 1.0), MODEL))
        .withMessageContaining("features must be at most 64")
        .withMessageContaining("Provided value: 65");
  }

  @Test
  void epochsThatAreTooSmallAreWarnedOf() {
    RowSchema schema = Fixtures.numbers(12, 0.5, 1.0);
    StreamRequest many = Fixtures.request(schema, Fixtures.BUDGET, MODEL);
    assertThat(StreamPlan.of(many).warnings()).isEmpty();
    assertThat(StreamPlan.of(many.withExpectedRows(100)).warnings())
        .anyMatch(warning -> warning.action().contains("a larger epsilon, or huber-track"));
  }

  @Test
  void aReleaseOfAnotherLengthIsNoBeginning() {
    IrlsTrack track =
        (IrlsTrack) plan(Fixtures.numbers(3, 0.5, 1.0), MODEL).sketch("model").mechanism();
    PreviousRelease other = PreviousRelease.of(new long[] {1, 2}, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> track.begin(Optional.of(other), Randomness.noiseFreeForTests(0).entropy("")))
        .withMessageContaining("numbers");
  }
}

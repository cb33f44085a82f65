package io.gauze.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.mechanism.ReleaseId;
import io.gauze.mechanism.SketchRequest;
import io.gauze.noise.Randomness;
import io.gauze.pipeline.OperatorFixture;
import io.gauze.plan.StreamPlan;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Epochs of a second with a sketch and a model. */
final class UnreleasedEpochsTest {
  private static final SketchJobSettings SETTINGS =
      OperatorFixture.settings(
              StreamPlan.of(
                  OperatorFixture.plan(1, 512)
                      .request()
                      .withSketches(
                          List.of(
                              new SketchRequest("moments", "noisy-moments", 1, Map.of()),
                              new SketchRequest("model", "huber", 1, Map.of())))),
              OperatorFixture.SECONDS)
          .from(5);

  private static ReleaseId id(String sketch, long epoch) {
    return new ReleaseId(
        SETTINGS.plan().stream(), ReleaseId.ALL, SETTINGS.schedule().label(epoch), sketch);
  }

  @Test
  void anEpochIsOldestUntilItsLastRelease() {
    UnreleasedEpochs epochs = new UnreleasedEpochs(SETTINGS);
    assertThat(epochs.oldestMillis()).isEqualTo(5000);
    for (long epoch = 5; epoch < 9; epoch++) {
      epochs.add(id("moments", epoch));
      epochs.add(id("moments", epoch)); // again after a restart
    }
    epochs.add(id("model", 6));
    assertThat(epochs.oldestMillis()).as("the model is behind").isEqualTo(5000);
    epochs.add(id("model", 5));
    assertThat(epochs.oldestMillis()).isEqualTo(7000);
    epochs.add(id("model", 4));
    assertThat(epochs.oldestMillis()).isEqualTo(7000);
  }

  @Test
  void whatIsKnownAtTheStartOrInTheLedgerCounts() {
    String known = id("moments", 5).toString();
    UnreleasedEpochs epochs =
        new UnreleasedEpochs(
            SETTINGS.withPublished(Set.of(known, id("model", 5).toString(), "x/all/all/moments")));
    assertThat(epochs.oldestMillis()).isEqualTo(6000);
    List<LedgerPosition> lines = new ArrayList<>();
    lines.add(line(id("moments", 6), LedgerEntry.State.PUBLISHED));
    lines.add(line(id("model", 6), LedgerEntry.State.SPENT));
    epochs.add(LedgerBook.of(lines));
    assertThat(epochs.oldestMillis()).as("it may still be sent").isEqualTo(6000);
    lines.add(line(id("model", 6), LedgerEntry.State.PUBLISHED));
    epochs.add(LedgerBook.of(lines));
    assertThat(epochs.oldestMillis()).isEqualTo(7000);
  }

  @Test
  void completeEpochsCount() {
    LedgerBook book = LedgerBook.of(List.of());
    CompleteEpochs.add(book, SETTINGS, 5);
    CompleteEpochs.add(book, SETTINGS, 7);
    UnreleasedEpochs epochs = new UnreleasedEpochs(SETTINGS);
    epochs.add(id("moments", 6));
    epochs.add(book);
    assertThat(epochs.oldestMillis()).isEqualTo(6000);
    epochs.add(id("model", 6));
    assertThat(epochs.oldestMillis()).as("the next one is complete").isEqualTo(8000);
    UnreleasedEpochs again =
        new UnreleasedEpochs(
            SETTINGS.withPublished(book.held(SETTINGS.plan().stream(), entry -> true)));
    again.add(id("model", 6));
    again.add(id("moments", 6));
    assertThat(again.oldestMillis()).isEqualTo(8000);
  }

  private static LedgerPosition line(ReleaseId id, LedgerEntry.State state) {
    LedgerEntry entry =
        new LedgerEntry(
            id,
            "0".repeat(64),
            state,
            SETTINGS.series(),
            SETTINGS.plan().guarantee(Randomness.SYSTEM),
            SETTINGS.terms());
    return new LedgerPosition(entry, 0, 0);
  }
}

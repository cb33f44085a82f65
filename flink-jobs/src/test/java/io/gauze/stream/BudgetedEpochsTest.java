package io.gauze.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.config.StreamConfig;
import io.gauze.ledger.LedgerBook;
import io.gauze.ledger.LedgerEntry;
import io.gauze.ledger.LedgerPosition;
import io.gauze.ledger.LedgerRequest;
import io.gauze.mechanism.ReleaseId;
import io.gauze.plan.StreamPlan;
import io.gauze.publish.EpochBegin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** How far the total budget of a stream of users reaches, by the config and by the ledger. */
final class BudgetedEpochsTest {
  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-03-01T10:20:30Z");

  @Test
  void countsFromTheFirstEpochThatTheLedgerLacks() throws Exception {
    StreamConfig config = config(", from: " + FROM);
    BudgetedEpochs file = file(config);
    BudgetedEpochs less = less(config, "2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z");

    assertThat(file.left()).isEmpty();
    assertThat(file.until()).contains(FROM.plus(Duration.ofHours(file.all())));
    assertThat(less.left()).contains(file.all() - 2);
    assertThat(less.until()).as("which is no other time").isEqualTo(file.until());
    assertThat(less.text())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                "%d epochs, of which the ledger leaves %d epochs, until %s",
                file.all(),
                file.all() - 2,
                file.until().orElseThrow()));
  }

  /** What began before goes on where it was; what has not begun begins now. */
  @Test
  void withoutFromAStreamBeginsNowOrHasBegun() throws Exception {
    StreamConfig config = config("");
    Instant hour = Instant.parse("2026-03-01T10:00:00Z");
    int all = file(config).all();

    assertThat(file(config).until()).contains(hour.plus(Duration.ofHours(all)));
    assertThat(less(config, "2026-03-01T08:00:00Z").until())
        .contains(hour.plus(Duration.ofHours(all - 2)));
  }

  private static BudgetedEpochs file(StreamConfig config) {
    return BudgetedEpochs.of(config, StreamSettings.plan(config), NOW).orElseThrow();
  }

  private static BudgetedEpochs less(StreamConfig config, String... epochs) throws Exception {
    StreamPlan plan = StreamSettings.plan(config);
    SketchJobSettings job = StreamSettings.job(config, plan, NOW);
    LedgerRequest charge = job.charge();
    LedgerBook book = LedgerBook.of(List.of());
    for (String epoch : epochs) {
      LedgerEntry entry =
          new LedgerEntry(
              new ReleaseId("meters", "all", epoch, "moments"),
              "0".repeat(64),
              LedgerEntry.State.SPENT,
              job.series(),
              charge.guarantee(),
              charge.terms());
      book.add(new LedgerPosition(entry, 0, 0));
    }
    return file(config).less(book, job, EpochBegin.of(book, job).first());
  }

  private static StreamConfig config(String from) throws Exception {
    return StreamConfig.parse(
        "meters.yaml",
        String.join(
            "\n",
            "stream: meters",
            "columns: [{name: kwh, lower: 0, upper: 8}]",
            "privacy: {epsilon: 1, delta: 1.0e-6, neighbours: add-remove,"
                + " unit: {user: id, rowsPerEpoch: 2}, totalBudget: {epsilon: 8, delta: 1.0e-5}}",
            "epochs: {length: PT1H" + from + "}",
            "sketches: [{name: moments, mechanism: noisy-moments}]",
            "kafka: {bootstrap: 'localhost:9092', rows: {key: record}}"));
  }
}

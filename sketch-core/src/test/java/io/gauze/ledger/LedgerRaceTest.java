package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.PrivacyAccount;
import io.gauze.mechanism.ReleaseId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Streams of one account that ask, write, ask again and publish in random order, with crashes,
 * restarts and compaction of the log in between.
 */
final class LedgerRaceTest {
  private static final int RUNS = 800;

  @Test
  void whatGoesOutAlwaysFits() {
    SplittableRandom random = new SplittableRandom(5);
    int sent = 0;
    int stopped = 0;
    for (int run = 0; run < RUNS; run++) {
      Model model = new Model(random, true);
      model.run();
      assertThat(model.overdrawn()).as("run %d", run).isFalse();
      assertThat(model.sent).as("run %d: the first goes on", run).isNotEmpty();
      sent += model.sent.size();
      stopped += model.stopped;
    }
    assertThat(sent).isGreaterThan(RUNS);
    assertThat(stopped).isGreaterThan(RUNS);
  }

  /** Twin: without the second question two streams that ask at once both go on. */
  @Test
  void theSecondQuestionIsNeeded() {
    SplittableRandom random = new SplittableRandom(5);
    int overdrawn = 0;
    for (int run = 0; run < RUNS; run++) {
      Model model = new Model(random, false);
      model.run();
      overdrawn += model.overdrawn() ? 1 : 0;
    }
    assertThat(overdrawn).isGreaterThan(RUNS / 10);
  }

  /** Four streams of epsilon 1 whose total budgets have room for one to four. */
  private static final class Model {
    private static final int STREAMS = 4;
    private static final int OUT = 6;

    private final SplittableRandom random;
    private final boolean askAgain;
    private final List<LedgerRequest> streams = new ArrayList<>();
    private final int[] step = new int[STREAMS];
    private final List<LedgerPosition> log = new ArrayList<>();
    private final Set<LedgerRequest> sent = new LinkedHashSet<>();
    private int stopped;
    private boolean compacted;

    Model(SplittableRandom random, boolean askAgain) {
      this.random = random;
      this.askAgain = askAgain;
      double[] totalBudgets = {1, 1.5, 1.9, 2.3};
      for (int i = 0; i < STREAMS; i++) {
        double totalBudget = totalBudgets[random.nextInt(totalBudgets.length)];
        streams.add(LedgerLines.charge("s" + i, 1, totalBudget));
      }
    }

    void run() {
      for (int moves = 0; moves < 60; moves++) {
        int i = random.nextInt(STREAMS);
        if (random.nextInt(12) == 0) {
          step[i] = step[i] < OUT ? 0 : step[i]; // a crash, and a restart
        } else {
          move(i);
        }
        compacted |= random.nextInt(10) == 0;
      }
      for (int i = 0; i < STREAMS * OUT; i++) {
        move(i % STREAMS);
      }
    }

    private void move(int i) {
      LedgerRequest charge = streams.get(i);
      boolean written = log.stream().anyMatch(line -> of(line, charge));
      switch (step[i]) {
        case 0 -> ask(i);
        case 1 -> {
          if (!written) {
            log.add(LedgerLines.spent(charge, log.size()));
          }
          step[i] = 2;
        }
        case 2 -> {
          step[i] = 3;
          if (askAgain) {
            ask(i);
          }
        }
        case 3 -> {
          sent.add(charge);
          step[i] = 4;
        }
        case 4 -> {
          log.add(LedgerLines.published(charge, log.size()));
          step[i] = 5;
        }
        default -> {}
      }
    }

    /** To the next step, or out. */
    private void ask(int i) {
      if (book().refusal(streams.get(i)).isPresent()) {
        step[i] = OUT;
        stopped++;
      } else {
        step[i] = step[i] == 0 ? 1 : 3;
      }
    }

    private LedgerBook book() {
      Map<ReleaseId, LedgerPosition> lines = new HashMap<>();
      for (LedgerPosition line : log) {
        lines.merge(
            line.entry().id(), line, compacted ? (old, last) -> last : LedgerPosition::then);
      }
      return LedgerBook.of(lines.values());
    }

    private static boolean of(LedgerPosition line, LedgerRequest charge) {
      return line.entry().id().stream().equals(charge.key().stream());
    }

    boolean overdrawn() {
      PrivacyAccount account =
          PrivacyAccount.of(sent.stream().map(LedgerRequest::spending).toList());
      return sent.stream().anyMatch(charge -> !account.fits(charge.terms().totalBudget()));
    }
  }
}

package io.gauze.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyAccount;
import io.gauze.accounting.Spend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Streams of several epochs that crash, or are stopped, and start again with a larger or a smaller
 * totalBudget: whatever the order of their steps, what is out keeps every limit that the ledger
 * holds for something that is out.
 */
final class TotalBudgetRaceTest {
  private static final int RUNS = 400;
  private static final int STREAMS = 3;
  private static final int EPOCHS = 3;
  private static final int STOPPED = 5;
  private static final double[] TOTAL_BUDGETS = {1, 1.5, 1.9};

  private final SplittableRandom random = new SplittableRandom(6);
  private final double[] totalBudget = new double[STREAMS];
  private final int[] epoch = new int[STREAMS];
  private final int[] step = new int[STREAMS];
  private final List<LedgerPosition> log = new ArrayList<>();
  private final Set<Integer> out = new TreeSet<>();
  private final List<Budget> promised = new ArrayList<>();
  private boolean compacted;

  @Test
  void everyLimitIsKeptWhateverTheConfigBecomes() {
    int sent = 0;
    int together = 0;
    for (int run = 0; run < RUNS; run++) {
      start();
      for (int moves = 0; moves < 100; moves++) {
        int i = random.nextInt(STREAMS);
        if (random.nextInt(8) == 0) {
          step[i] = 0;
          totalBudget[i] = anyTotalBudget();
        } else {
          move(i);
        }
        compacted |= random.nextInt(20) == 0;
      }
      assertThat(overdrawn()).as("run %d", run).isFalse();
      sent += promised.size();
      together += out.size() > 1 ? 1 : 0;
    }
    assertThat(sent).isGreaterThan(2 * RUNS);
    assertThat(together).isGreaterThan(RUNS / 10);
  }

  private void start() {
    Arrays.setAll(totalBudget, i -> anyTotalBudget());
    Arrays.fill(epoch, 0);
    Arrays.fill(step, 0);
    log.clear();
    out.clear();
    promised.clear();
    compacted = false;
  }

  private double anyTotalBudget() {
    return TOTAL_BUDGETS[random.nextInt(TOTAL_BUDGETS.length)];
  }

  private LedgerRequest charge(int i) {
    return LedgerLines.charge("s" + i, 1, totalBudget[i]);
  }

  private void move(int i) {
    if (epoch[i] == EPOCHS) {
      return;
    }
    String id = "s" + i + "/all/" + epoch[i] + "/moments";
    LedgerPosition held = lines().get(id);
    switch (step[i]) {
      case 0, 2 -> step[i] = book().refusal(charge(i)).isPresent() ? STOPPED : step[i] + 1;
      case 1 -> {
        if (held == null) {
          write(LedgerLines.entry(charge(i), "all", "" + epoch[i]));
        }
        step[i] = 2;
      }
      case 3 -> {
        out.add(i);
        promised.add(held.entry().terms().totalBudget());
        step[i] = 4;
      }
      case 4 -> {
        write(held.entry().withState(LedgerEntry.State.PUBLISHED));
        epoch[i]++;
        step[i] = 0;
      }
      default -> {}
    }
  }

  private void write(LedgerEntry entry) {
    log.add(new LedgerPosition(entry, 0, log.size()));
  }

  private Map<String, LedgerPosition> lines() {
    Map<String, LedgerPosition> lines = new HashMap<>();
    for (LedgerPosition line : log) {
      String id = line.entry().id().toString();
      lines.merge(id, line, compacted ? (old, last) -> last : LedgerPosition::then);
    }
    return lines;
  }

  private LedgerBook book() {
    return LedgerBook.of(lines().values());
  }

  private boolean overdrawn() {
    List<Spend> spendings = out.stream().map(i -> charge(i).spending()).toList();
    PrivacyAccount account = PrivacyAccount.of(spendings);
    return promised.stream().anyMatch(limit -> !account.fits(limit));
  }
}

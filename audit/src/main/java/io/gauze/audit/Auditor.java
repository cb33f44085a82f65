package io.gauze.audit;

import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Runs audits, on all cores. Each task has its own source of entropy: with test randomness a result
 * is the same on every machine.
 */
public final class Auditor {
  private static final int CHUNK = 1 << 15;

  private final AuditCase audited;
  private final Randomness randomness;

  private Auditor(AuditCase audited, Randomness randomness) {
    this.audited = audited;
    this.randomness = randomness;
  }

  /**
   * Runs the mechanism on both neighbours and bounds its epsilon from below.
   *
   * @param audited the case
   * @param runs for each neighbour, in [1000, 10^9]; half of them learn the threshold if the case
   *     has none
   * @param randomness the source of noise and secrets
   * @throws IllegalArgumentException if the runs are out of range
   */
  public static AuditResult run(AuditCase audited, int runs, Randomness randomness) {
    AuditCase.checkRuns(runs);
    return new Auditor(audited, randomness).run(runs);
  }

  private AuditResult run(int runs) {
    int learning = audited.threshold().isPresent() ? 0 : runs / 2;
    Events events =
        audited.threshold().isPresent()
            ? Events.symmetric(audited.threshold().getAsDouble())
            : learn(learning);
    EpsilonBound bound =
        EpsilonBound.of(
            audited.claim().delta(),
            tally(false, runs - learning, events),
            tally(true, runs - learning, events));
    return new AuditResult(audited, runs, bound.value(), bound.standardError());
  }

  private Events learn(int runs) {
    double[] first = new double[runs];
    double[] second = new double[runs];
    tasks(runs)
        .forEach(
            task -> {
              fill(task, false, first);
              fill(task, true, second);
            });
    Arrays.sort(first);
    Arrays.sort(second);
    return ThresholdSearch.best(audited.claim().delta(), first, second);
  }

  private void fill(int task, boolean second, double[] values) {
    Trial trial = audited.trials().get();
    Entropy entropy = entropy("learn", task, second);
    int from = task * CHUNK;
    for (int i = from; i < Math.min(values.length, from + CHUNK); i++) {
      values[i] = trial.run(second, entropy);
    }
  }

  private Tally tally(boolean second, int runs, Events events) {
    return tasks(runs)
        .mapToObj(task -> count(task, second, Math.min(CHUNK, runs - task * CHUNK), events))
        .reduce(Tally.NONE, Tally::plus);
  }

  private Tally count(int task, boolean second, int runs, Events events) {
    Trial trial = audited.trials().get();
    Entropy entropy = entropy("test", task, second);
    int above = 0;
    int below = 0;
    for (int i = 0; i < runs; i++) {
      double statistic = trial.run(second, entropy);
      above += statistic > events.above() ? 1 : 0;
      below += statistic < events.below() ? 1 : 0;
    }
    return new Tally(runs, above, below);
  }

  private static IntStream tasks(int runs) {
    return IntStream.range(0, (int) ((runs + (CHUNK - 1L)) / CHUNK)).parallel();
  }

  private Entropy entropy(String stage, int task, boolean second) {
    return randomness.entropy(
        String.format(Locale.ROOT, "audit: %s, %s, %d, %b", audited, stage, task, second));
  }
}

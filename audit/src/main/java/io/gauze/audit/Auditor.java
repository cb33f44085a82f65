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
  private Tally onFirst = Tally.NONE;
  private Tally onSecond = Tally.NONE;

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
    return inLooks(audited, Looks.once(runs), randomness);
  }

  /**
   * Looks at growing numbers of runs, and ends as soon as a look refutes the claim.
   *
   * <p>A bound of any look is above the true epsilon with probability at most 1e-6, for all looks
   * together: so often is a sound mechanism refuted. {@link Looks} has the reason.
   *
   * @param audited the case; its number of runs is that of the last look, the others are a 64th, a
   *     16th and a quarter of it, those of 1000 and more
   * @param randomness the source of noise and secrets
   * @return the result of the look at which the audit ended, and its number of runs
   */
  public static AuditResult untilRefuted(AuditCase audited, Randomness randomness) {
    return inLooks(audited, Looks.upTo(audited.runs()), randomness);
  }

  static AuditResult inLooks(AuditCase audited, Looks looks, Randomness randomness) {
    Auditor auditor = new Auditor(audited, randomness);
    AuditResult result = auditor.look(looks, 0);
    for (int k = 1; k < looks.count() && !result.caught(); k++) {
      result = auditor.look(looks, k);
    }
    return result;
  }

  private AuditResult look(Looks looks, int k) {
    int runs = looks.runs().get(k);
    EpsilonBound bound = bound(runs, looks.falseAlarms().get(k));
    return new AuditResult(audited, runs, bound.value(), bound.standardError());
  }

  private EpsilonBound bound(int runs, double falseAlarm) {
    double delta = audited.claim().delta();
    if (audited.threshold().isPresent()) {
      Events events = Events.symmetric(audited.threshold().getAsDouble());
      onFirst = onFirst.plus(tally(false, onFirst.runs(), runs, events));
      onSecond = onSecond.plus(tally(true, onSecond.runs(), runs, events));
      return EpsilonBound.of(delta, onFirst, onSecond, falseAlarm);
    }
    // A look's threshold must not depend on the runs that test it: each look begins anew.
    int learning = runs / 2;
    Events events = learn(learning);
    int testing = runs - learning;
    return EpsilonBound.of(
        delta, tally(false, 0, testing, events), tally(true, 0, testing, events), falseAlarm);
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

  /** Counts the events of the runs in [from, to), which are independent of those before. */
  private Tally tally(boolean second, long from, int to, Events events) {
    int runs = to - (int) from;
    String stage = from == 0L ? "test" : "test after " + from;
    return tasks(runs)
        .mapToObj(
            task -> {
              Entropy entropy = entropy(stage, task, second);
              return count(second, Math.min(CHUNK, runs - task * CHUNK), events, entropy);
            })
        .reduce(Tally.NONE, Tally::plus);
  }

  private Tally count(boolean second, int runs, Events events, Entropy entropy) {
    Trial trial = audited.trials().get();
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

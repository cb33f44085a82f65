package io.gauze.audit;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The numbers of runs at which a sequential audit looks, fixed beforehand, and the level of each
 * look. Of {@code alpha}, {@link EpsilonBound#FALSE_ALARM}, each look but the last has a tenth, and
 * the last has what is left, so that it sees nearly as much as an audit of one look.
 *
 * <p>Guarantee: the probability that any look's bound is above the true epsilon is at most the sum
 * of the levels. Each look's limits hold with their level for its own fixed number of runs, and so
 * does the sum for all of them (Bonferroni), however looks share runs and wherever an audit ends.
 *
 * @param runs for each neighbour, in growing order, each in [1000, 10^9]; at most ten
 * @param falseAlarms the probability with which each look may be wrong
 */
record Looks(List<Integer> runs, List<Double> falseAlarms) {
  /**
   * What is caught a look early has an expected margin of five standard errors at the last: its
   * limits took five of the errors, of which four times the runs make ten.
   */
  static final int GROWTH = 4;

  private static final double EARLY = 0.1;
  private static final int BEFORE_LAST = 3;
  private static final int MOST = 10;

  Looks {
    runs = List.copyOf(runs);
    falseAlarms = List.copyOf(falseAlarms);
    runs.forEach(AuditCase::checkRuns);
    List<Integer> growing = runs.stream().distinct().sorted().toList();
    if (runs.isEmpty() || runs.size() > MOST || !runs.equals(growing)) {
      throw new IllegalArgumentException(
          "looks must be 1 to 10 growing numbers of runs. Provided value: " + runs);
    }
    if (falseAlarms.size() != runs.size()) {
      throw new IllegalArgumentException(
          "each look needs a level. Provided value: " + falseAlarms.size() + " of " + runs.size());
    }
  }

  /** Returns one look. */
  static Looks once(int runs) {
    return new Looks(List.of(runs), List.of(EpsilonBound.FALSE_ALARM));
  }

  /** Returns looks at a 64th, a 16th, a quarter and all of the runs, but none below 1000 runs. */
  static Looks upTo(int runs) {
    AuditCase.checkRuns(runs);
    IntStream early =
        IntStream.iterate(BEFORE_LAST, k -> k > 0, k -> k - 1)
            .map(k -> runs / (int) Math.pow(GROWTH, k))
            .filter(n -> n >= AuditCase.LEAST_RUNS);
    return spending(
        EpsilonBound.FALSE_ALARM, IntStream.concat(early, IntStream.of(runs)).boxed().toList());
  }

  /** Returns looks that may be wrong with this probability together. */
  static Looks spending(double falseAlarm, List<Integer> runs) {
    int last = runs.size() - 1;
    List<Double> levels =
        IntStream.rangeClosed(0, last)
            .mapToObj(k -> (k < last ? EARLY : 1.0 - EARLY * last) * falseAlarm)
            .toList();
    return new Looks(runs, levels);
  }

  int count() {
    return runs.size();
  }
}

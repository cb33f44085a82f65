package io.gauze.audit;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * A mechanism, sound or broken, on its worst neighbours, with the claim that is tested. Immutable.
 *
 * <p>The events that are counted are {@code statistic > threshold} and {@code statistic <
 * -threshold}, one for each direction. If the statistic is the log-likelihood ratio and the
 * threshold the claim's epsilon, they are the best events (Neyman and Pearson): {@code P(loss >
 * epsilon) - exp(epsilon) Q(loss > epsilon)} is the delta of the pair.
 *
 * @param mechanism its name
 * @param variant a description of the variant, or of its error
 * @param sound whether the claim should hold
 * @param claim the claim about the mechanism
 * @param threshold of the events; empty: learnt on half of the runs, tested on the others
 * @param runs for each neighbour. Large enough that a broken variant is expected five standard
 *     errors beyond the claim, after all confidence limits; in [1000, 10^9]
 * @param trials makes a trial for one thread
 */
public record AuditCase(
    String mechanism,
    String variant,
    boolean sound,
    Claim claim,
    OptionalDouble threshold,
    int runs,
    Supplier<Trial> trials) {
  /**
   * The default number of runs, which suffices for most mechanisms to detect noise that is too
   * small by 10 %.
   */
  private static final int DEFAULT_RUNS = 500_000;

  static final int LEAST_RUNS = 1_000;
  private static final int MOST_RUNS = 1_000_000_000;

  /**
   * Checks the runs.
   *
   * @throws IllegalArgumentException if they are out of range
   */
  public AuditCase {
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(variant, "variant");
    Objects.requireNonNull(claim, "claim");
    Objects.requireNonNull(threshold, "threshold");
    Objects.requireNonNull(trials, "trials");
    checkRuns(runs);
  }

  /**
   * Creates a case of a broken variant whose trial's statistic is its own log-likelihood ratio.
   *
   * @param trials makes a trial for one thread
   */
  public static AuditCase of(
      String mechanism, String variant, Claim claim, Supplier<Trial> trials) {
    OptionalDouble threshold = OptionalDouble.of(claim.epsilon());
    return new AuditCase(mechanism, variant, false, claim, threshold, DEFAULT_RUNS, trials);
  }

  static void checkRuns(int runs) {
    if (runs < LEAST_RUNS || runs > MOST_RUNS) {
      throw new IllegalArgumentException("runs must be in [1000, 10^9]. Provided value: " + runs);
    }
  }

  /** Returns a copy of which the claim should hold. */
  public AuditCase asSound() {
    return new AuditCase(mechanism, variant, true, claim, threshold, runs, trials);
  }

  /** Returns a copy of independent releases, whose log-likelihood ratios add up. */
  public AuditCase times(int releases) {
    Supplier<Trial> all =
        () -> {
          Trial trial = trials.get();
          return (inSecond, entropy) -> {
            double sum = 0.0;
            for (int release = 0; release < releases; release++) {
              sum += trial.run(inSecond, entropy);
            }
            return sum;
          };
        };
    return new AuditCase(mechanism, variant, sound, claim, threshold, runs, all);
  }

  /** Returns a copy for a statistic of another scale. */
  public AuditCase withThreshold(double value) {
    OptionalDouble some = OptionalDouble.of(value);
    return new AuditCase(mechanism, variant, sound, claim, some, runs, trials);
  }

  /** Returns a copy for a statistic of unknown law. */
  public AuditCase withLearntThreshold() {
    OptionalDouble none = OptionalDouble.empty();
    return new AuditCase(mechanism, variant, sound, claim, none, runs, trials);
  }

  /** Returns a copy with another number of runs. */
  public AuditCase withRuns(int value) {
    return new AuditCase(mechanism, variant, sound, claim, threshold, value, trials);
  }

  /** Shows mechanism, variant and claim. */
  @Override
  public String toString() {
    return mechanism + ", " + variant + ", " + claim;
  }
}

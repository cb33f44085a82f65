package io.gauze.audit;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * A mechanism, sound or broken, on its worst neighbours against a claim. Immutable.
 *
 * <p>The events that are counted are {@code statistic > threshold} and {@code statistic <
 * -threshold}, one for each direction. For a log-likelihood ratio and the claim's epsilon as
 * threshold they are the best ones (Neyman and Pearson): {@code P(loss > epsilon) - exp(epsilon)
 * Q(loss > epsilon)} is the delta of the pair.
 *
 * @param mechanism its name
 * @param variant what is run, or what is wrong with it
 * @param sound whether the claim should stand
 * @param claim what is said of it
 * @param threshold of the events; empty: learnt on half of the runs, tested on the others
 * @param runs for each neighbour, so many that a broken variant is expected five standard errors
 *     beyond the claim, after all confidence limits; in [1000, 10^9]
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
  /** Enough for noise that is too small by 10 % in most mechanisms. */
  private static final int DEFAULT_RUNS = 500_000;

  private static final int LEAST_RUNS = 1_000;
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
   * A broken variant whose trial's statistic is its own log-likelihood ratio.
   *
   * @param trials makes a trial for one thread
   */
  static AuditCase of(String mechanism, String variant, Claim claim, Supplier<Trial> trials) {
    OptionalDouble threshold = OptionalDouble.of(claim.epsilon());
    return new AuditCase(mechanism, variant, false, claim, threshold, DEFAULT_RUNS, trials);
  }

  static void checkRuns(int runs) {
    if (runs < LEAST_RUNS || runs > MOST_RUNS) {
      throw new IllegalArgumentException("runs must be in [1000, 10^9]. Provided value: " + runs);
    }
  }

  /** A copy and the claim should stand. */
  AuditCase asSound() {
    return new AuditCase(mechanism, variant, true, claim, threshold, runs, trials);
  }

  /** A copy for a statistic of another scale. */
  AuditCase withThreshold(double value) {
    OptionalDouble some = OptionalDouble.of(value);
    return new AuditCase(mechanism, variant, sound, claim, some, runs, trials);
  }

  /** A copy for a statistic of unknown law. */
  AuditCase withLearntThreshold() {
    OptionalDouble none = OptionalDouble.empty();
    return new AuditCase(mechanism, variant, sound, claim, none, runs, trials);
  }

  /** A copy with another number of runs. */
  AuditCase withRuns(int value) {
    return new AuditCase(mechanism, variant, sound, claim, threshold, value, trials);
  }

  /** Mechanism, variant and claim. */
  @Override
  public String toString() {
    return mechanism + ", " + variant + ", " + claim;
  }
}

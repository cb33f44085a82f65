package io.gauze.accounting;

import io.gauze.noise.Randomness;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The guarantee of a release: whom it protects, how much, under which assumptions and why. For rows
 * and keys it holds for all releases of one stream together: a row counts in one group and epoch,
 * and the other releases do not depend on it; the snapshots of a key share the budget. For users it
 * holds for all releases of one epoch, and the costs of epochs add up.
 *
 * @param epsilon in (0, 100]
 * @param delta in (0, 0.1]
 * @param neighbours which two data sets cannot be told apart
 * @param unit what is added, removed or replaced
 * @param assumptions what must hold outside the program; may be empty
 * @param basis the theorem that it rests on, as a citation
 * @param idealised whether the proof is over the reals while the program computes in finite
 *     precision
 * @param checkpoint what a stolen checkpoint discloses beyond the releases, as a sentence
 * @param randomness the source of noise and secrets, see {@link Randomness#description}
 * @param isPrivate whether that source was fit for privacy; if not, nothing is promised
 */
public record Guarantee(
    double epsilon,
    double delta,
    Neighbours neighbours,
    UnitKind unit,
    List<String> assumptions,
    String basis,
    boolean idealised,
    String checkpoint,
    String randomness,
    boolean isPrivate)
    implements Serializable {
  /** The most characters of a {@link #summary}. */
  public static final int LONGEST_SUMMARY = 200;

  private static final String WARNING = "NOT PRIVATE";
  private static final MathContext FOUR_DIGITS_UP = new MathContext(4, RoundingMode.CEILING);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if epsilon or delta is outside its range, if a text is blank,
   *     or if the randomness and the flag contradict each other
   */
  public Guarantee {
    Budget checked = new Budget(epsilon, delta, neighbours);
    neighbours = checked.neighbours();
    Objects.requireNonNull(unit, "unit");
    assumptions = List.copyOf(assumptions);
    basis = text("basis", basis);
    checkpoint = text("checkpoint", checkpoint);
    randomness = text("randomness", randomness);
    if (isPrivate == randomness.startsWith(WARNING)) {
      throw new IllegalArgumentException(
          "randomness must begin with NOT PRIVATE exactly if the guarantee is not private."
              + " Provided value: "
              + randomness);
    }
  }

  /** The budget: epsilon, delta and the relation. */
  public Budget budget() {
    return new Budget(epsilon, delta, neighbours);
  }

  /**
   * Returns what is promised in a sentence of at most {@value #LONGEST_SUMMARY} characters. Epsilon
   * and delta are rounded up to four digits. {@link #sentence} is the whole guarantee.
   */
  public String summary() {
    return summary(" (" + neighbours.label() + ")");
  }

  /** Returns the same sentence for a place that names the neighbours already. */
  public String summaryWithoutNeighbours() {
    return summary("");
  }

  private String summary(String relation) {
    if (!isPrivate) {
      return randomness + ". It promises nothing.";
    }
    return String.format(
        Locale.ROOT,
        "Differentially private with epsilon %s and delta %s for each %s%s, over all releases of"
            + " this %s together%s%s, if its assumptions hold.",
        roundedUp(epsilon),
        roundedUp(delta),
        unit.protectedUnit(),
        relation,
        unit.span(),
        unit.epochsAddUp() ? "; epochs add up" : "",
        idealised ? "; idealised" : "");
  }

  /** Returns what releases do not show, such as: one row has its values replaced by any others. */
  public String change() {
    return unit.change(neighbours);
  }

  private static double roundedUp(double value) {
    return BigDecimal.valueOf(value).round(FOUR_DIGITS_UP).doubleValue();
  }

  /**
   * Returns the promise alone, in one plain sentence; {@link #sentence} adds its assumptions and
   * its basis.
   */
  public String promise() {
    StringBuilder text = new StringBuilder(300);
    if (!isPrivate) {
      text.append(randomness).append(". With system entropy this would hold: ");
    }
    text.append(
        String.format(
            Locale.ROOT,
            "Differentially private with epsilon %s and delta %s for each %s (%s): if %s, the"
                + " probability of anything that all releases of this %s together can show"
                + " changes by a factor of at most %.4g, and by %s on top of that.",
            epsilon,
            delta,
            unit.protectedUnit(),
            neighbours.label(),
            unit.change(neighbours),
            unit.span(),
            Math.exp(epsilon),
            delta));
    return text.append(unit.limit()).toString();
  }

  /**
   * Returns the whole guarantee in plain English. Begins with "NOT PRIVATE" if the randomness was
   * for tests only.
   */
  public String sentence() {
    StringBuilder text = new StringBuilder(promise());
    if (!assumptions.isEmpty()) {
      text.append(" This assumes that ").append(String.join("; that ", assumptions)).append('.');
    }
    if (idealised) {
      text.append(" The proof is for real numbers; the program computes with doubles.");
    }
    return text.append(" Why it holds: ").append(basis).append(". ").append(checkpoint).toString();
  }

  private static String text(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " must not be blank. Provided value: " + value);
    }
    return value;
  }

  /** Returns {@link #sentence}. */
  @Override
  public String toString() {
    return sentence();
  }
}

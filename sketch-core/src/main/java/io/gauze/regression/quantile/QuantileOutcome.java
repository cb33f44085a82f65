package io.gauze.regression.quantile;

import java.util.Objects;

/** A fit of a quantile, how far it got, or why there is none: data, however poor, never throw. */
public sealed interface QuantileOutcome {
  /**
   * The minimum was found.
   *
   * @param fit with a relative gap of at most {@link QuantileRegression#TOLERANCE}
   */
  record Solved(QuantileFit fit) implements QuantileOutcome {
    /** Nothing is missing. */
    public Solved {
      Objects.requireNonNull(fit, "fit");
    }
  }

  /**
   * A limit was reached before the minimum was proved.
   *
   * @param fit the best coefficients seen; its relative gap says how bad they can be
   * @param reason which limit
   */
  record Stalled(QuantileFit fit, String reason) implements QuantileOutcome {
    /** Nothing is missing. */
    public Stalled {
      Objects.requireNonNull(fit, "fit");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * There is no fit that means anything.
   *
   * @param reason what is wrong and what to change
   */
  record Refused(String reason) implements QuantileOutcome {
    /** Nothing is missing. */
    public Refused {
      Objects.requireNonNull(reason, "reason");
    }
  }
}

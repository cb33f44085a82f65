package io.gauze.regression.quantile;

import java.util.Objects;

/**
 * A fit of a quantile, an unfinished fit, or the reason why there is none: poor data never throw.
 */
public sealed interface QuantileOutcome {
  /**
   * The minimum was found.
   *
   * @param fit with a relative gap of at most {@link QuantileRegression#TOLERANCE}
   */
  record Solved(QuantileFit fit) implements QuantileOutcome {
    public Solved {
      Objects.requireNonNull(fit, "fit");
    }
  }

  /**
   * A limit was reached before the minimum was proved.
   *
   * @param fit the best coefficients seen; its relative gap bounds their error
   * @param reason the limit that was reached
   */
  record Stalled(QuantileFit fit, String reason) implements QuantileOutcome {
    public Stalled {
      Objects.requireNonNull(fit, "fit");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * No meaningful fit exists.
   *
   * @param reason what is wrong and what to change
   */
  record Refused(String reason) implements QuantileOutcome {
    public Refused {
      Objects.requireNonNull(reason, "reason");
    }
  }
}

package io.gauze.regression;

import java.util.Objects;
import java.util.function.UnaryOperator;

/** A fit, or the reason why there is none: poor data never throw. */
public sealed interface FitOutcome {
  /** Returns the outcome with a changed fit, if there is a fit. */
  default FitOutcome map(UnaryOperator<Fit> change) {
    return this;
  }

  /**
   * A successful fit.
   *
   * @param fit with warnings, if it must be read with care
   */
  record Fitted(Fit fit) implements FitOutcome {
    public Fitted {
      Objects.requireNonNull(fit, "fit");
    }

    @Override
    public FitOutcome map(UnaryOperator<Fit> change) {
      return new Fitted(change.apply(fit));
    }
  }

  /**
   * No meaningful fit exists.
   *
   * @param reason what is wrong and what to change
   */
  record Refused(String reason) implements FitOutcome {
    public Refused {
      Objects.requireNonNull(reason, "reason");
    }
  }
}

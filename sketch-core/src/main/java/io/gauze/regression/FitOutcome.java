package io.gauze.regression;

import java.util.Objects;
import java.util.function.UnaryOperator;

/** A fit, or why there is none: data, however poor, never throw. */
public sealed interface FitOutcome {
  /** With another fit, if there is one. */
  default FitOutcome map(UnaryOperator<Fit> change) {
    return this;
  }

  /**
   * There is a fit.
   *
   * @param fit with warnings, if it has to be read with care
   */
  record Fitted(Fit fit) implements FitOutcome {
    /** Nothing is missing. */
    public Fitted {
      Objects.requireNonNull(fit, "fit");
    }

    @Override
    public FitOutcome map(UnaryOperator<Fit> change) {
      return new Fitted(change.apply(fit));
    }
  }

  /**
   * There is no fit that means anything.
   *
   * @param reason what is wrong and what to change
   */
  record Refused(String reason) implements FitOutcome {
    /** Nothing is missing. */
    public Refused {
      Objects.requireNonNull(reason, "reason");
    }
  }
}

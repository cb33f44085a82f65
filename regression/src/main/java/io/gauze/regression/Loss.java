package io.gauze.regression;

import io.gauze.internal.Checks;

/**
 * The loss of a residual, or of the margin of a label. Objectives are sums of losses over rows,
 * never means.
 */
public sealed interface Loss {
  /** The squared residual. */
  Loss SQUARED = new Squared();

  /** The absolute residual: least absolute deviations, the median. */
  Loss ABSOLUTE = new Quantile(0.5);

  /** The logistic loss of a label, for log odds. */
  Loss LOGISTIC = new Logistic();

  /** Returns the loss of one residual. */
  double of(double residual);

  /** Returns true if second moments suffice to fit by this loss. */
  boolean isSquared();

  /** Calls the reader's method for this kind of loss. */
  <T> T accept(Reader<T> reader);

  /**
   * A visitor with one method for each kind of loss, so that a reader that lacks one does not
   * compile.
   *
   * @param <T> the result
   */
  interface Reader<T> {
    /** Reads {@link Squared}. */
    T squared();

    /** Reads {@link Quantile}. */
    T quantile(Quantile quantile);

    /** Reads {@link Huber}. */
    T huber(Huber huber);

    /** Reads {@link Logistic}. */
    T logistic();
  }

  /** The squared residual: {@code u^2}. */
  record Squared() implements Loss {
    @Override
    public double of(double residual) {
      return residual * residual;
    }

    @Override
    public boolean isSquared() {
      return true;
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.squared();
    }
  }

  /**
   * The check loss, whose minimum is the conditional quantile: {@code u (tau - [u < 0])}; for the
   * median twice that, {@code |u|}.
   *
   * @param tau in (0, 1)
   */
  record Quantile(double tau) implements Loss {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if tau is out of range
     */
    public Quantile {
      Checks.inOpenUnit("tau", tau);
    }

    @Override
    public double of(double residual) {
      double unit = tau == 0.5 ? 2.0 : 1.0;
      return unit * residual * (residual < 0.0 ? tau - 1.0 : tau);
    }

    @Override
    public boolean isSquared() {
      return false;
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.quantile(this);
    }
  }

  /**
   * Huber's loss: {@code u^2 / 2} up to the threshold, {@code threshold (|u| - threshold / 2)}
   * beyond.
   *
   * @param threshold in the encoded scale of the response; positive
   */
  record Huber(double threshold) implements Loss {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the threshold is not positive and finite
     */
    public Huber {
      Checks.positiveFinite("threshold", threshold);
    }

    @Override
    public double of(double residual) {
      double size = Math.abs(residual);
      return size <= threshold ? 0.5 * size * size : threshold * (size - 0.5 * threshold);
    }

    @Override
    public boolean isSquared() {
      return false;
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.huber(this);
    }
  }

  /**
   * The logistic loss: {@code ln(1 + exp(u))}, where u is the predicted log odds of the label that
   * the row does not have. Only released models answer it.
   */
  record Logistic() implements Loss {
    @Override
    public double of(double wrong) {
      return Math.max(0.0, wrong) + Math.log1p(Math.exp(-Math.abs(wrong)));
    }

    @Override
    public boolean isSquared() {
      return false;
    }

    @Override
    public <T> T accept(Reader<T> reader) {
      return reader.logistic();
    }
  }
}

package io.gauze.regression;

import io.gauze.internal.Checks;
import java.util.Optional;

/**
 * What a release says of a fit as a whole: the number of rows, the share of the response's variance
 * that the features explain, and the standard deviation of residuals, each with its error.
 *
 * @param rows the number of rows
 * @param rSquared the share in (-inf, 1]: noise can take it slightly below 0
 * @param residualScale in the encoded scale
 * @param shortened the part of the rows' weight that shortening took off, in [0, 1], if the release
 *     measures it; its sampling error is 0
 */
public record FitSummary(
    Estimate rows, Estimate rSquared, Estimate residualScale, Optional<Estimate> shortened) {
  /** Why the number of rows is withheld if there may be none. */
  public static final String HIDDEN_ROWS = "the number of rows cannot be told from the noise";

  /**
   * An estimate.
   *
   * @param value the estimate; NaN if it is withheld, as are its errors
   * @param samplingError the part of its standard error that the rows are a sample, if residuals
   *     are normal
   * @param privacyError the part of noise, sketching and ridge
   * @param reason why it is withheld; empty if it is not
   */
  public record Estimate(
      double value, double samplingError, double privacyError, Optional<String> reason) {
    public static Estimate withheld(String reason) {
      return new Estimate(Double.NaN, Double.NaN, Double.NaN, Optional.of(reason));
    }

    /** Both parts of the standard error; NaN if it is withheld. */
    public double standardError() {
      return Math.hypot(samplingError, privacyError);
    }

    /** Returns the estimate in another unit. */
    public Estimate times(double factor) {
      Checks.positiveFinite("factor", factor);
      return new Estimate(value * factor, samplingError * factor, privacyError * factor, reason);
    }
  }

  /**
   * Returns a copy that says what shortening took off the rows, without the residual variance and
   * what follows from it if it hides them.
   *
   * @param ofSquares whether the fit is one of squares, which has them
   */
  public FitSummary with(CutRows cut, boolean ofSquares) {
    Estimate none = Estimate.withheld("too much of the rows' squares was cut off");
    boolean hidden = cut.hidesSquares() && ofSquares;
    return new FitSummary(
        rows,
        hidden ? none : rSquared,
        hidden ? none : residualScale,
        Optional.of(cut.shortened()));
  }

  /** A summary of a release that does not measure what shortening took off. */
  public FitSummary(Estimate rows, Estimate rSquared, Estimate residualScale) {
    this(rows, rSquared, residualScale, Optional.empty());
  }

  /** Returns a summary without estimates. */
  public static FitSummary withheld(String reason) {
    Estimate none = Estimate.withheld(reason);
    return new FitSummary(none, none, none);
  }
}

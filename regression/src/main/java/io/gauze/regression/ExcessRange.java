package io.gauze.regression;

/**
 * What the relative excess of a model is expected to be.
 *
 * @param least if features do not depend on each other and the loss has the shape that is wanted
 * @param likely between both
 * @param most if features depend on each other much, and residuals have long tails
 */
public record ExcessRange(double least, double likely, double most) {
  /** An excess that is as uncertain as any other. */
  public static ExcessRange of(double likely) {
    return new ExcessRange(likely, likely, likely);
  }
}

package io.gauze.regression;

import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Which losses the fits of a release will support, and with which error, before there is a release.
 *
 * @param squares of the squared loss; empty if it is not supported
 * @param bends of absolute, quantile and Huber losses; empty if they are not supported
 * @param odds of the logistic loss; empty if it is not supported
 * @param useless the reason not to choose it if the excess is too large
 */
public record Prospect(
    Optional<Prospect.Way> squares,
    Optional<Prospect.Way> bends,
    Optional<Prospect.Way> odds,
    String useless) {
  public static final String USELESS =
      "useless here: the noise exceeds what the rows say; more rows an epoch, a larger epsilon,"
          + " fewer columns or tighter ranges help";

  public static final String FEW =
      "useless here unless a few columns matter much more than the others; then better than this";

  public static final String ROWS =
      "rows for any solver of squares; moments of the same budget fit better";

  /** What least squares cost where the mean absolute error counts, as a relative excess. */
  public static final double SQUARES_FOR_LAD = Tuning.SQUARES_FOR_LAD;

  public Prospect(Optional<Way> squares, Optional<Way> bends, String useless) {
    this(squares, bends, Optional.empty(), useless);
  }

  public static Prospect ofSquares(DoubleSupplier excess, String reason) {
    return new Prospect(Optional.of(new Way(excess, reason)), Optional.empty(), USELESS);
  }

  public static Prospect ofBoth(
      DoubleSupplier excess, double approximation, String reason, String useless) {
    return new Prospect(
        Optional.of(new Way(excess, reason)),
        Optional.of(new Way(excess, reason).plus(approximation)),
        useless);
  }

  public Optional<Way> of(Loss loss) {
    boolean labels = loss.equals(Loss.LOGISTIC);
    return labels ? odds : loss.isSquared() ? squares : bends;
  }

  /**
   * A fit.
   *
   * @param excess the expected relative excess over the non-private fit
   * @param reason the reason to choose it
   */
  public record Way(DoubleSupplier excess, String reason) {
    public Way plus(double approximation) {
      return new Way(() -> (1.0 + excess.getAsDouble()) * (1.0 + approximation) - 1.0, reason);
    }
  }

  /** Returns what a fit of moments in strata loses without noise. */
  public static double approximation(int strata) {
    return strata < Tuning.MANY ? Tuning.FEW_STRATA : Tuning.MANY_STRATA;
  }
}

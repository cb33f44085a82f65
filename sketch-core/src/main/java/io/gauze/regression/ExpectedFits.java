package io.gauze.regression;

import io.gauze.mechanism.MomentNoise;
import io.gauze.mechanism.Payload;
import java.util.function.DoubleSupplier;

/**
 * Decides for each kind of payload which losses its fits support, and predicts their error before
 * there is a release.
 */
final class ExpectedFits implements Payload.Reader<ExpectedFits.Prospect> {
  private static final String USELESS =
      "useless here: the noise exceeds what the rows say; more rows an epoch, a larger epsilon,"
          + " fewer columns or tighter ranges help";

  private static final String ROWS =
      "rows for any solver of squares; moments of the same budget fit better";

  private final NominalModel model;

  ExpectedFits(NominalModel model) {
    this.model = model;
  }

  /**
   * The prospect of a fit.
   *
   * @param squares whether it supports the squared loss
   * @param bends whether it supports absolute, quantile and Huber losses
   * @param excess the expected relative excess over the non-private fit
   * @param reason the reason to choose it
   * @param useless the reason not to choose it if the excess is too large
   */
  record Prospect(
      boolean squares, boolean bends, DoubleSupplier excess, String reason, String useless) {
    private static Prospect ofSquares(DoubleSupplier excess, String reason) {
      return new Prospect(true, false, excess, reason, USELESS);
    }

    boolean answers(boolean squared) {
      return squared ? squares : bends;
    }
  }

  @Override
  public Prospect moments(Payload.Moments moments) {
    return Prospect.ofSquares(
        () -> ExpectedError.moments(model, moments.noise()),
        "moments answer every squared loss, for any response and features");
  }

  @Override
  public Prospect inverseMoments(Payload.InverseMoments inverse) {
    return Prospect.ofSquares(
        () -> ExpectedError.inverseWishart(model, inverse.degrees(), inverse.ridge()),
        "moments answer every squared loss, after a debiasing");
  }

  @Override
  public Prospect buckets(Payload.Buckets buckets) {
    return Prospect.ofSquares(
        () -> ExpectedError.countSketch(model, buckets.rows(), buckets.sigma()), ROWS);
  }

  @Override
  public Prospect projection(Payload.Projection projection) {
    return Prospect.ofSquares(
        () -> ExpectedError.projection(model, projection.rows(), projection.ridge()), ROWS);
  }

  @Override
  public Prospect adaptiveRidgeProjection(Payload.AdaptiveRidgeProjection projection) {
    return Prospect.ofSquares( // at most the excess of a ridge
        () -> ExpectedError.projection(model, projection.rows(), projection.ridge()),
        "rows for any solver of squares; at most this, less if the data need no ridge");
  }

  // A bucket of level 0 contains n / N rows: its residual is sqrt(n / N) times that of a row. Least
  // absolute deviations on N such rows, with additional noise sigma |(b, -1)|, are like least
  // squares on as many buckets, divided by the efficiency 2 / pi of a median.
  @Override
  public Prospect weightedBuckets(Payload.WeightedBuckets buckets) {
    return new Prospect(
        false,
        true,
        () ->
            0.5
                * Math.PI
                * ExpectedError.countSketch(model, buckets.spec().buckets(), buckets.sigma()),
        "rows for least absolute deviations; strata of the same budget fit better",
        USELESS);
  }

  // All strata together contain the rows, and each stratum its noise.
  @Override
  public Prospect strata(Payload.Strata strata) {
    double sigma = strata.sigma() * Math.sqrt(strata.spec().strata());
    return new Prospect(
        true,
        true,
        () -> ExpectedError.moments(model, new MomentNoise.Gaussian(sigma)),
        "strata answer least absolute deviations, every quantile, Huber and squared losses, for"
            + " any features; strata that are too coarse cost up to a percent more",
        USELESS);
  }

  @Override
  public Prospect counts(Payload.Counts counts) {
    return new Prospect(
        true,
        true,
        () -> excess(counts),
        "counts answer any loss where columns are few; bins blur what is in them",
        "useless here: bins are too wide, or the noise exceeds what the rows say; more rows an"
            + " epoch, a larger epsilon or fewer columns help");
  }

  // Noise: an entry of the moments sums Laplace variables times x_i x_j over all cells, of mean
  // square 2 b^2 cells E[x^2]^2, E[x^2] = 1/3. Bins: a feature has a uniform error of width w,
  // which adds w^2 / 12 sum b_j^2 to the residual variance.
  private double excess(Payload.Counts counts) {
    double sigma = 2.0 * counts.scale() * Math.sqrt(counts.length()) / 3.0;
    double noise = ExpectedError.moments(model, new MomentNoise.Gaussian(sigma));
    int bins = counts.spec().axes().stream().mapToInt(axis -> axis.bins()).max().orElse(1);
    double width = 2.0 / bins;
    double residual = (1.0 - model.explained()) * model.meanSquare();
    double grid = Math.sqrt(1.0 + model.explained() * width * width / 12.0 / residual) - 1.0;
    return noise + grid;
  }

  @Override
  public Prospect statistics(Payload.SufficientStatistics statistics) {
    return Prospect.ofSquares(
        () -> ExpectedError.moments(model, new MomentNoise.Gaussian(statistics.momentsSigma())),
        "one response only");
  }
}

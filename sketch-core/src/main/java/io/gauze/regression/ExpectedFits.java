package io.gauze.regression;

import io.gauze.mechanism.ModelOrigin;
import io.gauze.mechanism.MomentNoise;
import io.gauze.mechanism.Payload;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Decides for each kind of payload which losses its fits support, and predicts their error before
 * there is a release.
 */
final class ExpectedFits implements Payload.Reader<ExpectedFits.Prospect> {
  private static final String USELESS =
      "useless here: the noise exceeds what the rows say; more rows an epoch, a larger epsilon,"
          + " fewer columns or tighter ranges help";

  private static final String FEW =
      "useless here unless a few columns matter much more than the others; then better than this";

  private static final String ROWS =
      "rows for any solver of squares; moments of the same budget fit better";

  /**
   * What least squares cost where the mean absolute error counts: .43, 1.1, 1.4, 2.3, 6.7, 7.5 and
   * 15 % on seven reference data, whose residuals have ever longer tails.
   */
  static final double SQUARES_FOR_LAD = 0.023;

  // Without noise the largest excess over seven reference data was 4.3 % with 4 strata, and 1.1 %
  // with 8 and more; a half of that is usual.
  private static final double FEW_STRATA = 0.02;
  private static final double MANY_STRATA = 0.005;
  private static final int MANY = 8;

  private final NominalModel model;

  ExpectedFits(NominalModel model) {
    this.model = model;
  }

  /**
   * The prospect of fits.
   *
   * @param squares of the squared loss; empty if it is not supported
   * @param bends of absolute, quantile and Huber losses; empty if they are not supported
   * @param odds of the logistic loss; empty if it is not supported
   * @param useless the reason not to choose it if the excess is too large
   */
  record Prospect(Optional<Way> squares, Optional<Way> bends, Optional<Way> odds, String useless) {
    private Prospect(Optional<Way> squares, Optional<Way> bends, String useless) {
      this(squares, bends, Optional.empty(), useless);
    }

    private static Prospect ofSquares(DoubleSupplier excess, String reason) {
      return new Prospect(Optional.of(new Way(excess, reason)), Optional.empty(), USELESS);
    }

    private static Prospect ofBoth(
        DoubleSupplier excess, double approximation, String reason, String useless) {
      return new Prospect(
          Optional.of(new Way(excess, reason)),
          Optional.of(new Way(excess, reason).plus(approximation)),
          useless);
    }

    Optional<Way> of(Loss loss) {
      boolean labels = loss.equals(Loss.LOGISTIC);
      return labels ? odds : loss.isSquared() ? squares : bends;
    }
  }

  /**
   * A fit.
   *
   * @param excess the expected relative excess over the non-private fit
   * @param reason the reason to choose it
   */
  record Way(DoubleSupplier excess, String reason) {
    private Way plus(double approximation) {
      return new Way(() -> (1.0 + excess.getAsDouble()) * (1.0 + approximation) - 1.0, reason);
    }
  }

  @Override
  public Prospect moments(Payload.Moments moments) {
    DoubleSupplier excess = () -> ExpectedError.moments(model, moments.noise());
    Prospect squares =
        Prospect.ofSquares(
            excess, "moments answer every squared loss, for any response and features");
    if (!(moments.noise() instanceof MomentNoise.Gaussian)) {
      return squares;
    }
    String reason =
        "least squares in place of least absolute deviations, by moments that answer squared"
            + " losses too; it costs 0.4 % (bell-shaped residuals) to 15 % (long tails), here 2.3 %";
    return new Prospect(
        squares.squares(), Optional.of(new Way(excess, reason).plus(SQUARES_FOR_LAD)), USELESS);
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
    DoubleSupplier excess =
        () ->
            0.5
                * Math.PI
                * ExpectedError.countSketch(model, buckets.spec().buckets(), buckets.sigma());
    return new Prospect(
        Optional.empty(),
        Optional.of(
            new Way(
                excess,
                "rows for least absolute deviations; strata of the same budget fit better")),
        USELESS);
  }

  // All strata together contain the rows, and each stratum its noise.
  @Override
  public Prospect strata(Payload.Strata strata) {
    double sigma = strata.sigma() * Math.sqrt(strata.spec().strata());
    return Prospect.ofBoth(
        () -> ExpectedError.moments(model, new MomentNoise.Gaussian(sigma)),
        approximation(strata.spec().strata()),
        "strata answer least absolute deviations, every quantile, Huber and squared losses, for"
            + " any features",
        USELESS);
  }

  private static double approximation(int strata) {
    return strata < MANY ? FEW_STRATA : MANY_STRATA;
  }

  // The moments of all rows and the sum of the strata together.
  @Override
  public Prospect residualStrata(Payload.ResidualStrata residual) {
    StrataNoise noise =
        new StrataNoise(residual.strataSigma(), residual.strata(), residual.momentsSigma());
    return Prospect.ofBoth(
        () -> ExpectedError.moments(model, new MomentNoise.Gaussian(noise.pooledSigma())),
        approximation(residual.strata()),
        "strata of residuals answer least absolute deviations, quantiles and Huber for one response,"
            + " and squared losses; the rows are read twice, and epochs do not add up",
        USELESS);
  }

  @Override
  public Prospect rangeCounts(Payload.RangeCounts counts) {
    return new Prospect(Optional.empty(), Optional.empty(), USELESS);
  }

  @Override
  public Prospect counts(Payload.Counts counts) {
    return Prospect.ofBoth(
        () -> excess(counts),
        0.0,
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
    double residual = (1.0 - model.explained()) * model.responseSquare();
    double grid = Math.sqrt(1.0 + model.explained() * width * width / 12.0 / residual) - 1.0;
    return noise + grid;
  }

  // The columns that explain most are selected, and what the others explain is lost. Where all are
  // selected, there is nothing to choose, and moments of any response are there to be had.
  @Override
  public Prospect selectedMoments(Payload.SelectedMoments selected) {
    NominalModel few = model.among(Math.min(selected.selected(), model.features()));
    double lost = Math.sqrt((1.0 - few.explained()) / (1.0 - model.explained()));
    MomentNoise noise = new MomentNoise.Gaussian(selected.sigma());
    return Prospect.ofBoth(
        () ->
            selected.selected() == selected.dimension() - 2
                ? Double.POSITIVE_INFINITY
                : lost * (1.0 + ExpectedError.moments(few, noise)) - 1.0,
        SQUARES_FOR_LAD,
        "moments of a few columns of many, for one response; better than this if only these matter",
        FEW);
  }

  @Override
  public Prospect model(Payload.Model fitted) {
    Optional<Way> way =
        Optional.of(
            new Way(
                () -> ExpectedModel.of(model, fitted).likely(),
                "one model of one response; nothing else can be asked of it"));
    if (fitted.loss().isLogistic()) {
      return new Prospect(Optional.empty(), Optional.empty(), way, USELESS);
    }
    return fitted.loss().isSquared()
        ? new Prospect(
            way, Optional.empty(), fitted.origin() instanceof ModelOrigin.Descent ? FEW : USELESS)
        : new Prospect(Optional.empty(), way, USELESS);
  }

  @Override
  public Prospect statistics(Payload.SufficientStatistics statistics) {
    return new Prospect(Optional.empty(), Optional.empty(), USELESS); // its error cannot be told
  }
}

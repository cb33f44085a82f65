package io.gauze.regression.strata;

import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.regression.Fit;
import io.gauze.regression.FitInput;
import io.gauze.regression.FitOutcome;
import io.gauze.regression.FitSummary;
import io.gauze.regression.Merge;
import io.gauze.regression.RangeEnd;
import io.gauze.regression.RegressionProblem;
import io.gauze.regression.moments.ReleasedMoments;
import io.gauze.regression.rows.ExactMoments;
import io.gauze.regression.rows.MomentsInput;
import io.gauze.sketch.StratifiedMomentsSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Second moments of the rows of each stratum, with symmetric Gaussian noise. The range [-1, 1] of a
 * public column, or of the residual of a public model, is cut into K equal parts; stratum k
 * contains its values in {@code [-1 + 2k/K, -1 + 2(k+1)/K)}. Every stratum's matrix has independent
 * N(0, sigma^2) on the diagonal and N(0, sigma^2 / 2) above it. Strata of residuals come with the
 * moments of all rows, under a noise of their own, by which they are corrected.
 *
 * <p>Supports least absolute deviations, quantiles, Huber's loss and, through {@link #pooled}, the
 * squared loss. Immutable; holds K D (D + 1) / 2 doubles.
 */
public final class ReleasedStrata implements FitInput {
  private final StratifyingDirection axis;
  private final List<SymmetricMatrix> moments;
  private final StrataNoise noise;
  private final double intercept;
  private final double least; // the range of what decides the stratum, in its interval [-1, 1]
  private final double most;

  private ReleasedStrata(
      StratifyingDirection axis,
      List<SymmetricMatrix> moments,
      StrataNoise noise,
      double intercept,
      double least,
      double most) {
    this.axis = axis;
    this.moments = List.copyOf(moments);
    this.noise = noise;
    this.intercept = intercept;
    this.least = least;
    this.most = most;
  }

  /**
   * Returns the strata of one release.
   *
   * @param spec the number of columns and of strata, and the column that decides the stratum
   * @param values K upper triangles of D (D + 1) / 2 sums in encoded units, stratum by stratum, row
   *     by row; copied
   * @param sigma standard deviation of the noise on the diagonals, in encoded units; 0 for sums
   *     without noise, which are NOT private
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if an argument is out of range, or a value not finite
   */
  public static ReleasedStrata of(
      StratifiedMomentsSpec spec, double[] values, double sigma, double intercept) {
    Checks.length("values", values.length, spec.stateLength());
    Checks.finite("values", values);
    Checks.nonNegativeFinite("sigma", sigma);
    Checks.positiveFinite("intercept", intercept);
    int length = SymmetricMatrix.length(spec.dimension());
    List<SymmetricMatrix> moments = new ArrayList<>(spec.strata());
    double[] upper = new double[length];
    for (int k = 0; k < spec.strata(); k++) {
      System.arraycopy(values, k * length, upper, 0, length);
      moments.add(SymmetricMatrix.ofUpperTriangle(spec.dimension(), upper));
    }
    return new ReleasedStrata(
        StratifyingDirection.of(spec.column(), spec.dimension()),
        moments,
        new StrataNoise(sigma, spec.strata(), Double.POSITIVE_INFINITY),
        intercept,
        -1.0,
        1.0);
  }

  /**
   * Returns the strata of rows whose values of the column are all in a part of [-1, 1], as those of
   * a column with a typical value are. The other strata are empty and contain nothing but noise:
   * fits leave them out.
   *
   * @throws IllegalArgumentException unless {@code -1 <= least <= 0 <= most <= 1}
   */
  public ReleasedStrata within(double least, double most) {
    Checks.within("least", least, -1.0, 0.0);
    Checks.within("most", most, 0.0, 1.0);
    return new ReleasedStrata(axis, moments, noise, intercept, least, most);
  }

  /**
   * Returns strata of residuals.
   *
   * @param axis of the residual
   * @param all the moments of all rows
   * @param strata the moments of each stratum
   * @param noise the law of the noise in all of them
   * @param intercept the constant c0 at index 0 of every row; positive
   */
  public static ReleasedStrata ofResiduals(
      StratifyingDirection axis,
      SymmetricMatrix all,
      List<SymmetricMatrix> strata,
      StrataNoise noise,
      double intercept) {
    SymmetricMatrix apart = all;
    for (SymmetricMatrix stratum : strata) {
      apart = apart.plus(stratum.times(-1.0));
    }
    SymmetricMatrix part = apart.times(noise.correction());
    List<SymmetricMatrix> corrected = strata.stream().map(part::plus).toList();
    return new ReleasedStrata(axis, corrected, noise, intercept, -1.0, 1.0);
  }

  @Override
  public FitOutcome solve(RegressionProblem problem) {
    return problem.loss().isSquared() ? pooled().solve(problem) : StrataFit.fit(this, problem);
  }

  @Override
  public FitSummary summary(Fit fit) {
    return pooled().summary(fit);
  }

  @Override
  public Predicate<RangeEnd> crowdedEnds() {
    return pooled().crowdedEnds();
  }

  @Override
  public OptionalDouble ignorance(Fit fit) {
    return pooled().ignorance(fit);
  }

  // Strata show where residuals lie, but hardly the tails.
  @Override
  public double largestExcess(Fit fit) {
    return fit.problem().isOuterQuantile()
        ? Double.POSITIVE_INFINITY
        : pooled().largestByResidual(fit);
  }

  @Override
  public boolean addsUp() {
    return axis.isColumn();
  }

  @Override
  public String whyNotSummable() {
    return "the strata of each are those of a model of its own";
  }

  /**
   * Returns the strata of the rows of both releases, whose noises are independent.
   *
   * @throws IllegalArgumentException if dimension, column, number of strata or intercept differ
   */
  @Override
  public ReleasedStrata plus(FitInput input) {
    ReleasedStrata other = Merge.same(ReleasedStrata.class, this, input);
    Checks.within("strata", other.strata(), strata(), strata());
    Checks.within("column", other.column(), column(), column());
    List<SymmetricMatrix> sums = new ArrayList<>(strata());
    for (int k = 0; k < strata(); k++) {
      sums.add(moments.get(k).plus(other.moments.get(k)));
    }
    StrataNoise both =
        new StrataNoise(Math.hypot(sigma(), other.sigma()), strata(), Double.POSITIVE_INFINITY);
    return new ReleasedStrata(axis, sums, both, intercept, least, most);
  }

  /** The number of strata K. */
  public int strata() {
    return noise.strata();
  }

  /** The encoded column that decides the stratum, or whose residual does. */
  public int column() {
    return axis.column();
  }

  StratifyingDirection axis() {
    return axis;
  }

  /** The noise of the strata that can contain rows. */
  public StrataNoise noise() {
    return new StrataNoise(noise.sigma(), possible().size(), noise.totalSigma());
  }

  /** Returns the strata that can contain rows: those that meet the range of the column. */
  List<Integer> possible() {
    return IntStream.range(0, strata())
        .filter(k -> lower(k) <= most && lower(k + 1) > least)
        .boxed()
        .toList();
  }

  /** Returns the part of a stratum that is in the range of the column, in units of the axis. */
  StratumRange range(int stratum) {
    double half = axis.half();
    return new StratumRange(
        half * Math.max(lower(stratum), least), half * Math.min(lower(stratum + 1), most), 1.0);
  }

  /**
   * The standard deviation of the noise on the diagonal of each stratum's matrix, before it was
   * corrected by the moments of all rows.
   */
  public double sigma() {
    return noise.sigma();
  }

  /**
   * Returns the least value of the column, or of the residual, in a stratum: {@code -1 + 2k/K}. The
   * first and last stratum of residuals also hold the values beyond.
   */
  public double lower(int stratum) {
    Checks.within("stratum", stratum, 0, strata());
    return -1.0 + 2.0 * stratum / strata();
  }

  /**
   * Returns the noisy sums of a stratum, in encoded units.
   *
   * @throws IllegalArgumentException if {@code stratum} is not in [0, K)
   */
  public SymmetricMatrix moments(int stratum) {
    Checks.within("stratum", stratum, 0, strata() - 1);
    return moments.get(stratum);
  }

  @Override
  public double intercept() {
    return intercept;
  }

  @Override
  public int dimension() {
    return axis.weights().size();
  }

  /**
   * Returns the moments of all rows, for the squared loss. Their noise is {@code sigma sqrt K},
   * less where the release also holds the moments of all rows.
   */
  public MomentsInput pooled() {
    SymmetricMatrix sum =
        possible().stream().map(moments::get).reduce(SymmetricMatrix::plus).orElseThrow();
    double sigma = noise().pooledSigma();
    return sigma == 0.0
        ? ExactMoments.of(sum, intercept)
        : new ReleasedMoments(sum, sigma, intercept);
  }

  /**
   * Returns the squared correlation, over all rows, of a weighted sum of a row's entries with what
   * decides the stratum: the part of its variance that strata can tell of.
   *
   * @param weights of the entries
   * @return in [0, 1]
   */
  public double told(DoubleVector weights) {
    SymmetricMatrix all = pooled().moments();
    double own = covariance(all, weights, weights);
    double axes = covariance(all, axis.weights(), axis.weights());
    double both = covariance(all, weights, axis.weights());
    return own > 0.0 && axes > 0.0 ? Math.min(1.0, both * both / (own * axes)) : 0.0;
  }

  private static double covariance(SymmetricMatrix all, DoubleVector left, DoubleVector right) {
    double sum = 0.0;
    double ofLeft = 0.0;
    double ofRight = 0.0;
    for (int i = 0; i < left.size(); i++) {
      ofLeft += left.get(i) * all.get(0, i);
      ofRight += right.get(i) * all.get(0, i);
      for (int j = 0; j < right.size(); j++) {
        sum += left.get(i) * all.get(i, j) * right.get(j);
      }
    }
    return sum - ofLeft * ofRight / all.get(0, 0);
  }

  @Override
  public String toString() {
    String of = axis.isColumn() ? " strata of column " : " strata of the residual of column ";
    return strata() + of + column() + ", " + dimension() + " columns";
  }
}

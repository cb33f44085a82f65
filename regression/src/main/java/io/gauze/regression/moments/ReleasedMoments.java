package io.gauze.regression.moments;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.CutRows;
import io.gauze.regression.FitInput;
import io.gauze.regression.Merge;
import java.util.Objects;
import java.util.Optional;

/**
 * Second moments with noise of a known law that does not depend on the moments.
 *
 * @param moments the noisy sums, in encoded units; unbiased
 * @param noise the law of their error
 * @param intercept the constant c0 at index 0 of every row; positive
 * @param counts of the rows; empty if the release has none
 */
public record ReleasedMoments(
    SymmetricMatrix moments, MomentNoise noise, double intercept, Optional<RowCounts> counts)
    implements NoisyMomentsInput {
  /**
   * Numbers of rows with noise.
   *
   * @param all the number of rows
   * @param apart the number of those whose responses were shortened apart
   * @param variance of the noise of the sum of both
   * @param constant the entry at index 0 of a whole row, on the grid
   * @param bound the largest norm of a row
   */
  public record RowCounts(
      double all, double apart, double variance, double constant, double bound) {
    /** Returns the numbers of both. */
    RowCounts plus(RowCounts other) {
      return new RowCounts(
          all + other.all, apart + other.apart, variance + other.variance, constant, bound);
    }
  }

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if intercept is not positive and finite, or Wishart noise has
   *     fewer degrees of freedom than there are columns
   */
  public ReleasedMoments {
    Objects.requireNonNull(moments, "moments");
    Objects.requireNonNull(noise, "noise");
    Checks.positiveFinite("intercept", intercept);
    noise.checkColumns(moments.dimension());
  }

  /**
   * Creates moments with {@link MomentNoise.Gaussian} noise.
   *
   * @throws IllegalArgumentException if sigma or intercept is not positive and finite
   */
  public ReleasedMoments(SymmetricMatrix moments, double sigma, double intercept) {
    this(moments, new MomentNoise.Gaussian(sigma), intercept);
  }

  /** Creates moments without counts of rows. */
  public ReleasedMoments(SymmetricMatrix moments, MomentNoise noise, double intercept) {
    this(moments, noise, intercept, Optional.empty());
  }

  /** Returns a copy with counts of the rows. */
  public ReleasedMoments with(RowCounts rows) {
    return new ReleasedMoments(moments, noise, intercept, Optional.of(rows));
  }

  /**
   * Returns moments as they were released, less the mean of their noise.
   *
   * @param raw the moments of the rows, with the noise and its mean
   * @param noise its law
   * @param intercept the constant c0 at index 0 of every row; positive
   * @throws IllegalArgumentException if intercept is not positive and finite, or there are fewer
   *     degrees of freedom than columns
   */
  public static ReleasedMoments debiased(SymmetricMatrix raw, MomentNoise noise, double intercept) {
    return new ReleasedMoments(raw.plusDiagonal(-noise.mean()), noise, intercept);
  }

  @Override
  public NoiseLaw law(int... columns) {
    return new AdditiveLaw(noise);
  }

  // A row that is shortened by f has the constant f c0, and is one of the rows. A response that is
  // shortened apart is taken for one that lost all of its weight.
  @Override
  public Optional<CutRows> cut() {
    return counts.map(this::cut);
  }

  private CutRows cut(RowCounts rows) {
    double square = rows.constant() * rows.constant();
    double lost = rows.all() + rows.apart() - moments.get(0, 0) / square;
    double variance = rows.variance() + noise.diagonalVariance() / (square * square);
    double squares = 0.0;
    for (int i = 0; i < dimension(); i++) {
      squares += moments.get(i, i) / (rows.bound() * rows.bound());
    }
    return CutRows.measured(rows.all(), lost, Math.sqrt(variance), squares);
  }

  @Override
  public boolean addsUp() {
    return true;
  }

  /**
   * Returns the moments of the rows of both releases, whose noises are independent.
   *
   * @throws IllegalArgumentException if dimension, intercept or kind of noise differ
   */
  @Override
  public ReleasedMoments plus(FitInput input) {
    ReleasedMoments other = Merge.same(ReleasedMoments.class, this, input);
    return new ReleasedMoments(
        moments.plus(other.moments),
        noise.plus(other.noise),
        intercept,
        counts.flatMap(rows -> other.counts.map(rows::plus)));
  }
}

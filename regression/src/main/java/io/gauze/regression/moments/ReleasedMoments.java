package io.gauze.regression.moments;

import io.gauze.internal.Checks;
import io.gauze.linalg.SymmetricMatrix;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.CutRows;
import io.gauze.regression.FitInput;
import io.gauze.regression.Merge;
import io.gauze.row.Grid;
import java.util.Objects;
import java.util.Optional;

/**
 * Second moments with noise of a known law that does not depend on the moments.
 *
 * @param moments the noisy sums, in encoded units; unbiased
 * @param noise the law of their error
 * @param intercept the constant c0 at index 0 of every row; positive
 * @param lost the weight that shortening took off the rows; empty if the release does not have it
 */
public record ReleasedMoments(
    SymmetricMatrix moments, MomentNoise noise, double intercept, Optional<LostWeight> lost)
    implements NoisyMomentsInput {
  /**
   * The weight that shortening took off rows, with noise.
   *
   * @param rows in rows
   * @param variance of the noise
   * @param constant the entry at index 0 of a whole row, on the grid
   * @param bound the largest norm of a row
   * @param limits what is public of it
   */
  public record LostWeight(
      double rows, double variance, double constant, double bound, CutRows.Limits limits) {
    /** Returns what rows of both lost. */
    LostWeight plus(LostWeight other) {
      return new LostWeight(rows + other.rows, variance + other.variance, constant, bound, limits);
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

  /** Creates moments of rows that lost a weight that is not known. */
  public ReleasedMoments(SymmetricMatrix moments, MomentNoise noise, double intercept) {
    this(moments, noise, intercept, Optional.empty());
  }

  /** Returns a copy of rows that lost this weight. */
  public ReleasedMoments with(LostWeight weight) {
    return new ReleasedMoments(moments, noise, intercept, Optional.of(weight));
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

  // The squares of the constants are the weight that is left.
  @Override
  public Optional<CutRows> cut() {
    return lost.map(
        weight -> {
          double squares = 0.0;
          for (int i = 0; i < dimension(); i++) {
            squares += moments.get(i, i) / (weight.bound() * weight.bound());
          }
          double whole = weight.constant() * weight.constant();
          CutRows.Deviations deviations =
              new CutRows.Deviations(
                  Math.sqrt(noise.diagonalVariance()) / whole, Math.sqrt(weight.variance()));
          // the constant of a row and that of a whole one are each rounded by less than a step
          double rounding = 2.0 * Grid.forRowBound(weight.bound()).step() / weight.constant();
          return CutRows.measured(
                  moments.get(0, 0) / whole, weight.rows(), deviations, rounding, squares)
              .within(weight.limits());
        });
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
        lost.flatMap(mine -> other.lost.map(mine::plus)));
  }
}

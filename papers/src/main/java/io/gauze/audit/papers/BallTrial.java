package io.gauze.audit.papers;

import io.gauze.audit.Trial;
import io.gauze.model.ExactSquares;
import io.gauze.model.ObjectiveNoise;
import io.gauze.model.SquaresPerturbation;
import io.gauze.noise.Entropy;
import org.apache.commons.statistics.distribution.ContinuousDistribution;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Fits one coefficient in a ball to exact sums, and computes its log-likelihood ratio, without the
 * noise that hides a solver.
 */
final class BallTrial implements Trial {
  /** Coefficients that are nearer to an end count as the end. */
  private static final double NEAR = 1e-4;

  private final SquaresPerturbation audited;
  private final ContinuousDistribution law;
  private final Data first;
  private final Data second;

  /**
   * The sums of a data set, in the encoded scale.
   *
   * @param square M, the sum of squares of features
   * @param product m, the sum of products of features and responses
   */
  record Sums(double square, double product) {
    /** Returns a copy with one row more. */
    Sums with(double feature, double response) {
      return new Sums(square + feature * feature, product + feature * response);
    }
  }

  BallTrial(SquaresPerturbation audited, Sums first, Sums second) {
    this.audited = audited;
    this.law =
        audited.spec().noise() == ObjectiveNoise.PURE
            ? LaplaceDistribution.of(0.0, audited.scale())
            : NormalDistribution.of(0.0, audited.scale());
    this.first = new Data(first);
    this.second = new Data(second);
  }

  @Override
  public double run(boolean inSecond, Entropy entropy) {
    Data data = inSecond ? second : first;
    double theta =
        Math.scalb((double) audited.steps(data.squares, entropy)[0], -audited.outputBits());
    return second.logLikelihood(theta) - first.logLikelihood(theta);
  }

  /** A data set. */
  private final class Data {
    private final double square; // M + lambda
    private final double product; // m
    private final ExactSquares squares;

    Data(Sums sums) {
      double unit = audited.spec().momentUnit();
      square = sums.square() + audited.lambda();
      product = sums.product();
      squares =
          new ExactSquares(
              new long[] {Math.round(sums.square() / unit)},
              new long[] {Math.round(sums.product() / unit)});
    }

    /** The logarithm of the density of the minimiser, or of the probability of an end. */
    private double logLikelihood(double theta) {
      double radius = audited.spec().radius();
      if (theta > radius - NEAR) {
        return Math.log(law.cumulativeProbability(product - square * radius));
      }
      return theta < NEAR - radius
          ? Math.log(law.survivalProbability(product + square * radius))
          : Math.log(square) + law.logDensity(product - square * theta);
    }
  }
}

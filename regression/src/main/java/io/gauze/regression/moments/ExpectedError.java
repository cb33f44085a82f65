package io.gauze.regression.moments;

import io.gauze.internal.Checks;
import io.gauze.payload.MomentNoise;
import io.gauze.regression.AssumedDataModel;
import io.gauze.regression.rows.NormalEquations;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;

/**
 * Predicts the error of a least-squares fit before there is a release: the expected relative excess
 * of its RMSE over the non-private fit, for a nominal model. It is 0 without noise, and never above
 * that of the fit whose coefficients are all 0.
 *
 * <p>It needs public numbers only and costs no privacy. Where the prediction is below a half, it
 * was within a factor of two of the median of simulated releases of such rows; larger predictions
 * are too low.
 */
public final class ExpectedError {
  private final AssumedDataModel model;
  private final NoiseLaw law;

  private ExpectedError(AssumedDataModel model, NoiseLaw law) {
    this.model = model;
    this.law = law;
  }

  /**
   * Returns the excess for moments with noise that does not depend on them. O(D^3) time, as for the
   * other payloads.
   */
  public static double moments(AssumedDataModel model, MomentNoise noise) {
    return new ExpectedError(model, new AdditiveLaw(noise)).excess();
  }

  /**
   * Returns the excess for a CountSketch.
   *
   * @param model the nominal model
   * @param buckets r; if it is at most the model's columns, the result is that of coefficients 0
   * @param sigma standard deviation of each entry's noise, in encoded units
   * @throws IllegalArgumentException if buckets is below 1, or sigma not positive and finite
   */
  public static double countSketch(AssumedDataModel model, int buckets, double sigma) {
    Checks.positiveFinite("sigma", sigma);
    return rows(model, buckets, sigma);
  }

  /**
   * Returns the excess for r rows {@code N(0, M + ridge I)}.
   *
   * @param model the nominal model
   * @param rows r; if it is at most the model's columns, the result is that of coefficients 0
   * @param ridge w^2, in encoded units squared; 0 for a projection of the rows alone
   * @throws IllegalArgumentException if rows is below 1, or ridge below 0 or not finite
   */
  public static double projection(AssumedDataModel model, int rows, double ridge) {
    Checks.nonNegativeFinite("ridge", ridge);
    return rows(model, rows, Math.sqrt(ridge / rows));
  }

  private static double rows(AssumedDataModel model, int rows, double sigma) {
    Checks.within("rows", rows, 1, 1 << 20);
    return rows <= model.features() + 2
        ? model.ignorance()
        : new ExpectedError(model, new BucketLaw(rows, sigma)).excess();
  }

  /**
   * Returns the excess for an inverse Wishart sample of exactly the model's columns.
   *
   * @param model the nominal model
   * @param degrees nu, at least 4 more than the model's d + 2 columns
   * @param psi the number that was added to the diagonal of the moments
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double inverseWishart(AssumedDataModel model, int degrees, double psi) {
    int columns = model.features() + 2;
    Checks.within("degreesOfFreedom", degrees, columns + 4, 1 << 24);
    Checks.positiveFinite("psi", psi);
    return new ExpectedError(model, new InverseLaw(degrees - columns - 1, psi)).excess();
  }

  // With the joint moments M of the model known, the excess of the mean square is, as for a fit,
  //   tr(M A^-1 Cov(E u) A^-1) + d'M d,   d = b0 - b, A = M + lambda P, A b = M b0,
  // at the best lambda of the grid. For noisy moments with M = n M1 and lambda = 0 it is
  //   sigma^2 [(|b|^2 + 1) tr M1^-1 + b'M1^-1 b] / (2 n).
  private double excess() {
    double[] ridge = model.problem().ridgeWeights(model.intercept());
    NormalEquations equations = new NormalEquations(model.moments(), ridge);
    double unit = law.unit(model.features() + 2);
    double best = Double.POSITIVE_INFINITY;
    for (double lambda : PenaltyBootstrap.GRID) {
      best = Math.min(best, excess(equations, lambda * unit));
    }
    double relative = best / model.residual();
    return Math.min(model.ignorance(), Math.sqrt(1.0 + relative) - 1.0);
  }

  private double excess(NormalEquations equations, double lambda) {
    int features = equations.features();
    NormalEquations.Solution solution = equations.solve(lambda, 0.0);
    DMatrixRMaj distance =
        new ReleaseError(law, model.moments(), equations, solution, model.residual()).noise();
    DMatrixRMaj pull = model.coefficients();
    CommonOps_DDRM.subtractEquals(pull, solution.b());
    CommonOps_DDRM.multAddTransB(pull, pull, distance);
    DMatrixRMaj product = new DMatrixRMaj(features, features);
    CommonOps_DDRM.mult(equations.gram(), distance, product);
    return CommonOps_DDRM.trace(product);
  }
}

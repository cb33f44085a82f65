package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.internal.Checks;
import io.gauze.linalg.DoubleVector;
import io.gauze.row.Dimensions;
import java.io.Serializable;
import java.util.Objects;

/**
 * The public numbers of an objective perturbation. None of them may be chosen by looking at rows.
 *
 * @param loss of a row
 * @param featureBound B_x, to which rows are clipped by the norm of their features; in [1/64, 256]
 * @param budget epsilon, delta and neighbours, all of it for one model
 * @param noise the law of b
 * @param determinantShare the part of epsilon that pays for the determinant, in [0.01, 0.9]: more
 *     of it means a smaller ridge and more noise. Cells of one series must have the same budget and
 *     the same share, or a row that moves between them costs more than epsilon
 * @param centre theta_0, where the ridge draws to: zeros, or a model that was released before; in
 *     the encoded scale, each entry of size at most 64
 */
public record ObjectiveSpec(
    ModelLoss loss,
    double featureBound,
    Budget budget,
    ObjectiveNoise noise,
    double determinantShare,
    DoubleVector centre)
    implements Serializable {
  /** The default share of the determinant. */
  public static final double DETERMINANT_SHARE = Tuning.DETERMINANT_SHARE;

  /** Up to so many features pure noise is the default. */
  public static final int MOST_PURE = 18;

  public static final double LARGEST_CENTRE = 64.0;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public ObjectiveSpec {
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(noise, "noise");
    Checks.within("featureBound", featureBound, 0x1p-6, 0x1p8);
    Checks.within("determinantShare", determinantShare, 0.01, 0.9);
    Dimensions.square("features", centre.size());
    for (int i = 0; i < centre.size(); i++) {
      Checks.within("centre", centre.get(i), -LARGEST_CENTRE, LARGEST_CENTRE);
    }
  }

  /**
   * Returns the defaults: pure noise up to 18 features and Gaussian noise above, a determinant's
   * share of 0.3, a ridge toward zero.
   *
   * @param features p, the intercept included
   */
  public static ObjectiveSpec of(int features, double featureBound, ModelLoss loss, Budget budget) {
    return new ObjectiveSpec(
        loss,
        featureBound,
        budget,
        features <= MOST_PURE ? ObjectiveNoise.PURE : ObjectiveNoise.GAUSSIAN,
        DETERMINANT_SHARE,
        DoubleVector.generate(features, i -> 0.0));
  }

  /**
   * Returns the default feature bound, {@code 0.7 sqrt((p - 1) / 3 + c0^2)}: 0.7 of the norm of
   * features that are uniform on their ranges. Long rows weigh less, which costs less than the
   * noise that a larger bound needs.
   *
   * @param features p, the intercept included, above 0
   * @param intercept c0, the constant feature
   */
  public static double defaultFeatureBound(int features, double intercept) {
    Dimensions.square("features", features);
    Checks.positiveFinite("intercept", intercept);
    return 0.7 * StrictMath.sqrt((features - 1) / 3.0 + intercept * intercept);
  }

  /** p: the number of features, the intercept included. */
  public int features() {
    return centre.size();
  }

  /** L: a bound on the gradient of a row. */
  public double gradientBound() {
    return Math.nextUp(loss.slope() * featureBound);
  }

  /** Beta: a bound on the second derivatives of a row's loss. */
  public double curvatureBound() {
    return Math.nextUp(loss.curvature() * Math.nextUp(featureBound * featureBound));
  }

  /** Returns a copy with other noise. */
  public ObjectiveSpec withNoise(ObjectiveNoise other) {
    return new ObjectiveSpec(loss, featureBound, budget, other, determinantShare, centre);
  }

  /** Returns a copy with another share of the determinant. */
  public ObjectiveSpec withDeterminantShare(double other) {
    return new ObjectiveSpec(loss, featureBound, budget, noise, other, centre);
  }

  /** Returns a copy whose ridge draws to a model that is public. */
  public ObjectiveSpec withCentre(DoubleVector other) {
    return new ObjectiveSpec(loss, featureBound, budget, noise, determinantShare, other);
  }
}

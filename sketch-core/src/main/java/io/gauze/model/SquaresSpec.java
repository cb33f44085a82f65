package io.gauze.model;

import io.gauze.accounting.Budget;
import io.gauze.internal.Checks;
import io.gauze.row.Dimensions;
import java.io.Serializable;
import java.util.Objects;

/**
 * The public numbers of an objective perturbation of least squares in a ball. None of them may be
 * chosen by looking at rows.
 *
 * @param features p, the intercept included
 * @param radius R of the ball, in the encoded scale; in [2^-7, 64]
 * @param gradientBound L: {@code |u| |y - u'theta|} of a row is at most this for each theta of the
 *     ball
 * @param curvatureBound beta: {@code |u|^2} of a row is at most this
 * @param momentUnit a step of the moments in the encoded scale squared, a power of two
 * @param budget epsilon, delta and neighbours, all of it for one model
 * @param noise the law of b
 */
public record SquaresSpec(
    int features,
    double radius,
    double gradientBound,
    double curvatureBound,
    double momentUnit,
    Budget budget,
    ObjectiveNoise noise)
    implements Serializable {
  /** The part of epsilon that pays for the determinant. */
  public static final double DETERMINANT_SHARE = ObjectiveSpec.DETERMINANT_SHARE;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a component is out of range
   */
  public SquaresSpec {
    Dimensions.square("features", features);
    Checks.within("radius", radius, 0x1p-7, 64.0);
    Checks.positiveFinite("gradientBound", gradientBound);
    Checks.positiveFinite("curvatureBound", curvatureBound);
    Checks.positiveFinite("momentUnit", momentUnit);
    Checks.within("momentUnit", momentUnit, 0.0, Math.scalb(1.0, Math.getExponent(momentUnit)));
    Objects.requireNonNull(budget, "budget");
    Objects.requireNonNull(noise, "noise");
  }

  /** Returns a copy with another bound on gradients, for audits of wrong ones. */
  public SquaresSpec withGradientBound(double other) {
    return new SquaresSpec(features, radius, other, curvatureBound, momentUnit, budget, noise);
  }

  /** Returns a copy with another bound on curvatures, for audits of wrong ones. */
  public SquaresSpec withCurvatureBound(double other) {
    return new SquaresSpec(features, radius, gradientBound, other, momentUnit, budget, noise);
  }
}

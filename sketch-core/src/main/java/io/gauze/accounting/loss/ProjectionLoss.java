package io.gauze.accounting.loss;

import io.gauze.accounting.ProjectionPrivacy;

/**
 * The privacy loss of a projection in one direction, see {@link ProjectionPrivacy}. With G half the
 * sum of squares, the place is the root of G, and the loss is {@code lambda G - a ln(1 + lambda)}
 * if the row is present, {@code a ln(1 + lambda) - kappa G} if it is absent.
 */
public final class ProjectionLoss implements LossLaw {
  private final ChiLaw law;
  private final double slope;
  private final double shift;

  public ProjectionLoss(int rows, double ridge, boolean present) {
    double a = 0.5 * rows;
    law = new ChiLaw(a);
    slope = present ? 1.0 / ridge : -1.0 / (1.0 + ridge);
    shift = (present ? -a : a) * Math.log1p(1.0 / ridge);
  }

  @Override
  public double low() {
    return law.low();
  }

  @Override
  public double high() {
    return law.high();
  }

  @Override
  public boolean rises() {
    return slope > 0.0;
  }

  @Override
  public double loss(double v) {
    return slope * v * v + shift;
  }

  @Override
  public double place(double loss) {
    double square = (loss - shift) / slope;
    return Math.max(low(), Math.min(high(), Math.sqrt(Math.max(0.0, square))));
  }

  @Override
  public double density(double v) {
    return law.density(v);
  }

  @Override
  public double panel(double v) {
    return ChiLaw.PANEL;
  }
}

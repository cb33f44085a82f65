package io.gauze.accounting.loss;

import io.gauze.accounting.WishartPrivacy;

/**
 * The privacy loss of Wishart noise in one direction, see {@link WishartPrivacy}. With {@code v =
 * sqrt(tau / 2)}, the place is v if the row is present, and the distance of v above the floor
 * {@code c tau = 1} if it is absent. Below the floor the loss is infinite; that part is not in this
 * law.
 */
// The loss as a function of the place is analytic except for u = 0 and for places with no positive
// real part, so a Gauss rule over [u, 2u] converges as 5.8^-16.
public final class WishartLoss implements LossLaw {
  private final ChiLaw law;
  private final double power;
  private final double c;
  private final boolean present;
  private final double floor;
  private final double low;
  private final double infinite;

  public WishartLoss(int freedom, double scale, boolean present) {
    double a = 0.5 * freedom;
    law = new ChiLaw(a);
    power = a - 1.0;
    c = scale;
    this.present = present;
    floor = present ? 0.0 : Math.sqrt(0.5 / scale);
    if (present) {
      low = law.low();
      infinite = 0.0;
    } else {
      double start = 2.0 * Math.log(floor / Math.sqrt(a));
      double certain = new LogGammaLaw(a).below(start, u -> Double.POSITIVE_INFINITY);
      // A sliver above the floor counts as infinite loss: it adds at most one part in 10^7 to the
      // probability of infinite loss.
      double sliver = Math.max(Math.exp(-DROP), 1e-7 * certain);
      double density = Math.max(1e-3, law.density(floor));
      low = Math.max(law.low() - floor, 0.25 * sliver / density);
      infinite = certain + (low > law.low() - floor ? sliver : 0.0);
    }
  }

  /** The probability of infinite loss. */
  public double infinite() {
    return infinite;
  }

  @Override
  public double low() {
    return Math.min(low, high());
  }

  @Override
  public double high() {
    return Math.max(0.0, law.high() - floor);
  }

  @Override
  public boolean rises() {
    return present;
  }

  @Override
  public double loss(double u) {
    return present
        ? 0.5 / c - power * Math.log1p(1.0 / (2.0 * c * u * u))
        : power * Math.log1p(1.0 / (2.0 * c * u * (u + 2.0 * floor))) - 0.5 / c;
  }

  @Override
  public double place(double loss) {
    double exponent = (0.5 / c + (present ? -loss : loss)) / power;
    double u = Double.POSITIVE_INFINITY;
    if (exponent > 0.0) {
      double square = 0.5 / (c * Math.expm1(exponent)); // v^2, less that of the floor
      u = square / (floor + Math.sqrt(floor * floor + square));
    }
    return u >= low() ? Math.min(u, high()) : low();
  }

  @Override
  public double density(double u) {
    return law.density(floor + u);
  }

  @Override
  public double panel(double u) {
    return Math.min(u, ChiLaw.PANEL);
  }
}

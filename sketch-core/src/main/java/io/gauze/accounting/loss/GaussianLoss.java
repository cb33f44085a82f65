package io.gauze.accounting.loss;

/**
 * The privacy loss of N(mu, 1) against N(0, 1): {@code mu^2/2 + mu z}, z a standard normal
 * variable.
 */
public record GaussianLoss(double mu) implements LossLaw {
  private static final double PEAK = 1.0 / Math.sqrt(2.0 * Math.PI);

  @Override
  public double low() {
    return -high();
  }

  @Override
  public double high() {
    return Math.sqrt(2.0 * DROP);
  }

  @Override
  public boolean rises() {
    return true;
  }

  @Override
  public double loss(double z) {
    return mu * (0.5 * mu + z);
  }

  @Override
  public double place(double loss) {
    return Math.max(low(), Math.min(high(), loss / mu - 0.5 * mu));
  }

  @Override
  public double density(double z) {
    return PEAK * Math.exp(-0.5 * z * z);
  }

  @Override
  public double panel(double z) {
    return 0.125;
  }
}

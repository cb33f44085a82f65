package io.gauze.accounting.loss;

/**
 * The privacy loss of Laplace noise, without its atoms. The loss is {@code epsilon} with
 * probability 1/2, {@code -epsilon} with probability {@code exp(-epsilon) / 2}, and has this
 * density in between. The place of a loss is the loss itself.
 */
public record LaplaceLoss(double epsilon) implements LossLaw {
  @Override
  public double low() {
    return -epsilon;
  }

  @Override
  public double high() {
    return epsilon;
  }

  @Override
  public boolean rises() {
    return true;
  }

  @Override
  public double loss(double place) {
    return place;
  }

  @Override
  public double place(double loss) {
    return Math.max(-epsilon, Math.min(epsilon, loss));
  }

  @Override
  public double density(double place) {
    return 0.25 * Math.exp(0.5 * (place - epsilon));
  }

  @Override
  public double panel(double place) {
    return 1.0;
  }
}

package io.gauze.model;

/** The law of the random vector b of objective perturbation. */
public enum ObjectiveNoise {
  /**
   * Density proportional to {@code exp(-|b| / s)}: pure epsilon, and delta pays for the distance of
   * samplers from their laws alone. Less noise up to some 18 features.
   */
  PURE("pure"),
  /** {@code N(0, sigma^2 I)}: epsilon and delta. */
  GAUSSIAN("gaussian");

  private final String label;

  ObjectiveNoise(String label) {
    this.label = label;
  }

  /** The name in texts. */
  public String label() {
    return label;
  }
}

package io.gauze.plan;

import io.gauze.internal.Checks;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.ReleaseId;
import java.io.Serializable;
import java.util.Objects;

/**
 * A sketch of a stream with its calibrated noise.
 *
 * @param name the sketch's name
 * @param weight its share of the budget, relative to the weights of the other sketches
 * @param mechanism the sketch, its noise and its cost
 */
public record SketchPlan(String name, double weight, Mechanism mechanism) implements Serializable {
  /**
   * Checks the name and the weight.
   *
   * @throws IllegalArgumentException if one of them is out of range
   */
  public SketchPlan {
    ReleaseId.checkPart("sketch name", name);
    Checks.positiveFinite("weight", weight);
    Objects.requireNonNull(mechanism, "mechanism");
  }
}

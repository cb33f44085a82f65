package io.gauze.release;

import java.io.Serializable;

/**
 * A sketch of a stream with its calibrated noise.
 *
 * @param name the sketch's name
 * @param weight its share of the budget against the other sketches' weights
 * @param mechanism the sketch, its noise and what it spends
 */
public record SketchPlan(String name, double weight, AdditiveMechanism mechanism)
    implements Serializable {}

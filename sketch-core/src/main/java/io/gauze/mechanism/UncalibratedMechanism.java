package io.gauze.mechanism;

import io.gauze.accounting.BudgetSplit;
import io.gauze.accounting.PrivacyCost;
import io.gauze.sketch.SketchSpec;
import java.util.function.Function;

/**
 * A mechanism with its sizes, before its share of the budget is known exactly.
 *
 * @param spec the sketch whose state is kept
 * @param family how what it costs depends on its share
 * @param samplerDistance the total variation between the noise of one release as it is sampled and
 *     as it is proved; 0 for idealised mechanisms
 * @param calibrate the mechanism of a cost that is the family's; throws IllegalArgumentException if
 *     the noise is outside of a sampler's range
 */
record UncalibratedMechanism(
    SketchSpec spec,
    BudgetSplit.Family family,
    double samplerDistance,
    Function<PrivacyCost, Mechanism> calibrate) {}

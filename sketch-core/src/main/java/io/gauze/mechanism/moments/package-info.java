/**
 * Mechanisms whose releases are noisy sums: second moments, their strata, counts of a hashed
 * sketch.
 */
package io.gauze.mechanism.moments;

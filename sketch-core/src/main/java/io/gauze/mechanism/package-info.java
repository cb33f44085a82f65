/**
 * Mechanisms: a sketch with its sensitivity, its noise and its cost, and the planning of a stream
 * with all its sketches. {@link io.gauze.mechanism.Mechanisms} lists the kinds of mechanisms.
 */
package io.gauze.mechanism;

/**
 * Mechanisms: a sketch, its sensitivity, its noise and what that costs; and the planning of a
 * stream with all its sketches. A kind of mechanism is listed in {@link
 * io.gauze.mechanism.Mechanisms}.
 */
package io.gauze.mechanism;

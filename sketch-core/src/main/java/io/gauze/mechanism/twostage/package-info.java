/** Second moments of rows that a first, cheap release of the same rows has centred and whitened. */
package io.gauze.mechanism.twostage;

/** Fits of second moments of rows that a public transform has centred and whitened. */
package io.gauze.regression.twostage;

/** Quantile regression and least absolute deviations on weighted rows, to an exact vertex. */
package io.gauze.regression.quantile;

/** Quantile regression and least absolute deviations on weighted rows; a fit is an exact vertex. */
package io.gauze.regression.quantile;

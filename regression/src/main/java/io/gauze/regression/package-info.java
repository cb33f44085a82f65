/**
 * Regressions on raw rows and on releases: least squares, ridge, LASSO and elastic net, with
 * standard errors that include sampling and privacy noise; quantile regression and least absolute
 * deviations on weighted rows.
 *
 * <p>Fits of a release are post-processing: they cost no privacy, and nothing here is private by
 * itself.
 */
package io.gauze.regression;

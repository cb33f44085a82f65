/**
 * Fits of raw rows and of exact moments, and the solvers of normal equations, quantiles and Huber
 * losses.
 */
package io.gauze.regression.rows;

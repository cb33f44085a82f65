/** Fits of noisy histograms. */
package io.gauze.regression.histogram;

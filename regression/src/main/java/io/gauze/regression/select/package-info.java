/** Fits of the mechanism select-fit. */
package io.gauze.regression.select;

/** Fits of mechanisms of papers that are kept for comparison. */
package io.gauze.regression.papers;

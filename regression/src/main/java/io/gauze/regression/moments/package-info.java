/** Fits of noisy second moments: laws of the noise, intervals, and predicted errors. */
package io.gauze.regression.moments;

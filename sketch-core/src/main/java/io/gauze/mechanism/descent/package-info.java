/** Least squares by noisy gradient descent on whitened rows. */
package io.gauze.mechanism.descent;

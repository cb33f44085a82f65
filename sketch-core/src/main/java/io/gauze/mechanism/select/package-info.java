/** The mechanism that selects features with noise and releases the moments of those. */
package io.gauze.mechanism.select;

/** Samplers of noise over a cryptographic source of random bits; exact where that is possible. */
package io.gauze.noise;

/** Samplers of noise, exact where they can be, over a cryptographic source of random bits. */
package io.gauze.noise;

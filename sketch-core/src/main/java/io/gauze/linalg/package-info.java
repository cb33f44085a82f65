/** Symmetric matrices and their spectra, for small dimensions. */
package io.gauze.linalg;

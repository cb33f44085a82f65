/** Releases: published sketches with their guarantee, and their file formats. */
package io.gauze.release;

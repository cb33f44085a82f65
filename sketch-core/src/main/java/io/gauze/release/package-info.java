/** Releases: what is published, with its guarantee, and the formats of its file. */
package io.gauze.release;

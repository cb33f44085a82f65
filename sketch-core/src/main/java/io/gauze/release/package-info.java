/** Planning of a stream's noise, and releases: what is published, with its guarantee. */
package io.gauze.release;

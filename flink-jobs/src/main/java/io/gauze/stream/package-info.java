/**
 * What a config means for a stream: its settings, epochs, sketches in blocks, and the bytes that
 * travel.
 */
package io.gauze.stream;

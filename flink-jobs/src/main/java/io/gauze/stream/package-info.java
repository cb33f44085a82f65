/**
 * The settings of a stream that follow from its config, and the data types that its operators
 * exchange: cells, blocks of sketches, offsets and messages.
 */
package io.gauze.stream;

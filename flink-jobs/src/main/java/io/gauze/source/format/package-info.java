/** The formats that a config can name, with their decoders, key readers and writers. */
package io.gauze.source.format;

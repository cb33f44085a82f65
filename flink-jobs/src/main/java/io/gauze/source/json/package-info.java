/** Decoders of JSON records and keys, with and without an envelope. */
package io.gauze.source.json;

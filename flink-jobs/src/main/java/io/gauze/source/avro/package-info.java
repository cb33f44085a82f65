/** Decoders of Avro records and keys, and the client of the schema registry. */
package io.gauze.source.avro;

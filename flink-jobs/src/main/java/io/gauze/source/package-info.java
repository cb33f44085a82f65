/** The formats of rows: decoders of records into rows, and writers of rows as records. */
package io.gauze.source;

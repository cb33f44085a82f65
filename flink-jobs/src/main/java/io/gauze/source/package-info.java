/** Formats of rows: how a record becomes a row, and a row a record. */
package io.gauze.source;

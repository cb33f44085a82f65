/** Rows: public bounds, encoding, clipping, the fixed-point grid and row keys. */
package io.gauze.row;

/** Rows of files: the reader of CSV, and made-up rows. */
package io.gauze.source.file;

/** Rows of files and made-up rows on their way to a topic or a sketch. */
package io.gauze.cli.rows;

/** The command {@code gauze}. Data go to stdout, progress, logs and errors to stderr. */
package io.gauze.cli;

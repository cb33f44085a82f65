/** Releases that a command reads, from files or a topic. */
package io.gauze.cli.release;

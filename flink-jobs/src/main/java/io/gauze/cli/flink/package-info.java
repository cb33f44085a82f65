/** Jobs of commands: in this process, on a cluster, and their checks. */
package io.gauze.cli.flink;

/** Runs inside this process: a broker, a Flink cluster, and a sketch of a file without either. */
package io.gauze.local;

/** A question to a set of releases, and its answer; without Flink. */
package io.gauze.fit;

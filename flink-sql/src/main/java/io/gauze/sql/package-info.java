/** Releases, fits and predictions in Flink SQL. */
package io.gauze.sql;

/** The records that the jobs read from Kafka and write to it. */
package io.gauze.kafka;

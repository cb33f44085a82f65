/**
 * Kafka: access, secrets, topics and their settings, and the records that the jobs read and write.
 */
package io.gauze.kafka;

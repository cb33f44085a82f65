/** Kafka: access, secrets, topics and their settings, and how far topics can be read. */
package io.gauze.topic;

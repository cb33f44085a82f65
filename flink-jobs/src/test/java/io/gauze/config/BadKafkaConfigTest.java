package io.gauze.config;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link BadConfigTest}, for what concerns Kafka and Flink. */
final class BadKafkaConfigTest {
  @ParameterizedTest(name = "{3}")
  @MethodSource({"kafka", "rows", "flink"})
  void isRefused(String piece, String replacement, int line, String message) {
    ConfigText.isRefused(piece, replacement, line, message);
  }

  static Stream<Arguments> kafka() {
    return Stream.of(
        arguments(
            "bootstrap: localhost:9092",
            "bootstrap: localhost",
            17,
            "kafka.bootstrap must be host:port, ports in [1, 65535], several separated by commas. Provided value: localhost"),
        arguments(
            "bootstrap: localhost:9092",
            "bootstrap: a:9092,b:65536",
            17,
            "kafka.bootstrap must be host:port, ports in [1, 65535], several separated by commas. Provided value: a:9092,b:65536"),
        arguments(
            "client.id: 7",
            "bootstrap.servers: h:1",
            18,
            "kafka.properties.bootstrap.servers is set by the engine itself; remove the key and write kafka.bootstrap"),
        arguments(
            "client.id: 7",
            "isolation.level: read_uncommitted",
            18,
            "kafka.properties.isolation.level is set by the engine itself; remove the key"),
        arguments(
            "client.id: 7",
            "ssl.key.password: hunter2",
            18,
            "kafka.properties.ssl.key.password must take its secret from ${env:NAME} or ${file:/path}, since the config travels in the job graph, where everyone who sees the cluster can read it"),
        arguments(
            "client.id: 7",
            "sasl.jaas.config: 'Login required username=u password=\"hunter2\";'",
            18,
            "kafka.properties.sasl.jaas.config must take its secret from ${env:NAME} or ${file:/path}, since the config travels in the job graph, where everyone who sees the cluster can read it"),
        arguments(
            "client.id: 7",
            "client.id: [7]",
            18,
            "kafka.properties.client.id must be a text, a number, true or false. Provided value: a list"),
        arguments(
            "{topic: published}",
            "{topic: rows}",
            20,
            "kafka.releases.topic must be another topic than that of kafka.rows. Provided value: rows"),
        arguments(
            "{topic: published}",
            "{topic: ledger}",
            20,
            "kafka.releases.topic must be another topic than that of kafka.ledger. Provided value: ledger"),
        arguments(
            "{topic: published}",
            "{topic: a/b}",
            20,
            "kafka.releases.topic must be a topic name: letters, digits, points, underscores and hyphens, at most 249. Provided value: a/b"),
        arguments(
            "{topic: published}",
            "published",
            20,
            "kafka.releases must be keys and values. Provided value: published"),
        arguments(
            "releases: {topic: published}",
            "release: {topic: published}",
            20,
            "kafka has no key release; the nearest is releases, and it may have bootstrap, properties, rows, releases, ledger, requests, answers, deadLetters, late, create"),
        arguments(
            "partitions: 4",
            "partitions: 0",
            21,
            "kafka.create.partitions must be a whole number in [1, 10000]. Provided value: 0"),
        arguments(
            ", replicas: 1",
            "",
            21,
            "kafka.create lacks the key replicas, which must be a whole number, at least 1"));
  }

  static Stream<Arguments> rows() {
    return Stream.of(
        arguments(
            "format: json",
            "format: csv",
            19,
            "kafka.rows.format csv is not supported yet; write the rows as JSON objects and use json"),
        arguments(
            "start: earliest",
            "start: latest",
            19,
            "kafka.rows.start latest is not supported yet; use earliest"),
        arguments(
            "start: earliest",
            "upsert: true",
            19,
            "kafka.rows.upsert true is not supported yet; append-only rows are; use false"),
        arguments(
            "start: earliest",
            "key: {field: id}",
            19,
            "kafka.rows.key keys and values is not supported yet; rows are known by their partition and offset; use offset"),
        arguments(
            "start: earliest",
            "key: record",
            19,
            "kafka.rows.key record is not supported yet; rows are known by their partition and offset; use offset"),
        arguments(
            "bounded: false",
            "bounded: no",
            19,
            "kafka.rows.bounded must be true or false. Provided value: no"),
        arguments(
            "bounded: false",
            "bound: true",
            19,
            "kafka.rows has no key bound; the nearest is bounded, and it may have topic, format, key, start, bounded, upsert"));
  }

  static Stream<Arguments> flink() {
    String parallelism = "parallelism.default: 2";
    String interval =
        "a positive duration such as 10 s, since a release is sent when a checkpoint has completed";
    return Stream.of(
        arguments(
            parallelism,
            "execution.checkpointing.unaligned.enabled: true",
            24,
            "flink.properties.execution.checkpointing.unaligned.enabled must be false, since partial sums without noise would be in the checkpoints; remove the key. Provided value: true"),
        arguments(
            parallelism,
            "execution.checkpointing.unaligned: true",
            24,
            "flink.properties.execution.checkpointing.unaligned must be false, since partial sums without noise would be in the checkpoints; remove the key. Provided value: true"),
        arguments(
            parallelism,
            "execution.runtime-mode: BATCH",
            24,
            "flink.properties.execution.runtime-mode must be streaming, since releases are sent at checkpoints, which batch jobs do not have; remove the key. Provided value: BATCH"),
        arguments(
            parallelism,
            "state.backend.type: rocksdb",
            24,
            "flink.properties.state.backend.type must be hashmap, since others keep old versions of the sums side by side; remove the key. Provided value: rocksdb"),
        arguments(
            parallelism,
            "state.backend: forst",
            24,
            "flink.properties.state.backend must be hashmap, since others keep old versions of the sums side by side; remove the key. Provided value: forst"),
        arguments(
            parallelism,
            "state.changelog.enabled: true",
            24,
            "flink.properties.state.changelog.enabled must be false, since a changelog keeps old versions of the sums; remove the key. Provided value: true"),
        arguments(
            parallelism,
            "execution.checkpointing.mode: AT_LEAST_ONCE",
            24,
            "flink.properties.execution.checkpointing.mode must be exactly_once, since rows must count once; remove the key. Provided value: AT_LEAST_ONCE"),
        arguments(
            "interval: 10 s",
            "interval: 0 s",
            25,
            "flink.properties.execution.checkpointing.interval must be "
                + interval
                + ". Provided value: 0 s"),
        arguments(
            "interval: 10 s",
            "interval: often",
            25,
            "flink.properties.execution.checkpointing.interval must be "
                + interval
                + ". Provided value: often"),
        arguments(
            "    execution.checkpointing.interval: 10 s\n",
            "",
            24,
            "flink.properties lacks the key execution.checkpointing.interval, which must be "
                + interval),
        arguments(
            parallelism,
            "parallelism.default: {a: b}",
            24,
            "flink.properties.parallelism.default must be a text, a number, true or false. Provided value: keys and values"));
  }
}

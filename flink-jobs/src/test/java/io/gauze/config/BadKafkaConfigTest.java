package io.gauze.config;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** As {@link BadStreamConfigTest}, for what concerns Kafka and Flink. */
final class BadKafkaConfigTest {
  @ParameterizedTest(name = "{3}")
  @MethodSource({"kafka", "rows", "formats", "registries", "flink"})
  void isRefused(String piece, String replacement, int line, String message) {
    ConfigText.isRefused(piece, replacement, line, message);
  }

  private static final String LOGIN = "sasl.jaas.config: 'Login required ";

  /** A secret is one reference and nothing else, whatever other references there are. */
  private static Arguments plainSecret(String property, String key) {
    return arguments(
        "client.id: 7",
        property,
        18,
        "kafka.properties."
            + key
            + " must take its secret from ${env:NAME} or ${file:/path}, since the config travels in"
            + " the job graph, where everyone who sees the cluster can read it");
  }

  static Stream<Arguments> kafka() {
    return Stream.of(
        arguments(
            "bootstrap: localhost:9092",
            "bootstrap: localhost",
            17,
            "kafka.bootstrap must be host:port, ports in [1, 65535], several separated by commas."
                + " Provided value: localhost"),
        arguments(
            "bootstrap: localhost:9092",
            "bootstrap: a:9092,b:65536",
            17,
            "kafka.bootstrap must be host:port, ports in [1, 65535], several separated by commas."
                + " Provided value: a:9092,b:65536"),
        arguments(
            "client.id: 7",
            "bootstrap.servers: h:1",
            18,
            "kafka.properties.bootstrap.servers is set by the engine itself; remove the key and"
                + " write kafka.bootstrap"),
        arguments(
            "client.id: 7",
            "isolation.level: read_uncommitted",
            18,
            "kafka.properties.isolation.level is set by the engine itself; remove the key"),
        arguments(
            "client.id: 7",
            "group.id: mine",
            18,
            "kafka.properties.group.id is set by the engine itself; remove the key"),
        arguments(
            "client.id: 7",
            "transaction.timeout.ms: 3600000",
            18,
            "kafka.properties.transaction.timeout.ms is set by the engine itself; remove the key"),
        arguments(
            "client.id: 7",
            "ssl.key.password: hunter2",
            18,
            "kafka.properties.ssl.key.password must take its secret from ${env:NAME} or"
                + " ${file:/path}, since the config travels in the job graph, where everyone who"
                + " sees the cluster can read it"),
        arguments(
            "client.id: 7",
            "sasl.jaas.config: 'Login required username=u password=\"hunter2\";'",
            18,
            "kafka.properties.sasl.jaas.config must take its secret from ${env:NAME} or"
                + " ${file:/path}, since the config travels in the job graph, where everyone who"
                + " sees the cluster can read it"),
        plainSecret("ssl.key.password: 'x${env:P}'", "ssl.key.password"),
        plainSecret("ssl.key.password: '${env:P}${env:Q}'", "ssl.key.password"),
        plainSecret(LOGIN + "username=\"${env:U}\" password=\"hunter2\";'", "sasl.jaas.config"),
        plainSecret(LOGIN + "password=\"${env:P}2\";'", "sasl.jaas.config"),
        plainSecret(LOGIN + "password = hunter2 x=\"${env:P}\";'", "sasl.jaas.config"),
        plainSecret(LOGIN + "password=\"${env:P}\" clientSecret=\"hunter2\";'", "sasl.jaas.config"),
        arguments(
            "client.id: 7",
            "client.id: [7]",
            18,
            "kafka.properties.client.id must be a text, a number, true or false. Provided value: a"
                + " list"),
        arguments(
            "{topic: published}",
            "{topic: rows}",
            20,
            "kafka.releases.topic must be another topic than that of kafka.rows. Provided value:"
                + " rows"),
        arguments(
            "{topic: published}",
            "{topic: ledger}",
            20,
            "kafka.releases.topic must be another topic than that of kafka.ledger. Provided value:"
                + " ledger"),
        arguments(
            "{topic: published}",
            "{topic: a/b}",
            20,
            "kafka.releases.topic must be a topic name: letters, digits, points, underscores and"
                + " hyphens, at most 249. Provided value: a/b"),
        arguments(
            "{topic: published}",
            "published",
            20,
            "kafka.releases must be keys and values. Provided value: published"),
        arguments(
            "releases: {topic: published}",
            "release: {topic: published}",
            20,
            "kafka has no key release; the nearest is releases, and it may have bootstrap,"
                + " properties, rows, releases, ledger, requests, answers, deadLetters, late,"
                + " create"),
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
            "start: earliest",
            "start: latest",
            19,
            "kafka.rows.start latest is not supported yet; use earliest"),
        arguments(
            "bounded: false",
            "bounded: no",
            19,
            "kafka.rows.bounded must be true or false. Provided value: no"),
        arguments(
            "bounded: false",
            "bound: true",
            19,
            "kafka.rows has no key bound; the nearest is bounded, and it may have topic, format,"
                + " key, upsert, deletion, identity, columns, separator, schema, registry, start,"
                + " bounded"));
  }

  static Stream<Arguments> formats() {
    String json = "format: json";
    String columns = "a list of the names of all values of a line, in their order";
    String key =
        "kafka.rows lacks the key \"key\", which must be record or {field: NAME}: changes and"
            + " deletions are of the row with the same key";
    return Stream.of(
        arguments(
            json,
            "format: protobuf",
            19,
            "kafka.rows.format must be one of json, csv, avro, avro-confluent, debezium-json,"
                + " debezium-avro-confluent. Provided value: protobuf"),
        arguments(
            json, "format: csv", 19, "kafka.rows lacks the key columns, which must be " + columns),
        arguments(
            json,
            "format: csv, columns: alcohol",
            19,
            "kafka.rows.columns must be " + columns + ". Provided value: alcohol"),
        arguments(
            json,
            "format: csv, columns: [alcohol, cut, region, alcohol]",
            19,
            "kafka.rows.columns[3] must be another name than those before it. Provided value:"
                + " alcohol"),
        arguments(
            json,
            "format: csv, columns: [alcohol, cut, region]",
            19,
            "kafka.rows.columns lacks the field sex, which the stream reads; add it"),
        arguments(
            json,
            "format: csv, columns: [alcohol, cut, sex, region], key: {field: id}",
            19,
            "kafka.rows.columns lacks the field id, which the stream reads; add it"),
        arguments(
            json,
            "format: csv, columns: [alcohol, cut, sex, region], separator: x",
            19,
            "kafka.rows.separator must be one of , ; | and tab, in quotes. Provided value: x"),
        arguments(
            json,
            "columns: [alcohol]",
            19,
            "kafka.rows.columns means nothing with format json, but with csv; remove the key, or"
                + " change the format"),
        arguments(
            json,
            "format: avro, separator: tab",
            19,
            "kafka.rows.separator means nothing with format avro, but with csv; remove the key, or"
                + " change the format"),
        arguments(
            json,
            "format: csv, schema: a.avsc",
            19,
            "kafka.rows.schema means nothing with format csv, but with avro and avro-confluent;"
                + " remove the key, or change the format"),
        arguments(
            json,
            "format: debezium-json, key: record, schema: a.avsc",
            19,
            "kafka.rows.schema means nothing with format debezium-json, but with avro and"
                + " avro-confluent; remove the key, or change the format"),
        arguments(
            json,
            "format: avro",
            19,
            "kafka.rows lacks the key schema, which must be the path of a file with the rows' Avro"
                + " schema"),
        arguments(json, "upsert: true", 19, key),
        arguments(json, "format: debezium-json", 19, key),
        arguments(json, "format: debezium-json, key: offset", 19, key),
        arguments(
            json,
            "format: debezium-json, key: record, upsert: true",
            19,
            "kafka.rows.upsert must not be true with format debezium-json, whose events say what"
                + " they change; remove the key"),
        arguments(
            json,
            "format: debezium-json, key: record, identity: default",
            19,
            "kafka.rows.identity must be key or full: what before images tell, the row's key or all"
                + " of its columns. Provided value: default"),
        arguments(
            json,
            "upsert: true, key: record, identity: full",
            19,
            "kafka.rows.identity means nothing with format json, but with debezium-json and"
                + " debezium-avro-confluent; remove the key, or change the format"),
        arguments(
            json,
            "upsert: maybe",
            19,
            "kafka.rows.upsert must be true or false. Provided value: maybe"),
        arguments(
            json,
            "key: id",
            19,
            "kafka.rows.key must be record or {field: NAME}. Provided value: id"),
        arguments(
            json,
            "key: {name: id}",
            19,
            "kafka.rows.key has no key name, and it may have field, record"),
        arguments(
            json,
            "key: {field: id}, deletion: {field: gone}",
            19,
            "kafka.rows.deletion means nothing on an append-only topic; remove the key, or set"
                + " upsert: true"),
        arguments(
            json,
            "key: record, upsert: true, deletion: {field: gone, values: []}",
            19,
            "kafka.rows.deletion.values must be a list of what the field holds of a deleted row."
                + " Provided value: a list"),
        arguments(
            json,
            "key: {record: text}",
            19,
            "kafka.rows.key.record must be bytes; to compare keys as values, write key: record."
                + " Provided value: text"),
        arguments(
            json,
            "key: {record: bytes, field: id}",
            19,
            "kafka.rows.key.record means nothing with field; remove one of the two keys"),
        arguments(
            json,
            "key: {}",
            19,
            "kafka.rows.key lacks the key field, which must be the name of a field"));
  }

  static Stream<Arguments> registries() {
    String json = "format: json";
    String registry = "format: avro-confluent, registry: ";
    String url =
        "kafka.rows.registry.url must be an address such as https://registry:8081, without user and"
            + " password";
    return Stream.of(
        arguments(
            json,
            "registry: {url: 'http://r'}",
            19,
            "kafka.rows.registry means nothing with format json, but with avro-confluent and"
                + " debezium-avro-confluent; remove the key, or change the format"),
        arguments(
            json,
            "format: avro-confluent",
            19,
            "kafka.rows lacks the key registry, which must be keys and values such as {url:"
                + " http://localhost:8081}"),
        arguments(json, registry + "{url: 'localhost:8081'}", 19, url),
        arguments(json, registry + "{url: 'ftp://r:1'}", 19, url),
        arguments(json, registry + "{url: 'http://'}", 19, url),
        arguments(json, registry + "{url: 'http://me:hunter2@r:1'}", 19, url),
        arguments(
            json,
            registry + "{url: 'http://r', password: hunter2}",
            19,
            "kafka.rows.registry has no key password; the nearest is passwordEnv, and it may have url, user, passwordFile, passwordEnv, properties"),
        arguments(
            json,
            registry + "{url: 'http://r', user: me}",
            19,
            "kafka.rows.registry must have one of passwordFile and passwordEnv for its user"),
        arguments(
            json,
            registry + "{url: 'http://r', user: me, passwordEnv: E, passwordFile: /f}",
            19,
            "kafka.rows.registry must have one of passwordFile and passwordEnv for its user"),
        arguments(
            json,
            registry + "{url: 'http://r', passwordEnv: E}",
            19,
            "kafka.rows.registry lacks the key user, which must be the user of the password"),
        arguments(
            json,
            registry + "{url: 'http://r', user: 'a:b', passwordEnv: E}",
            19,
            "kafka.rows.registry.user must be a name without a colon. Provided value: a:b"),
        arguments(
            json,
            registry + "{url: 'http://r', user: me, passwordFile: p.txt}",
            19,
            "kafka.rows.registry.passwordFile must be an absolute path, since every worker reads"
                + " the file. Provided value: p.txt"));
  }

  static Stream<Arguments> flink() {
    String parallelism = "parallelism.default: 2";
    String interval =
        "a positive duration such as 10 s, since a release is sent when a checkpoint has completed";
    return Stream.of(
        arguments(
            parallelism,
            "parallelism.default: 0",
            24,
            "flink.properties.parallelism.default must be a whole number in [1, 128]. Provided"
                + " value: 0"),
        arguments(
            parallelism,
            "parallelism.default: many",
            24,
            "flink.properties.parallelism.default must be a whole number in [1, 128]. Provided"
                + " value: many"),
        arguments(
            parallelism,
            "parallelism.default: 129",
            24,
            "flink.properties.parallelism.default must be a whole number in [1, 128]. Provided"
                + " value: 129"),
        arguments(
            parallelism,
            "gauze.models.memory: half",
            24,
            "flink.properties.gauze.models.memory must be a size such as 512 mb. Provided value:"
                + " half"),
        arguments(
            parallelism,
            "execution.checkpointing.unaligned.enabled: true",
            24,
            "flink.properties.execution.checkpointing.unaligned.enabled must be false, since"
                + " partial sums without noise would be in the checkpoints; remove the key."
                + " Provided value: true"),
        arguments(
            parallelism,
            "execution.checkpointing.unaligned: true",
            24,
            "flink.properties.execution.checkpointing.unaligned must be false, since partial sums"
                + " without noise would be in the checkpoints; remove the key. Provided value:"
                + " true"),
        arguments(
            parallelism,
            "execution.runtime-mode: BATCH",
            24,
            "flink.properties.execution.runtime-mode must be streaming, since releases are sent at"
                + " checkpoints, which batch jobs do not have; remove the key. Provided value:"
                + " BATCH"),
        arguments(
            parallelism,
            "state.backend.type: rocksdb",
            24,
            "flink.properties.state.backend.type must be hashmap, since others keep old versions of"
                + " the sums side by side; remove the key. Provided value: rocksdb"),
        arguments(
            parallelism,
            "state.backend: forst",
            24,
            "flink.properties.state.backend must be hashmap, since others keep old versions of the"
                + " sums side by side; remove the key. Provided value: forst"),
        arguments(
            parallelism,
            "state.changelog.enabled: true",
            24,
            "flink.properties.state.changelog.enabled must be false, since a changelog keeps old"
                + " versions of the sums; remove the key. Provided value: true"),
        arguments(
            parallelism,
            "pipeline.operator-chaining.enabled: false",
            24,
            "flink.properties.pipeline.operator-chaining.enabled must be true, since rows that go"
                + " from one task to another may be written to temporary files; remove the key."
                + " Provided value: false"),
        arguments(
            parallelism,
            "execution.checkpointing.mode: AT_LEAST_ONCE",
            24,
            "flink.properties.execution.checkpointing.mode must be exactly_once, since rows must"
                + " count once; remove the key. Provided value: AT_LEAST_ONCE"),
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
            parallelism,
            "parallelism.default: {a: b}",
            24,
            "flink.properties.parallelism.default must be a whole number in [1, 128]. Provided"
                + " value: keys and values"),
        arguments(
            parallelism,
            "state.checkpoints.dir: {a: b}",
            24,
            "flink.properties.state.checkpoints.dir must be a text, a number, true or false."
                + " Provided value: keys and values"));
  }
}

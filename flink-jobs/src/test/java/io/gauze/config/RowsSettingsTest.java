package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.config.RowsSettings.KeySource;
import io.gauze.source.DeletionMark;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.format.RecordFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The formats and keys of rows; what is refused without a file is in BadKafkaConfigTest. */
final class RowsSettingsTest {
  private static final String AVRO =
      """
      {"type": "record", "name": "Wine", "fields": [
        {"name": "alcohol", "type": "double"}, {"name": "cut", "type": "string"},
        {"name": "sex", "type": ["null", "string"]}, {"name": "region", "type": "string"},
        {"name": "in", "type": ["null", {"type": "record", "name": "In", "fields": [
          {"name": "id", "type": "long"}]}]}]}
      """;

  @TempDir private Path folder;

  private static RowsSettings rows(String settings) throws ConfigException {
    return config(settings, ConfigText.FILE).kafka().rows();
  }

  private static StreamConfig config(String settings, String file) throws ConfigException {
    String text = ConfigText.with("format: json", settings);
    boolean changelog = settings.contains("upsert: true") || settings.contains("debezium");
    return StreamConfig.parse(
        file, changelog ? text.replace("unit: row}", "unit: key}\nsnapshots: 24") : text);
  }

  @Test
  void rowsAreJsonWithoutKeysUnlessTheConfigSaysOtherwise() throws Exception {
    assertThat(rows("format: json")).isEqualTo(RowsSettings.JSON);
    assertThat(rows("upsert: false, key: offset")).isEqualTo(RowsSettings.JSON);
    assertThat(rows("key: none")).isEqualTo(RowsSettings.JSON);
    String without = ConfigText.GOOD.replaceAll("\n +rows: .*", "");
    assertThat(StreamConfig.parse("wine.yaml", without).kafka().rows())
        .isEqualTo(RowsSettings.JSON);
    assertThat(RowsSettings.JSON.isChangelog()).isFalse();
  }

  @Test
  void readsKeys() throws Exception {
    assertThat(rows("key: record").key()).contains(new KeySource(Optional.empty(), false));
    assertThat(rows("key: {field: id}").key()).contains(new KeySource(Optional.of("id"), false));
    assertThat(rows("key: {record: bytes}").key()).contains(new KeySource(Optional.empty(), true));
    assertThat(rows("key: record").isChangelog()).isFalse();
    RowsSettings upsert = rows("key: record, upsert: true");
    assertThat(upsert.upsert() && upsert.isChangelog()).isTrue();
    RowsSettings debezium = rows("format: debezium-json, key: {field: id}");
    assertThat(debezium.format()).isEqualTo(new RecordFormat.DebeziumJson(ReplicaIdentity.KEY));
    assertThat(!debezium.upsert() && debezium.isChangelog()).isTrue();
  }

  @Test
  void readsMarksOfDeletions() throws Exception {
    assertThat(rows("key: record, upsert: true").deletions()).isEqualTo(DeletionMark.OF_DEBEZIUM);
    assertThat(rows("key: record, upsert: true, deletion: {field: gone}").deletions())
        .containsExactly(new DeletionMark("gone", List.of("true")));
    assertThat(
            rows("key: record, upsert: true, deletion: {field: s, values: [gone, 8]}").deletions())
        .containsExactly(new DeletionMark("s", List.of("gone", "8")));
  }

  @Test
  void readsDebeziumInAvro() throws Exception {
    String avro = "format: debezium-avro-confluent, key: record, registry: {url: 'http://r:1'}";
    RegistryAccess registry = RegistryAccess.open("http://r:1");
    assertThat(rows(avro).format())
        .isEqualTo(new RecordFormat.DebeziumAvro(registry, ReplicaIdentity.KEY));
    assertThat(rows(avro + ", identity: full").format())
        .isEqualTo(new RecordFormat.DebeziumAvro(registry, ReplicaIdentity.FULL));
    assertThat(rows(avro).isChangelog()).isTrue();
  }

  @Test
  void rowsBeforeAChangeTellTheirKeyUnlessTheConfigSaysOtherwise() throws Exception {
    String debezium = "format: debezium-json, key: record";
    assertThat(rows(debezium).format())
        .isEqualTo(new RecordFormat.DebeziumJson(ReplicaIdentity.KEY));
    assertThat(rows(debezium + ", identity: key")).isEqualTo(rows(debezium));
    assertThat(rows(debezium + ", identity: full").format())
        .isEqualTo(new RecordFormat.DebeziumJson(ReplicaIdentity.FULL));
  }

  @Test
  void readsCsv() throws Exception {
    RowsSettings csv =
        rows("format: csv, columns: [id, alcohol, cut, other, sex, region], separator: ';'");
    List<String> names = List.of("id", "alcohol", "cut", "other", "sex", "region");
    assertThat(csv.format()).isEqualTo(new RecordFormat.Csv(names, ';'));
    String columns = "format: csv, columns: [alcohol, cut, sex, region]";
    List<String> read = List.of("alcohol", "cut", "sex", "region");
    assertThat(rows(columns).format()).isEqualTo(new RecordFormat.Csv(read, ','));
    assertThat(rows(columns + ", separator: tab").format())
        .isEqualTo(new RecordFormat.Csv(read, '\t'));
  }

  @Test
  void readsARegistry() throws Exception {
    String url = "http://localhost:8081/api";
    assertThat(rows("format: avro-confluent, registry: {url: '" + url + "'}").format())
        .isEqualTo(new RecordFormat.ConfluentAvro(RegistryAccess.open(url)));
    String user = "format: avro-confluent, registry: {url: 'https://r:1', user: me, ";
    assertThat(rows(user + "passwordEnv: REGISTRY_PASSWORD}").format())
        .isEqualTo(
            new RecordFormat.ConfluentAvro(
                new RegistryAccess("https://r:1", "me", "", "REGISTRY_PASSWORD")));
    assertThat(rows(user + "passwordFile: /run/password}").format())
        .isEqualTo(
            new RecordFormat.ConfluentAvro(
                new RegistryAccess("https://r:1", "me", "/run/password", "")));
  }

  @Test
  void readsTheCertificatesOfARegistry() throws Exception {
    String registry = "format: avro-confluent, registry: {url: 'https://r:1', properties: {";
    assertThat(
            rows(registry
                    + "schema.registry.ssl.truststore.location: /ca.p12,"
                    + " ssl.truststore.password: '${env:CA}'}}")
                .format())
        .isEqualTo(
            new RecordFormat.ConfluentAvro(
                new RegistryAccess(
                    "https://r:1",
                    "",
                    "",
                    "",
                    Map.of(
                        "ssl.truststore.location",
                        "/ca.p12",
                        "ssl.truststore.password",
                        "${env:CA}"))));
    refused(
        registry + "ssl.truststore.password: Zaphod}}", "must take its secret from ${env:NAME}");
    refused(registry + "ssl.truststore.location: ca.p12}}", "must be an absolute path");
    refused(registry + "ssl.protocol: TLS}}", "is none of ssl.truststore.location, ");
  }

  private static void refused(String settings, String message) {
    assertThatThrownBy(() -> rows(settings))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("Zaphod");
  }

  @Test
  void readsTheSchemaThatRowsAreReadWith() throws Exception {
    Files.writeString(folder.resolve("wine.avsc"), AVRO);
    String file = folder.resolve("wine.yaml").toString();
    String settings = "format: avro-confluent, schema: wine.avsc, registry: {url: 'http://r:1'}";
    RecordFormat.ConfluentAvro format =
        (RecordFormat.ConfluentAvro) config(settings, file).kafka().rows().format();
    assertThat(format.schema()).startsWith("{\"type\":\"record\",\"name\":\"Wine\"");
  }

  @Test
  void readsAnAvroSchemaBesideTheConfig() throws Exception {
    Files.writeString(folder.resolve("wine.avsc"), AVRO);
    String file = folder.resolve("wine.yaml").toString();
    RowsSettings rows =
        config("format: avro, schema: wine.avsc, key: {field: in.id}", file).kafka().rows();
    assertThat(((RecordFormat.Avro) rows.format()).schema())
        .startsWith("{\"type\":\"record\",\"name\":\"Wine\"");
  }

  @Test
  void refusesSchemasThatDoNotDo() throws Exception {
    refusedSchema("{\"type\": \"Zaphod\"}", "", "is no Avro schema: " + folder.resolve("s.avsc"));
    refusedSchema("no json", "", "is no Avro schema: ");
    refusedSchema("\"int\"", "", "must be the schema of a record. Provided value: int");
    String lacks = "has no field %s, which the stream reads; it has alcohol, cut, sex, region, in";
    refusedSchema(AVRO, ", key: {field: id}", lacks.replace("%s", "id"));
    refusedSchema(AVRO, ", key: {field: in.key}", lacks.replace("%s", "in.key"));
    refusedSchema(AVRO, ", key: {field: sex.id}", lacks.replace("%s", "sex.id"));
    refusedSchema(
        AVRO.replace("region", "country"), "", "has no field region, which the stream reads");
    assertThatThrownBy(
            () -> config("format: avro, schema: none.avsc", folder.resolve("x.yaml").toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(folder.resolve("none.avsc") + ": there is no such file");
  }

  private void refusedSchema(String schema, String further, String message) throws Exception {
    Files.writeString(folder.resolve("s.avsc"), schema);
    String file = folder.resolve("wine.yaml").toString();
    assertThatThrownBy(() -> config("format: avro, schema: s.avsc" + further, file))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(file + ":19: kafka.rows.schema " + message);
  }

  @Test
  void otherRowsChangeNothingElse() throws Exception {
    StreamConfig csv = config("format: csv, columns: [alcohol, cut, sex, region]", ConfigText.FILE);
    assertThat(csv.withRows(RowsSettings.JSON))
        .usingRecursiveComparison()
        .ignoringFields("places")
        .isEqualTo(StreamConfig.parse(ConfigText.FILE, ConfigText.GOOD));
    assertThat(csv.withBootstrap("h:1").kafka().rows()).isEqualTo(csv.kafka().rows());
  }
}

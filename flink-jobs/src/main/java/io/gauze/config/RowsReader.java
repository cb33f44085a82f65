package io.gauze.config;

import io.gauze.config.RowsSettings.KeySource;
import io.gauze.source.DeletionMark;
import io.gauze.source.ReplicaIdentity;
import io.gauze.source.avro.AvroNames;
import io.gauze.source.avro.RegistryAccess;
import io.gauze.source.avro.RegistryTls;
import io.gauze.source.format.RecordFormat;
import io.gauze.topic.Secrets;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/** Reads the format and the keys of records from {@code kafka.rows}. */
final class RowsReader {
  private static final String COLUMNS =
      "a list of the names of all values of a line, in their order";
  private static final String SCHEMA = "the path of a file with the rows' Avro schema";
  private static final String KEY = "record or {field: NAME}";
  private static final String IDENTITY =
      "key or full: what before images tell, the row's key or all of its columns";
  private static final String CERTIFICATES =
      "keys and values such as {ssl.truststore.location: /ca.p12}";
  private static final String DELETION =
      "{field: NAME}, or {field: NAME, values: [...]} for other values than true";
  private static final String VALUES = "a list of what the field holds of a deleted row";
  private static final Map<String, Character> SEPARATORS =
      Map.of(",", ',', ";", ';', "|", '|', "tab", '\t');

  static final ConfigSection KEYS =
      ConfigSection.of(
          "kafka.rows",
          KafkaReader.topicName("The name of the topic.").or("`rows`"),
          ConfigKey.of(
                  "format",
                  ConfigKey.WORD,
                  "`" + String.join("`, `", RecordFormat.LABELS) + "`",
                  "How the value of a record is written.")
              .or("`" + RecordFormat.JSON + "`"),
          ConfigKey.of(
                  "key",
                  "word or map",
                  "`none`, `record`, or a map",
                  "What identifies a row: nothing, the key of the record, or a field. Required where"
                      + " rows change, and for users.")
              .or("`none`"),
          ConfigKey.of(
                  "upsert",
                  ConfigKey.TRUTH,
                  "`true`, `false`",
                  "Whether a record replaces the row with its key, and a tombstone deletes it.")
              .or("`false`"),
          ConfigKey.of(
                  "deletion",
                  ConfigKey.MAP,
                  "with `upsert` or a Debezium format",
                  "The field that marks deleted rows.")
              .or("the field of Debezium"),
          ConfigKey.of(
                  "identity",
                  ConfigKey.WORD,
                  "`key`, `full`",
                  "Of Debezium's events: what `before` tells of the row that changes, its key or all of"
                      + " its columns.")
              .or("`key`"),
          ConfigKey.of(
                  "columns",
                  ConfigKey.TEXTS,
                  "all different",
                  "Of `csv`: the names of all values of a line, in their order.")
              .requiredWith("for `csv`"),
          ConfigKey.of(
                  "separator",
                  ConfigKey.TEXT,
                  "`,`, `;`, `|`, `tab`",
                  "Of `csv`: what stands between the values.")
              .or("`,`"),
          ConfigKey.of(
                  "schema",
                  ConfigKey.TEXT,
                  "a path, from the folder of the config",
                  "Of `avro`: the file of the schema with which all rows are written. Of"
                      + " `avro-confluent`: of the schema with which rows are read.")
              .requiredWith("for `avro`"),
          ConfigKey.of("registry", ConfigKey.MAP, "", "The schema registry.")
              .requiredWith("for `avro-confluent` and `debezium-avro-confluent`"),
          ConfigKey.of("start", ConfigKey.WORD, "`earliest`", "Where a stream begins to read.")
              .or("`earliest`"),
          ConfigKey.of(
                  "bounded",
                  ConfigKey.TRUTH,
                  "`true`, `false`",
                  "Whether the job ends where the topic ended when the job began.")
              .or("`true` with `epochs.length: all`, else `false`"));

  static final ConfigSection KEY_KEYS =
      ConfigSection.of(
          "kafka.rows.key",
          ConfigKey.of("field", ConfigKey.TEXT, "", "The field of a row that is its key.")
              .requiredWith("without `record`"),
          ConfigKey.of(
              "record",
              ConfigKey.WORD,
              "`bytes`",
              "The key of the record is that of the row, and is compared as bytes, not as a value."));

  static final ConfigSection DELETION_KEYS =
      ConfigSection.of(
          "kafka.rows.deletion",
          ConfigKey.of("field", ConfigKey.TEXT, "", "The field that says whether a row is deleted.")
              .required(),
          ConfigKey.of(
                  "values", ConfigKey.TEXTS, "at least 1", "What the field holds of a deleted row.")
              .or("`[true]`"));

  static final ConfigSection REGISTRY =
      ConfigSection.of(
          "kafka.rows.registry",
          ConfigKey.of(
                  "url",
                  ConfigKey.TEXT,
                  "http or https, without user and password",
                  "The address of the registry.")
              .required(),
          ConfigKey.of("user", ConfigKey.TEXT, "no colon", "The user of the registry."),
          ConfigKey.of(
              "passwordFile",
              ConfigKey.TEXT,
              "an absolute path on every worker",
              "The file that holds the password. With `user`, this or `passwordEnv` is required."),
          ConfigKey.of(
              "passwordEnv",
              ConfigKey.TEXT,
              "",
              "The environment variable that holds the password."),
          ConfigKey.of(
                  "properties",
                  ConfigKey.MAP,
                  "`" + String.join("`, `", RegistryTls.KEYS) + "`",
                  "Certificates for TLS, by the keys of Confluent's clients.")
              .or("the certificates of Java"));

  private final YamlMap rows;
  private final List<String> fields;

  private RowsReader(YamlMap rows, List<String> fields) {
    this.rows = rows;
    this.fields = fields;
  }

  /**
   * Reads the settings.
   *
   * @param fields the fields that the stream reads of each row
   */
  static RowsSettings read(YamlMap rows, List<String> fields) throws ConfigException {
    return new RowsReader(rows, fields).settings();
  }

  private RowsSettings settings() throws ConfigException {
    String format = format();
    onlyWith(format, "columns", RecordFormat.CSV);
    onlyWith(format, "separator", RecordFormat.CSV);
    onlyWith(format, "schema", RecordFormat.AVRO, RecordFormat.AVRO_CONFLUENT);
    onlyWith(format, "registry", RecordFormat.AVRO_CONFLUENT, RecordFormat.DEBEZIUM_AVRO);
    onlyWith(format, "identity", RecordFormat.DEBEZIUM_JSON, RecordFormat.DEBEZIUM_AVRO);
    Optional<KeySource> key = key();
    Optional<DeletionMark> mark = deletion();
    List<String> wanted = new ArrayList<>(fields);
    key.flatMap(KeySource::field).ifPresent(wanted::add);
    mark.map(DeletionMark::field).ifPresent(wanted::add);
    RowsSettings settings =
        new RowsSettings(
            format(format, wanted),
            key,
            upsert(format),
            mark.map(List::of).orElse(DeletionMark.OF_DEBEZIUM));
    if (mark.isPresent() && !settings.isChangelog()) {
      throw rows.require("deletion", "")
          .error("means nothing on an append-only topic; remove the key, or set upsert: true");
    }
    if (settings.isChangelog() && key.isEmpty()) {
      throw rows.self()
          .error(
              "lacks the key \"key\", which must be "
                  + KEY
                  + ": changes and deletions are of the row with the same key");
    }
    return settings;
  }

  private RecordFormat format(String label, List<String> wanted) throws ConfigException {
    return switch (label) {
      case RecordFormat.CSV -> new RecordFormat.Csv(columns(wanted), separator());
      case RecordFormat.AVRO -> new RecordFormat.Avro(schema(wanted));
      case RecordFormat.AVRO_CONFLUENT ->
          new RecordFormat.ConfluentAvro(registry(), rows.has("schema") ? schema(wanted) : "");
      case RecordFormat.DEBEZIUM_AVRO -> new RecordFormat.DebeziumAvro(registry(), identity());
      case RecordFormat.DEBEZIUM_JSON -> new RecordFormat.DebeziumJson(identity());
      default -> new RecordFormat.Json();
    };
  }

  /** Returns the label of the format. */
  private String format() throws ConfigException {
    Optional<YamlValue> value = rows.get("format");
    if (value.isEmpty()) {
      return RecordFormat.JSON;
    }
    String allowed = String.join(", ", RecordFormat.LABELS);
    String label = value.get().text(allowed);
    if (!RecordFormat.LABELS.contains(label)) {
      throw value.get().mustBe("one of " + allowed);
    }
    return label;
  }

  private void onlyWith(String format, String key, String... with) throws ConfigException {
    if (!List.of(with).contains(format) && rows.has(key)) {
      throw rows.require(key, "")
          .error(
              "means nothing with format "
                  + format
                  + ", but with "
                  + String.join(" and ", with)
                  + "; remove the key, or change the format");
    }
  }

  private Optional<KeySource> key() throws ConfigException {
    Optional<YamlValue> value = rows.get("key");
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (value.get().isMap()) {
      return Optional.of(key(value.get().map(KEY).only(KEY_KEYS)));
    }
    String text = value.get().text(KEY);
    if (Set.of("none", "offset").contains(text)) {
      return Optional.empty(); // the default
    }
    if (!text.equals("record")) {
      throw value.get().mustBe(KEY);
    }
    return Optional.of(new KeySource(Optional.empty(), false));
  }

  private static KeySource key(YamlMap map) throws ConfigException {
    if (!map.has("record")) {
      String field = map.require("field", "the name of a field").text("the name of a field");
      return new KeySource(Optional.of(field), false);
    }
    YamlValue compared = map.require("record", "");
    if (map.has("field")) {
      throw compared.error("means nothing with field; remove one of the two keys");
    }
    if (!compared.text("bytes").equals("bytes")) {
      throw compared.mustBe("bytes; to compare keys as values, write key: record");
    }
    return new KeySource(Optional.empty(), true);
  }

  private boolean upsert(String format) throws ConfigException {
    Optional<YamlValue> value = rows.get("upsert");
    if (value.isEmpty() || !value.get().truth()) {
      return false;
    }
    if (RecordFormat.EVENTS.contains(format)) {
      throw value
          .get()
          .error(
              "must not be true with format "
                  + format
                  + ", whose events say what they change; remove the key");
    }
    return true;
  }

  private Optional<DeletionMark> deletion() throws ConfigException {
    Optional<YamlValue> value = rows.get("deletion");
    if (value.isEmpty()) {
      return Optional.empty();
    }
    YamlMap map = value.get().map(DELETION).only(DELETION_KEYS);
    String field = map.require("field", "the name of a field").text("the name of a field");
    List<String> texts = new ArrayList<>();
    Optional<YamlValue> values = map.get("values");
    if (values.isPresent()) {
      for (YamlValue text : values.get().list(VALUES)) {
        texts.add(text.text("a text"));
      }
      if (texts.isEmpty()) {
        throw values.get().mustBe(VALUES);
      }
    }
    return Optional.of(new DeletionMark(field, texts.isEmpty() ? List.of("true") : texts));
  }

  private ReplicaIdentity identity() throws ConfigException {
    Optional<YamlValue> value = rows.get("identity");
    if (value.isEmpty()) {
      return ReplicaIdentity.KEY;
    }
    String text = value.get().text(IDENTITY);
    if (!Set.of("key", "full").contains(text)) {
      throw value.get().mustBe(IDENTITY);
    }
    return text.equals("full") ? ReplicaIdentity.FULL : ReplicaIdentity.KEY;
  }

  private List<String> columns(List<String> wanted) throws ConfigException {
    YamlValue place = rows.require("columns", COLUMNS);
    List<String> columns = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (YamlValue value : place.list(COLUMNS)) {
      String name = value.text("the name of a value");
      if (!seen.add(name)) {
        throw value.mustBe("another name than those before it");
      }
      columns.add(name);
    }
    for (String field : wanted) {
      if (!seen.contains(field)) {
        throw place.error("lacks the field " + field + ", which the stream reads; add it");
      }
    }
    return columns;
  }

  private char separator() throws ConfigException {
    Optional<YamlValue> value = rows.get("separator");
    if (value.isEmpty()) {
      return ',';
    }
    String allowed = "one of , ; | and tab, in quotes";
    Character separator = SEPARATORS.get(value.get().text(allowed));
    if (separator == null) {
      throw value.get().mustBe(allowed);
    }
    return separator;
  }

  private String schema(List<String> wanted) throws ConfigException {
    YamlValue place = rows.require("schema", SCHEMA);
    Path file = place.path(SCHEMA);
    String text = YamlFile.text(file);
    Schema schema;
    try {
      schema = new Schema.Parser().parse(text);
    } catch (RuntimeException e) { // of many kinds, null pointers among them
      throw place.error(
          "is no Avro schema: " + file + ": " + YamlValue.shown(String.valueOf(e.getMessage())));
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw place.error(
          "must be the schema of a record. Provided value: " + schema.getType().getName());
    }
    for (String field : wanted) {
      if (!AvroNames.has(schema, field)) {
        throw place.error(
            "has no field "
                + field
                + ", which the stream reads; it has "
                + schema.getFields().stream()
                    .map(Schema.Field::name)
                    .collect(Collectors.joining(", ")));
      }
    }
    return schema.toString();
  }

  private RegistryAccess registry() throws ConfigException {
    String allowed = "keys and values such as {url: http://localhost:8081}";
    YamlMap map = rows.require("registry", allowed).map(allowed);
    map.only(REGISTRY);
    Optional<String> user = text(map, "user", "the name of a user");
    Optional<String> file = text(map, "passwordFile", "the path of a file on every worker");
    Optional<String> env = text(map, "passwordEnv", "the name of an environment variable");
    if (user.isEmpty() && (file.isPresent() || env.isPresent())) {
      throw map.self().error("lacks the key user, which must be the user of the password");
    }
    if (user.isPresent() && file.isPresent() == env.isPresent()) {
      throw map.self().error("must have one of passwordFile and passwordEnv for its user");
    }
    if (user.isPresent() && user.get().contains(":")) {
      throw map.require("user", "").mustBe("a name without a colon");
    }
    if (file.isPresent() && !Path.of(file.get()).isAbsolute()) {
      throw map.require("passwordFile", "")
          .mustBe("an absolute path, since every worker reads the file");
    }
    return new RegistryAccess(
        url(map), user.orElse(""), file.orElse(""), env.orElse(""), certificates(map));
  }

  private static Map<String, String> certificates(YamlMap map) throws ConfigException {
    Optional<YamlValue> given = map.get("properties");
    Map<String, String> properties = new HashMap<>();
    if (given.isEmpty()) {
      return properties;
    }
    for (Map.Entry<String, YamlValue> entry : given.get().map(CERTIFICATES).entries().entrySet()) {
      YamlValue value = entry.getValue();
      String key =
          entry.getKey().startsWith(RegistryTls.PREFIX)
              ? entry.getKey().substring(RegistryTls.PREFIX.length())
              : entry.getKey();
      if (!RegistryTls.KEYS.contains(key)) {
        throw value.error("is none of " + String.join(", ", RegistryTls.KEYS) + "; remove the key");
      }
      String text = value.text("a text");
      if (RegistryTls.isSecret(key) && !Secrets.isReference(text)) {
        throw value.error(
            "must take its secret from ${env:NAME} or ${file:/path}, since the config travels in"
                + " the job graph, where everyone who sees the cluster can read it");
      }
      if (key.endsWith(".location") && !Path.of(text).isAbsolute()) {
        throw value.mustBe("an absolute path, since every worker reads the file");
      }
      properties.put(key, text);
    }
    return properties;
  }

  private static String url(YamlMap map) throws ConfigException {
    String allowed = "an address such as https://registry:8081, without user and password";
    YamlValue value = map.require("url", allowed);
    String text = value.text(allowed);
    try {
      URI uri = URI.create(text);
      String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if (Set.of("http", "https").contains(scheme)
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      throw value.error("must be " + allowed); // not shown: it may contain a password
    }
    throw value.error("must be " + allowed);
  }

  private static Optional<String> text(YamlMap map, String key, String allowed)
      throws ConfigException {
    Optional<YamlValue> value = map.get(key);
    return value.isEmpty() ? Optional.empty() : Optional.of(value.get().text(allowed));
  }
}

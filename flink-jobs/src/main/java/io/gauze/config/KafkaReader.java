package io.gauze.config;

import io.gauze.topic.TopicAdmin;
import io.gauze.topic.Topics;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the {@code kafka} section of a config. */
final class KafkaReader {
  private static final String MAP = "keys and values";
  private static final String PORT =
      "0*([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";
  private static final Pattern ADDRESS = Pattern.compile("[^\\s:,/]+:" + PORT);
  private static final Pattern TOPIC = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9._-]{1,249}");
  private static final String TOPIC_ALLOWED =
      "a topic name: letters, digits, points, underscores and hyphens, at most 249";

  private static final String LOGIN = "sasl.jaas.config";

  private static final Pattern SECRET_KEY =
      Pattern.compile("(password|secret|passphrase|\\.keystore\\.key)$", Pattern.CASE_INSENSITIVE);

  private static final String ONE_REFERENCE = "\\$\\{\\w+:[^}]+}";
  private static final Pattern REFERENCE = Pattern.compile(ONE_REFERENCE);

  /** The start of a secret option of a login, for instance {@code password="..."}. */
  private static final String SECRET_OPTION =
      "\\w*(?:password|secret|token|passphrase)[\"']?\\s*=\\s*";

  private static final Pattern SECRET_OPTIONS =
      Pattern.compile(SECRET_OPTION, Pattern.CASE_INSENSITIVE);
  private static final Pattern REFERRING_OPTIONS =
      Pattern.compile(
          SECRET_OPTION + "([\"']?)" + ONE_REFERENCE + "\\1(?=[\\s;]|$)", Pattern.CASE_INSENSITIVE);

  /** The keys that the engine sets itself. */
  private static final Set<String> OURS =
      Set.of(
          "bootstrap.servers",
          "acks",
          "auto.offset.reset",
          "enable.auto.commit",
          "enable.idempotence",
          "group.id",
          "isolation.level",
          "key.deserializer",
          "key.serializer",
          "transaction.timeout.ms",
          "transactional.id",
          "value.deserializer",
          "value.serializer");

  private static final int MOST_PARTITIONS = 10_000;

  static final ConfigSection KEYS =
      ConfigSection.of(
          "kafka",
          ConfigKey.of(
                  "bootstrap",
                  ConfigKey.TEXT,
                  "`host:port`, several separated by commas",
                  "The addresses of the brokers.")
              .or("none: commands without a broker only"),
          ConfigKey.of(
              "properties",
              ConfigKey.MAP,
              "keys of Kafka's clients, but for those that Gauze sets",
              "Passed to every client. Secrets are references: `${env:NAME}` or `${file:/path}`."),
          ConfigKey.of(
              "rows", ConfigKey.MAP, "", "The topic of rows, and how its records are written."),
          topicKey("releases", "releases", "Releases go there."),
          topicKey("ledger", "ledger", "What was spent is written there."),
          topicKey("requests", "requests", "Questions to the solver."),
          topicKey("answers", "answers", "Answers of the solver."),
          topicKey(
              "deadLetters", "dead-letters", "Records that cannot be read or encoded: raw rows."),
          topicKey("late", "late", "Rows that came too late, with event time: raw rows."),
          ConfigKey.of("create", ConfigKey.MAP, "", "Makes missing topics.")
              .or("none: a missing topic is an error"));

  static final ConfigSection TOPIC_KEYS =
      ConfigSection.of(
          "kafka.releases",
          topicName("The name of the topic. The topics of a config all differ.")
              .or("see the table above"));

  static final ConfigSection CREATE =
      ConfigSection.of(
          "kafka.create",
          ConfigKey.of(
                  "partitions",
                  ConfigKey.WHOLE,
                  ConfigKey.range(1, MOST_PARTITIONS),
                  "Of each topic but `releases` and `ledger`, which get one partition.")
              .required(),
          ConfigKey.of(
                  "replicas",
                  ConfigKey.WHOLE,
                  ConfigKey.range(1, Short.MAX_VALUE),
                  "Of each topic.")
              .required());

  private final Optional<YamlMap> map;
  private final Map<String, Use> useOfTopic = new HashMap<>();

  private KafkaReader(Optional<YamlMap> map) {
    this.map = map;
  }

  private static ConfigKey topicKey(String name, String byDefault, String text) {
    return ConfigKey.of(name, ConfigKey.MAP, "", text).or("topic `" + byDefault + "`");
  }

  static ConfigKey topicName(String text) {
    return ConfigKey.of(
        "topic",
        ConfigKey.TEXT,
        "letters, digits, points, underscores and hyphens, at most 249",
        text);
  }

  /**
   * Reads the settings.
   *
   * @param fields the fields that the stream reads of each row
   */
  static KafkaSettings read(YamlMap top, EpochSchedule epochs, List<String> fields)
      throws ConfigException {
    Optional<YamlMap> map = section(top.get("kafka"));
    if (map.isPresent()) {
      map.get().only(KEYS);
    }
    return new KafkaReader(map).settings(epochs, fields);
  }

  private KafkaSettings settings(EpochSchedule epochs, List<String> fields) throws ConfigException {
    Topics topics =
        new Topics(
            topic("rows", "rows", RowsReader.KEYS),
            topic("releases", "releases", TOPIC_KEYS),
            topic("ledger", "ledger", TOPIC_KEYS),
            topic("requests", "requests", TOPIC_KEYS),
            topic("answers", "answers", TOPIC_KEYS),
            topic("deadLetters", "dead-letters", TOPIC_KEYS),
            topic("late", "late", TOPIC_KEYS));
    Optional<YamlMap> rows = section(map.flatMap(kafka -> kafka.get("rows")));
    return new KafkaSettings(
        bootstrap(),
        properties(),
        topics,
        rows.isEmpty() ? RowsSettings.JSON : RowsReader.read(rows.get(), fields),
        bounded(rows, epochs),
        create());
  }

  private Optional<String> bootstrap() throws ConfigException {
    Optional<YamlValue> value = map.flatMap(kafka -> kafka.get("bootstrap"));
    if (value.isEmpty()) {
      return Optional.empty();
    }
    String allowed = "host:port, ports in [1, 65535], several separated by commas";
    String addresses = value.get().text(allowed);
    for (String address : addresses.split(",", -1)) {
      if (!ADDRESS.matcher(address).matches()) {
        throw value.get().mustBe(allowed);
      }
    }
    return Optional.of(addresses);
  }

  private Map<String, String> properties() throws ConfigException {
    Map<String, String> properties = new LinkedHashMap<>();
    Optional<YamlMap> section = section(map.flatMap(kafka -> kafka.get("properties")));
    if (section.isPresent()) {
      for (Map.Entry<String, YamlValue> entry : section.get().entries().entrySet()) {
        if (OURS.contains(entry.getKey())) {
          throw entry
              .getValue()
              .error("is set by the engine itself; remove the key" + bootstrapHint(entry.getKey()));
        }
        String text = entry.getValue().text("a text, a number, true or false");
        if (isPlainSecret(entry.getKey(), text)) {
          throw entry
              .getValue()
              .error(
                  "must take its secret from ${env:NAME} or ${file:/path}, since the config travels"
                      + " in the job graph, where everyone who sees the cluster can read it");
        }
        properties.put(entry.getKey(), text);
      }
    }
    return Collections.unmodifiableMap(properties);
  }

  private static boolean isPlainSecret(String key, String text) {
    if (SECRET_KEY.matcher(key).find()) {
      return !REFERENCE.matcher(text).matches();
    }
    return key.endsWith(LOGIN)
        && SECRET_OPTIONS.matcher(REFERRING_OPTIONS.matcher(text).replaceAll(" ")).find();
  }

  private static String bootstrapHint(String key) {
    return key.equals("bootstrap.servers") ? " and write kafka.bootstrap" : "";
  }

  private String topic(String purpose, String byDefault, ConfigSection keys)
      throws ConfigException {
    Optional<YamlMap> section = section(map.flatMap(kafka -> kafka.get(purpose)));
    Optional<YamlValue> given = Optional.empty();
    if (section.isPresent()) {
      given = section.get().only(keys).get("topic");
    }
    String name = given.isPresent() ? given.get().text(TOPIC, TOPIC_ALLOWED) : byDefault;
    Use other = useOfTopic.putIfAbsent(name, new Use(purpose, given));
    if (other != null) {
      throw given.isPresent()
          ? given.get().mustBe("another topic than that of kafka." + other.purpose())
          : other.given().orElseThrow().mustBe("another topic than that of kafka." + purpose);
    }
    return name;
  }

  /** The use of a topic, and the place of its name in the config. */
  private record Use(String purpose, Optional<YamlValue> given) {}

  private static boolean bounded(Optional<YamlMap> rows, EpochSchedule epochs)
      throws ConfigException {
    if (rows.isEmpty()) {
      return epochs.isAll();
    }
    Optional<YamlValue> start = rows.get().get("start");
    if (start.isPresent() && !start.get().text("earliest").equals("earliest")) {
      throw start.get().notSupported("use earliest");
    }
    Optional<YamlValue> bounded = rows.get().get("bounded");
    if (bounded.isEmpty()) {
      return epochs.isAll();
    }
    if (epochs.isAll() && !bounded.get().truth()) {
      throw bounded
          .get()
          .mustBe(
              "true with epochs.length all, since an endless stream would never release; or give"
                  + " epochs a length");
    }
    return bounded.get().truth();
  }

  private Optional<TopicAdmin.Creation> create() throws ConfigException {
    Optional<YamlMap> section = section(map.flatMap(kafka -> kafka.get("create")));
    if (section.isEmpty()) {
      return Optional.empty();
    }
    YamlMap create = section.get().only(CREATE);
    String allowed = "a whole number, at least 1";
    return Optional.of(
        new TopicAdmin.Creation(
            (int) create.require("partitions", allowed).whole(1, MOST_PARTITIONS),
            (short) create.require("replicas", allowed).whole(1, Short.MAX_VALUE)));
  }

  private static Optional<YamlMap> section(Optional<YamlValue> value) throws ConfigException {
    return value.isEmpty() ? Optional.empty() : Optional.of(value.get().map(MAP));
  }
}

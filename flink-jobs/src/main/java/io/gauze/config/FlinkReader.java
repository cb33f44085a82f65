package io.gauze.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.TimeUtils;

/**
 * Reads the {@code flink} section of a config: Flink's own keys and values, and {@link
 * ModelMemory}. Refuses values that would break the protocol.
 */
final class FlinkReader {
  private static final String INTERVAL = "execution.checkpointing.interval";
  private static final String PARALLELISM = "parallelism.default";

  /** The largest parallelism, which is the number of key groups of the job's state. */
  private static final int MOST_PARALLEL = 128;

  private static final String DEFAULT_INTERVAL = "10 s";
  private static final String DURATION =
      "a positive duration such as 10 s, since a release is sent when a checkpoint has completed";

  private static final String SIZE = "a size such as 512 mb";

  private static final String UNCHAINED =
      "rows that go from one task to another may be written to temporary files";

  /** The only allowed value of some keys, also of their old names, and the reason. */
  private static final Map<String, Rule> RULES =
      Map.ofEntries(
          entry(
              "execution.runtime-mode",
              "streaming",
              "releases are sent at checkpoints, which batch jobs do not have"),
          entry(
              "state.backend.type", "hashmap", "others keep old versions of the sums side by side"),
          entry("state.backend", "hashmap", "others keep old versions of the sums side by side"),
          entry("state.changelog.enabled", "false", "a changelog keeps old versions of the sums"),
          entry(
              "state.backend.changelog.enabled",
              "false",
              "a changelog keeps old versions of the sums"),
          entry("execution.checkpointing.mode", "exactly_once", "rows must count once"),
          entry("execution.checkpointing.consistency-mode", "exactly_once", "rows must count once"),
          entry(
              "execution.checkpointing.checkpoints-after-tasks-finish",
              "true",
              "the last releases would not be sent"),
          entry(
              "execution.checkpointing.checkpoints-after-tasks-finish.enabled",
              "true",
              "the last releases would not be sent"),
          entry("pipeline.operator-chaining", "true", UNCHAINED),
          entry("pipeline.operator-chaining.enabled", "true", UNCHAINED));

  private static Map.Entry<String, Rule> entry(String key, String allowed, String reason) {
    return Map.entry(key, new Rule(allowed, reason));
  }

  private record Rule(String allowed, String reason) {}

  static final ConfigSection KEYS =
      ConfigSection.of(
          "flink",
          ConfigKey.of(
                  "properties",
                  ConfigKey.MAP,
                  "keys of Flink, and `" + ModelMemory.LIMIT.key() + "`",
                  "Passed to Flink. `"
                      + INTERVAL
                      + "` is "
                      + DEFAULT_INTERVAL
                      + " unless given. Values that would break the protocol are refused.")
              .required());

  private FlinkReader() {}

  static Map<String, String> read(YamlMap top) throws ConfigException {
    Optional<YamlValue> section = top.get("flink");
    if (section.isEmpty()) {
      return Map.of(INTERVAL, DEFAULT_INTERVAL);
    }
    String allowed = "keys and values";
    YamlMap map = section.get().map(allowed).only(KEYS);
    YamlMap properties = map.require("properties", "Flink's own keys and values").map(allowed);
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, YamlValue> entry : properties.entries().entrySet()) {
      check(entry.getKey(), entry.getValue());
      if (entry.getKey().equals(PARALLELISM)) {
        entry.getValue().wholeText(1, MOST_PARALLEL);
      } else if (entry.getKey().equals(ModelMemory.LIMIT.key())) {
        checkSize(entry.getValue());
      }
      texts.put(entry.getKey(), entry.getValue().text("a text, a number, true or false"));
    }
    Optional<YamlValue> interval = properties.get(INTERVAL);
    if (interval.isPresent()) {
      checkInterval(interval.get());
    } else {
      texts.put(INTERVAL, DEFAULT_INTERVAL);
    }
    return Collections.unmodifiableMap(texts);
  }

  private static void check(String key, YamlValue value) throws ConfigException {
    boolean unaligned = key.startsWith("execution.checkpointing.unaligned");
    Rule rule =
        unaligned
            ? new Rule("false", "partial sums without noise would be in the checkpoints")
            : RULES.get(key);
    if (rule == null) {
      return;
    }
    String allowed = rule.allowed() + ", since " + rule.reason() + "; remove the key";
    String text = value.text(allowed).toLowerCase(Locale.ROOT).replace('-', '_');
    if (!text.equals(rule.allowed())) {
      throw value.mustBe(allowed);
    }
  }

  private static void checkSize(YamlValue value) throws ConfigException {
    try {
      MemorySize.parse(value.text(SIZE));
    } catch (IllegalArgumentException e) {
      throw value.mustBe(SIZE);
    }
  }

  private static void checkInterval(YamlValue value) throws ConfigException {
    try {
      if (TimeUtils.parseDuration(value.text(DURATION)).toMillis() > 0) {
        return;
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw value.mustBe(DURATION);
    }
    throw value.mustBe(DURATION);
  }
}

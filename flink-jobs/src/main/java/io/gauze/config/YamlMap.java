package io.gauze.config;

import io.gauze.message.NearestName;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** The keys and values of a YAML mapping, in their order. */
final class YamlMap {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{3}");

  /** Former names of keys, from which an error suggests the current name. */
  private static final Map<String, String> OLD_KEYS =
      Map.ofEntries(
          Map.entry("intrusions", "checkpointLeaks"),
          Map.entry("lifetime", "totalBudget"),
          Map.entry("grace", "sealDelay"),
          Map.entry("lateness", "allowedLateness"),
          Map.entry("ahead", "maxClockSkew"),
          Map.entry("degrees", "degreesOfFreedom"),
          Map.entry("copies", "level0Buckets"),
          Map.entry("base", "samplingBase"),
          Map.entry("by", "stratifyBy"),
          Map.entry("from", "state"),
          Map.entry("column", "field"));

  private final YamlValue self;
  private final Map<String, Node> keys = new LinkedHashMap<>();
  private final Map<String, YamlValue> values = new LinkedHashMap<>();

  private YamlMap(YamlValue self) {
    this.self = self;
  }

  static YamlMap of(YamlValue self, MappingNode node) throws ConfigException {
    YamlMap map = new YamlMap(self);
    for (NodeTuple tuple : node.getValue()) {
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        throw self.error(tuple.getKeyNode(), "has a key that is not a text");
      }
      if (map.keys.putIfAbsent(key.getValue(), key) != null) {
        throw self.error(
            key, "has the key " + YamlValue.shown(key.getValue()) + " twice; remove one");
      }
      map.values.put(key.getValue(), self.child(key.getValue(), tuple.getValueNode()));
    }
    return map;
  }

  /** Returns a map with the keys and values of another file, too, which are not in this one. */
  YamlMap with(YamlMap other) {
    YamlMap both = new YamlMap(self);
    both.keys.putAll(keys);
    both.values.putAll(values);
    both.keys.putAll(other.keys);
    both.values.putAll(other.values);
    return both;
  }

  /** Refuses keys other than those of a section; returns this map. */
  YamlMap only(ConfigSection section) throws ConfigException {
    return only(section.names());
  }

  /** Refuses keys other than these; returns this map. */
  YamlMap only(String... known) throws ConfigException {
    List<String> names = Arrays.asList(known);
    for (Map.Entry<String, Node> key : keys.entrySet()) {
      if (!names.contains(key.getKey())) {
        throw self.error(
            key.getValue(),
            "has no key "
                + YamlValue.shown(key.getKey())
                + hint(key.getKey(), names)
                + ", and it may have "
                + String.join(", ", names));
      }
    }
    return this;
  }

  private static String hint(String key, List<String> names) {
    if (DIGITS.matcher(key).matches()) { // YAML ends the value at a comma
      return "; a number has no comma: write 10000 or 10_000 for 10,000";
    }
    String now = OLD_KEYS.getOrDefault(key, "");
    return names.contains(now) ? "; it is called " + now + " now" : NearestName.hint(key, names);
  }

  /** Returns the value of a key, if the key exists. */
  Optional<YamlValue> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /**
   * Returns the value of a key.
   *
   * @throws ConfigException if the key is missing
   */
  YamlValue require(String key, String allowed) throws ConfigException {
    return get(key)
        .orElseThrow(() -> self.error("lacks the key " + key + ", which must be " + allowed));
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  /** All values by their keys, in the order of the file. */
  Map<String, YamlValue> entries() {
    return values;
  }

  /** The node of the map, for errors at its place. */
  YamlValue self() {
    return self;
  }
}

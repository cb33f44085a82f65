package io.gauze.config;

import java.util.List;

/**
 * The keys that a map of a config may have.
 *
 * @param path where the map is, such as {@code kafka.rows}; empty for the whole config
 * @param keys the keys in the order in which documents and errors list them; immutable
 */
record ConfigSection(String path, List<ConfigKey> keys) {
  ConfigSection {
    keys = List.copyOf(keys);
  }

  static ConfigSection of(String path, ConfigKey... keys) {
    return new ConfigSection(path, List.of(keys));
  }

  /** The names of the keys. */
  String[] names() {
    return keys.stream().map(ConfigKey::name).toArray(String[]::new);
  }
}

package io.gauze.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the keys of a config stand, for faults that show only when the config is used.
 *
 * @param file the name of the file, as errors give it
 * @param lines by key, such as {@code kafka.rows.topic}, from 1; immutable
 */
public record ConfigPlaces(String file, Map<String, Integer> lines) {
  /** A copy of the lines. */
  public ConfigPlaces {
    lines = Map.copyOf(lines);
  }

  static ConfigPlaces of(String file, YamlMap top) {
    Map<String, Integer> lines = new HashMap<>();
    top.entries().values().forEach(value -> value.addLines(lines));
    return new ConfigPlaces(file, lines);
  }

  /**
   * What an error about {@code key} begins with: {@code file:line: }. The line of a key that is not
   * there is that of the part that would hold it; without such a part there is no line.
   */
  public String of(String key) {
    String part = key;
    while (!lines.containsKey(part) && part.contains(".")) {
      part = part.substring(0, part.lastIndexOf('.'));
    }
    return file + Optional.ofNullable(lines.get(part)).map(line -> ":" + line).orElse("") + ": ";
  }
}

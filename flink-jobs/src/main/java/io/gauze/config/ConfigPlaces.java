package io.gauze.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of the keys of a config, for errors that are found when the config is used.
 *
 * @param file the name of the file in errors
 * @param lines the line of each key, such as {@code kafka.rows.topic}, from 1; immutable
 */
public record ConfigPlaces(String file, Map<String, Integer> lines) {
  /** Creates places with a copy of the lines. */
  public ConfigPlaces {
    lines = Map.copyOf(lines);
  }

  static ConfigPlaces of(String file, YamlMap top) {
    Map<String, Integer> lines = new HashMap<>();
    top.entries().values().stream()
        .filter(value -> value.isBeside(top.self()))
        .forEach(value -> value.addLines(lines));
    return new ConfigPlaces(file, lines);
  }

  /**
   * Returns the start of an error about {@code key}: {@code file:line: }. For a missing key it is
   * the line of the innermost section that would hold it; without such a section there is no line.
   */
  public String of(String key) {
    String part = key;
    while (!lines.containsKey(part) && part.contains(".")) {
      part = part.substring(0, part.lastIndexOf('.'));
    }
    return file + Optional.ofNullable(lines.get(part)).map(line -> ":" + line).orElse("") + ": ";
  }
}

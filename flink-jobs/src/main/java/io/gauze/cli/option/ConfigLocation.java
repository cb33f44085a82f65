package io.gauze.cli.option;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.topic.TopicException;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;

/** Adds file, line and key to errors that are found only after a config is parsed. */
public final class ConfigLocation {
  private static final Set<String> BUDGET = Set.of("epsilon", "delta");

  private ConfigLocation() {}

  /** Returns the error of a check of topics, with a line for each fault. */
  public static ConfigException topics(StreamConfig config, TopicException e) {
    String lines =
        e.faults().stream()
            .map(fault -> fault(config, fault))
            .collect(Collectors.joining(System.lineSeparator()));
    return new ConfigException(lines, e);
  }

  private static String fault(StreamConfig config, TopicException.Fault fault) {
    return fault.topic().isEmpty()
        ? byFirstWord(config, fault.problem())
        : key(config, config.kafka().topics().keyOf(fault.topic()), fault.problem());
  }

  /** Returns the error of an exception whose message begins with the key. */
  public static ConfigException argument(StreamConfig config, IllegalArgumentException e) {
    return new ConfigException(byFirstWord(config, e.getMessage()), e);
  }

  private static String byFirstWord(StreamConfig config, String message) {
    String text = message.replaceFirst("^GZ-[A-Z]+: ", "");
    return config.places().of(text.split("[: ]", 2)[0]) + message;
  }

  /** Returns the message of a problem with the value of a key. */
  public static String key(StreamConfig config, String key, String problem) {
    return config.places().of(key) + key + ": " + problem;
  }

  /**
   * Returns the message if the noise cannot be calibrated, at the named sketch or at the budget.
   */
  public static String plan(StreamConfig config, String problem) {
    for (int i = 0; i < config.sketches().size(); i++) {
      if (problem.startsWith("sketch " + config.sketches().get(i).name() + ": ")) {
        return config.places().of("sketches[" + i + "]") + problem;
      }
    }
    String key = problem.split(" ", 2)[0];
    return BUDGET.contains(key)
        ? config.places().of("privacy." + key) + "privacy." + problem
        : config.places().of("privacy") + "privacy: " + problem;
  }

  /**
   * Returns Flink's message at the config's key that it names, or without a place if it names none.
   */
  public static String flink(StreamConfig config, String problem) {
    return config.flink().keySet().stream()
        .filter(problem::contains)
        .max(Comparator.comparing(String::length))
        .map(key -> key(config, "flink.properties." + key, problem))
        .orElse(problem);
  }
}

package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;

/** A valid config, and changed copies of it. */
public final class ConfigText {
  static final String FILE = "wine.yaml";

  public static final String GOOD =
      """
      stream: wine
      columns:
        - {name: alcohol, lower: 8, upper: 15}
        - {name: cut, map: {Fair: 0, Good: 1, Ideal: 2}, lower: 0, upper: 2}
        - {name: female, source: sex, equals: Female}
        - {name: region, categories: [north, south, east]}
      intercept: 1.0
      rowBound: 2.0
      missing: reject
      privacy: {epsilon: 1.0, delta: 1.0e-6, neighbours: replace-one, unit: row}
      epochs: {length: PT1H, from: 2026-01-01T00:00:00Z, backfill: 48, sealDelay: PT20S}
      expectedRows: 1_000_000
      sketches:
        - {name: moments, mechanism: noisy-moments}
        - {name: buckets, mechanism: count-sketch, buckets: 1024, weight: 2}
      kafka:
        bootstrap: localhost:9092
        properties: {security.protocol: PLAINTEXT, client.id: 7}
        rows: {topic: rows, format: json, start: earliest, bounded: false}
        releases: {topic: published}
        create: {partitions: 4, replicas: 1}
      flink:
        properties:
          parallelism.default: 2
          execution.checkpointing.interval: 10 s
      """;

  private ConfigText() {}

  /** The valid config with one piece of it changed, which must occur exactly once. */
  public static String with(String piece, String replacement) {
    if (GOOD.split(Pattern.quote(piece), -1).length != 2) {
      throw new IllegalArgumentException("piece must occur once. Provided value: " + piece);
    }
    return GOOD.replace(piece, replacement);
  }

  /** Checks that the config with a piece replaced is refused with this message at this line. */
  static void isRefused(String piece, String replacement, int line, String message) {
    String text = with(piece, replacement);

    assertThatThrownBy(() -> StreamConfig.parse(FILE, text))
        .isInstanceOf(ConfigException.class)
        .hasMessage(FILE + ":" + line + ": " + message);
  }
}

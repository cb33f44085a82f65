package io.gauze.cli;

import io.gauze.testing.SharedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Rows with y = 0.2 + 0.5 x1 - 0.3 x2 + 0.1 [kind = b] + noise, and a config for them. */
public final class RowsFile {
  private static final double NOISE = 0.05;

  private RowsFile() {}

  /** A config with these sketches and, below, further keys. */
  public static String config(String stream, String sketches, String further) {
    return String.format(
        Locale.ROOT,
        """
        stream: %s
        columns:
          - {name: x1, lower: 0, upper: 1}
          - {name: x2, lower: 0, upper: 1}
          - {name: kind, categories: [a, b]}
          - {name: y, lower: 0, upper: 1}
        intercept: 0.5
        privacy: {epsilon: 20, delta: 1.0e-6, neighbours: replace-one}
        epochs: {length: all}
        expectedRows: 2_000
        sketches:
          %s
        %s
        """,
        stream,
        sketches,
        further);
  }

  /**
   * Keys of a bounded job on the shared broker; names of its topics begin with that of its rows.
   */
  static String bounded(String rows, int partitions) {
    return String.format(
        Locale.ROOT,
        """
        kafka:
          bootstrap: %1$s
          rows: {topic: %2$s, bounded: true}
          releases: {topic: %2$s-releases}
          ledger: {topic: %2$s-ledger}
          deadLetters: {topic: %2$s-dead}
          late: {topic: %2$s-late}
          create: {partitions: %3$d, replicas: 1}
        flink:
          properties: {parallelism.default: 2, execution.checkpointing.interval: 300 ms}
        """,
        SharedCluster.broker().bootstrapServers(),
        rows,
        partitions);
  }

  /** Lines of a CSV file, the header first. */
  public static List<String> csv(int rows, long seed) {
    List<String> lines = new ArrayList<>(List.of("x1,x2,kind,y"));
    for (Row row : rows(rows, seed)) {
      lines.add(
          String.format(Locale.ROOT, "%.6f,%.6f,%s,%.6f", row.x1(), row.x2(), row.kind(), row.y()));
    }
    return lines;
  }

  /** Records of a rows topic. */
  static String[] json(int rows, long seed) {
    return rows(rows, seed).stream()
        .map(
            row ->
                String.format(
                    Locale.ROOT,
                    "{\"x1\":%.6f,\"x2\":%.6f,\"kind\":\"%s\",\"y\":%.6f}",
                    row.x1(),
                    row.x2(),
                    row.kind(),
                    row.y()))
        .toArray(String[]::new);
  }

  private record Row(double x1, double x2, String kind, double y) {}

  private static List<Row> rows(int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double x1 = random.nextDouble();
      double x2 = random.nextDouble();
      boolean second = random.nextBoolean();
      double mean = 0.2 + 0.5 * x1 - 0.3 * x2 + (second ? 0.1 : 0.0);
      double y = mean + NOISE * random.nextDouble(-1, 1);
      rows.add(new Row(x1, x2, second ? "b" : "a", Math.min(1, Math.max(0, y))));
    }
    return rows;
  }
}

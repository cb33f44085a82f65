package io.gauze.testing;

import java.util.Locale;
import java.util.SplittableRandom;

/** Streams of two columns whose ranges nobody knows: x in [100, 900], and y = 2 x + 50. */
public final class UnknownRanges {
  private UnknownRanges() {}

  /**
   * Returns a config with topics at the shared broker, which are named after that of the rows.
   *
   * @param partitions of topics that are created, and the parallelism
   * @param epochs what key {@code epochs} holds
   * @param mechanism of the sketch, {@code sums}
   */
  public static String config(
      String rows, int partitions, String epochs, boolean bounded, String mechanism) {
    return String.format(
        Locale.ROOT,
        """
        stream: %1$s
        columns:
          - {name: x, range: estimate}
          - {name: y, range: estimate}
        privacy: {epsilon: 20, delta: 1.0e-6, neighbours: replace-one}
        epochs: {%3$s}
        expectedRows: 1000
        sketches:
          - {name: sums, mechanism: %5$s}
        kafka:
          bootstrap: %6$s
          rows: {topic: %1$s, bounded: %4$s}
          releases: {topic: %1$s-releases}
          ledger: {topic: %1$s-ledger}
          deadLetters: {topic: %1$s-dead}
          late: {topic: %1$s-late}
          create: {partitions: %2$d, replicas: 1}
        flink:
          properties: {parallelism.default: %2$d, execution.checkpointing.interval: 300 ms}
        """,
        rows,
        partitions,
        epochs,
        bounded,
        mechanism,
        SharedCluster.broker().bootstrapServers());
  }

  /** Sends rows without a time of their own. */
  public static void send(String topic, int count) {
    SplittableRandom random = new SplittableRandom(5);
    String[] rows = new String[count];
    for (int i = 0; i < count; i++) {
      double x = 100 + 800 * random.nextDouble();
      rows[i] = String.format(Locale.ROOT, "{\"x\":%.3f,\"y\":%.3f}", x, 2 * x + 50);
    }
    TestTopics.send(topic, 0, rows);
  }

  /**
   * Sends rows with field {@code ts}, the smaller values in group {@code low} of field {@code g}
   * and the larger ones in {@code high}.
   *
   * @param from the least time, in milliseconds
   * @param span of times from there
   */
  public static void sendEvents(String topic, int count, long from, long span) {
    SplittableRandom random = new SplittableRandom(from);
    String[] rows = new String[count];
    for (int i = 0; i < count; i++) {
      double x = 100 + 400 * (i % 2 + random.nextDouble());
      rows[i] =
          String.format(
              Locale.ROOT,
              "{\"x\":%.3f,\"y\":%.3f,\"g\":\"%s\",\"ts\":%d}",
              x,
              2 * x + 50,
              i % 2 == 0 ? "low" : "high",
              from + random.nextLong(span));
    }
    TestTopics.send(topic, 0, rows);
  }

  /** Sends rows in some epochs, one after the other, and returns the first when all are over. */
  public static long sendEpochs(String topic, int count, int epochs, long length) {
    long first = System.currentTimeMillis() / length + 1;
    for (int i = 0; i < epochs; i++) {
      WallClock.awaitMillis((first + i) * length + 100);
      send(topic, count);
    }
    WallClock.awaitMillis((first + epochs) * length + 600);
    return first;
  }
}

package io.gauze.testing;

import java.util.Locale;

/**
 * The text of configs of a stream of two columns, x and y in [0, 1], of which the moments are
 * sketched.
 *
 * @param stream its name
 * @param privacy what key {@code privacy} holds
 * @param epochs what key {@code epochs} holds
 */
public record TwoColumns(String stream, String privacy, String epochs) {
  /** An epsilon and a delta that suit tests that do not look at the noise. */
  public static final String EPSILON_1 = "epsilon: 1, delta: 1.0e-6, neighbours: replace-one";

  /** Without topics. */
  public String text() {
    return String.format(
        Locale.ROOT,
        """
        stream: %s
        columns:
          - {name: x, lower: 0, upper: 1}
          - {name: y, lower: 0, upper: 1}
        intercept: 1
        privacy: {%s}
        epochs: %s
        sketches:
          - {name: moments, mechanism: noisy-moments}
        """,
        stream,
        privacy,
        epochs);
  }

  /** With topics at the shared broker, and quick checkpoints. */
  public String onSharedBroker(String rows, String releases, String ledger) {
    return text()
        + String.format(
            Locale.ROOT,
            """
            kafka:
              bootstrap: %s
              rows: {topic: %s}
              releases: {topic: %s}
              ledger: {topic: %s}
              create: {partitions: 2, replicas: 1}
            flink:
              properties: {parallelism.default: 2, execution.checkpointing.interval: 300 ms}
            """,
            SharedCluster.broker().bootstrapServers(),
            rows,
            releases,
            ledger);
  }

  /**
   * With topics at a cluster of processes, to which the stream's job is submitted.
   *
   * @param kafka more keys of {@code kafka}, as lines that begin at its own column
   */
  public String on(ProcessCluster cluster, String kafka) {
    return text()
        + String.format(
            Locale.ROOT,
            """
            kafka:
              bootstrap: %s
              create: {partitions: 2, replicas: 1}
            %sflink:
              properties:
                parallelism.default: 1
                execution.checkpointing.interval: 500 ms
                rest.address: 127.0.0.1
                rest.port: %s
            """,
            cluster.bootstrap(),
            kafka.indent(2),
            cluster.rest().replaceAll(".*:", ""));
  }
}

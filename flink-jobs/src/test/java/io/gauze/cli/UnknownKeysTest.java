package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys that are passed on and that nobody knows. */
final class UnknownKeysTest {
  @TempDir private Path folder;

  private String checked(String kafka, String flink) throws IOException {
    String properties =
        "kafka:\n  properties: {" + kafka + "}\nflink:\n  properties: {" + flink + "}";
    Path config =
        Files.writeString(
            folder.resolve("keys.yaml"),
            RowsFile.config("keys", "- {name: moments, mechanism: noisy-moments}", properties));
    DemoIT.Outcome outcome = DemoIT.run("check", "--offline", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome.err();
  }

  @Test
  void mistypedKeysAreNamedWithTheirLineAndTheNearestOnes() throws IOException {
    assertThat(
            checked(
                "security.protocoll: SSL, ssl.trustore.location: /t, linger.msec: 5",
                "execution.checkpointing.intervall: 5 s, paralelism.default: 2,"
                    + " gauze.model.memory: 1 gb"))
        .containsPattern(
            "warning: .*keys.yaml:14: GZ-UNKNOWNKEY: kafka.properties.security.protocoll is not"
                + " known")
        .contains("is not known; the nearest key is security.protocol.")
        .contains("the nearest key is ssl.truststore.location.", "the nearest key is linger.ms.")
        .containsPattern(
            "keys.yaml:16: GZ-UNKNOWNKEY: flink.properties.execution.checkpointing.intervall")
        .contains("the nearest key is execution.checkpointing.interval.")
        .contains("the nearest key is parallelism.default.")
        .contains("the nearest key is gauze.models.memory.");
  }

  /** Also old names, and those of which a plugin makes the rest. */
  @Test
  void knownKeysAreNot() throws IOException {
    assertThat(
            checked(
                "sasl.mechanism: PLAIN, max.poll.records: 10, linger.ms: 5, default.api.timeout.ms:"
                    + " 9000, sasl.oauthbearer.token.endpoint.url: 'http://a',"
                    + " config.providers.vault.param.url: x",
                "parallelism.default: 2, execution.checkpointing.timeout: 1 h,"
                    + " state.checkpoints.dir: 'file:///c', rest.port: 8081,"
                    + " restart-strategy.type: exponential-delay, gauze.models.memory: 1 gb,"
                    + " taskmanager.numberOfTaskSlots: 2, metrics.reporter.prom.port: 9249,"
                    + " s3.endpoint: x, execution.checkpointing.savepoint-dir: 'file:///s'"))
        .doesNotContain("is not known");
  }
}

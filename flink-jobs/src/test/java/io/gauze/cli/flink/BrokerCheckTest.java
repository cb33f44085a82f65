package io.gauze.cli.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.cli.DemoIT;
import io.gauze.cli.RowsFile;
import io.gauze.config.StreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each verb says where no broker answers; the config's limits spare the tests the 10 s. */
final class BrokerCheckTest {
  private static final String NO_BROKER =
      ":14: kafka.bootstrap: could not reach Kafka at localhost:1: no broker answers. Correct"
          + " kafka.bootstrap or kafka.properties, or start the broker.";

  @TempDir private Path folder;

  private Path config(String kafka) throws IOException {
    String text = RowsFile.config("away", "- {name: moments, mechanism: noisy-moments}", kafka);
    return Files.writeString(folder.resolve("away.yaml"), text);
  }

  private Path away() throws IOException {
    return config(
        """
        kafka:
          bootstrap: localhost:1
          properties: {default.api.timeout.ms: 300, request.timeout.ms: 200}
          create: {partitions: 1, replicas: 1}
        """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "solver",
        "send --csv CSV",
        "ledger",
        "releases",
        "dead-letters --late",
        "fit --response y",
        "ask --response y"
      })
  void aBrokerThatIsAwayIsToldInTheSameWords(String verb) throws Exception {
    Path csv = Files.write(folder.resolve("rows.csv"), RowsFile.csv(1, 1));
    Path config = away();
    Stream<String> words = Arrays.stream(verb.replace("CSV", csv.toString()).split(" "));
    DemoIT.Outcome outcome =
        DemoIT.run(
            Stream.concat(words, Stream.of("--config", config.toString())).toArray(String[]::new));
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("connecting to Kafka at localhost:1")
        .endsWith("gauze: " + config + NO_BROKER + System.lineSeparator());
  }

  /** It is a fault of the config there, told beside what the config means. */
  @Test
  void checkSaysTheSame() throws Exception {
    Path config = away();
    DemoIT.Outcome outcome = DemoIT.run("check", "--config", config.toString());
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err()).contains("gauze: " + config + NO_BROKER + " With --offline");
  }

  /** Streams of one job have their broker in common, mostly. */
  @Test
  void aBrokerIsAskedOnce() throws Exception {
    StreamConfig config = StreamConfig.read(away());
    BrokerCheck brokers = new BrokerCheck(BrokerCheck.OF_JOBS);
    Throwable first = failure(brokers, config);
    assertThat(failure(brokers, config).getCause()).isSameAs(first.getCause());
  }

  private static Throwable failure(BrokerCheck brokers, StreamConfig config) {
    try {
      brokers.reach(config);
    } catch (Exception e) {
      return e;
    }
    throw new AssertionError("a broker answered at localhost:1");
  }

  @Test
  void propertiesThatNoClientTakesAreAConfigError() throws Exception {
    StreamConfig config =
        StreamConfig.read(
            config(
                """
                kafka:
                  bootstrap: localhost:1
                  properties: {security.protocol: NONE}
                """));
    assertThatThrownBy(() -> new BrokerCheck(BrokerCheck.OF_JOBS).reach(config))
        .hasMessageContaining("kafka.properties")
        .hasMessageContaining("do not make a client");
  }
}

package io.gauze.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobStreamsTest {
  @TempDir private Path folder;

  private Path config(String stream, String rest) throws IOException {
    return Files.writeString(
        folder.resolve(stream + ".yaml"),
        "stream: "
            + stream
            + "\ncolumns:\n  - {name: x, lower: 0, upper: 1}\n  - {name: y, lower: 0, upper: 1}\n"
            + "privacy: {epsilon: 1, delta: 1.0e-6, neighbours: replace-one}\n"
            + "sketches:\n  - {name: moments, mechanism: noisy-moments}\n"
            + rest);
  }

  private static String flink(String more) {
    return "flink:\n  properties: {execution.checkpointing.interval: 1 s, " + more + "}\n";
  }

  private static String hours() {
    return "epochs: {length: PT1H}\n";
  }

  @Test
  void streamsKeepTheirOrder() throws Exception {
    Path wine = config("wine", hours() + "kafka: {bootstrap: 'one:9092'}\n");
    Path beer = config("beer", hours() + "kafka: {bootstrap: 'two:9092'}\n");
    JobStreams job = JobStreams.read(List.of(wine, beer));
    assertThat(job.names()).containsExactly("wine", "beer");
    assertThat(job.files()).containsExactly(wine, beer);
    assertThat(job.isOne()).isFalse();
    assertThat(job.bounded()).isFalse();
    assertThat(job.prefix(job.configs().get(1))).isEqualTo("stream beer: ");
    assertThat(job.flink()).containsEntry("execution.checkpointing.interval", "10 s");
    JobStreams one = JobStreams.read(List.of(beer));
    assertThat(one.isOne()).isTrue();
    assertThat(one.prefix(one.configs().get(0))).isEmpty();
  }

  @Test
  void aStreamIsInAJobOnce() throws Exception {
    Path wine = config("wine", hours());
    Path again = Files.copy(wine, folder.resolve("again.yaml"));
    Path beer = config("beer", hours());
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer, again)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            again
                + ": stream must be another one than that of "
                + wine
                + ", since releases are told apart by it. Provided value: wine");
  }

  @Test
  void flinksSettingsAreThoseOfAll() throws Exception {
    Path wine = config("wine", hours() + flink("parallelism.default: 2"));
    Path same = config("same", hours() + flink("parallelism.default: 2"));
    Path four = config("four", hours() + flink("parallelism.default: 4"));
    Path none = config("none", hours() + flink("rest.port: 81"));
    assertThat(JobStreams.read(List.of(wine, same)).names()).hasSize(2);
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, same, four)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(
            four + ": flink.properties.parallelism.default must be as in " + wine + ",")
        .hasMessageEndingWith("Provided value: 4, and there 2");
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, none)))
        .hasMessageEndingWith("Provided value: none, and there 2");
    assertThatThrownBy(() -> JobStreams.read(List.of(none, wine)))
        .hasMessageEndingWith("Provided value: 2, and there none");
  }

  /** The same brokers in another order: the rows are the same, and so must the ledger be. */
  @Test
  void brokersAreTheSameInAnyOrder() throws Exception {
    Path wine = config("wine", hours() + "kafka: {bootstrap: 'a:1,b:2', ledger: {topic: one}}\n");
    Path beer = config("beer", hours() + "kafka: {bootstrap: 'b:2,A:1', ledger: {topic: two}}\n");
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(beer + ": kafka.ledger.topic must be that of " + wine);
  }

  /** One config names two brokers of a cluster, the other one of them. */
  @Test
  void oneBrokerInCommonIsTheSameCluster() throws Exception {
    Path wine = config("wine", hours() + "kafka: {bootstrap: 'a:1,b:2', ledger: {topic: one}}\n");
    Path beer = config("beer", hours() + "kafka: {bootstrap: 'c:3,b:2', ledger: {topic: two}}\n");
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(beer + ": kafka.ledger.topic must be that of " + wine);
  }

  @Test
  void secretsAreNotShown() throws Exception {
    Path wine = config("wine", hours() + flink("s3.secret-key: correct"));
    Path beer = config("beer", hours() + flink("s3.secret-key: horse"));
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer)))
        .hasMessageContaining("flink.properties.s3.secret-key must be as in")
        .hasMessageNotContainingAny("correct", "horse", "Provided value");
  }

  @Test
  void eitherAllStreamsEndOrNone() throws Exception {
    Path wine = config("wine", hours());
    Path beer = config("beer", "epochs: {length: all}\n");
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(beer + ": kafka.rows.bounded must be as in " + wine)
        .hasMessageEndingWith("Provided value: true, from epochs.length all");
    assertThatThrownBy(() -> JobStreams.read(List.of(beer, wine)))
        .hasMessageEndingWith("Provided value: false");
  }

  @Test
  void streamsOfTheSameRowsHaveOneLedger() throws Exception {
    String broker = "kafka: {bootstrap: 'one:9092', ledger: {topic: ";
    Path wine = config("wine", hours() + broker + "first}}\n");
    Path beer = config("beer", hours() + broker + "second}}\n");
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(beer + ": kafka.ledger.topic must be that of " + wine)
        .hasMessageEndingWith("Provided value: second");
    Path others = config("beer", hours() + broker + "second}, rows: {topic: others}}\n");
    assertThat(JobStreams.read(List.of(wine, others)).names()).hasSize(2);
  }

  /** The checkpoint that the one is safe from holds the sums of the other. */
  @Test
  void streamsOfTheSameRowsFearTheSameCheckpointLeaks() throws Exception {
    String broker = "kafka: {bootstrap: 'one:9092', ledger: {topic: first}";
    Path wine = config("wine", hours() + broker + "}\n");
    Path beer = config("beer", hours() + broker + "}\n");
    Path ale = config("ale", hours() + broker + ", rows: {topic: others}}\n");
    for (Path safe : List.of(beer, ale)) {
      String text = Files.readString(safe);
      assertThat(text).contains("neighbours:");
      Files.writeString(safe, text.replace("neighbours:", "checkpointLeaks: 1, neighbours:"));
    }
    assertThatThrownBy(() -> JobStreams.read(List.of(wine, beer)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(beer + ": privacy.checkpointLeaks must be as in " + wine)
        .hasMessageEndingWith("or run two jobs. Provided value: 1");
    assertThat(JobStreams.read(List.of(wine, ale)).names()).hasSize(2);
  }

  @Test
  void thereIsAFileForEachConfig() {
    assertThatThrownBy(() -> new JobStreams(List.of(), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Provided value: 0 configs, 0 files");
  }
}

package io.gauze.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.Main;
import io.gauze.cli.flink.SketchJobName;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.testing.OwnersFiles;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.Thorough;
import io.gauze.testing.TwoColumns;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cluster jar as users submit it, on a real cluster whose broker wants a password: that of the
 * container files, at other addresses.
 */
final class FlinkRunIT {
  private static final String PASSWORD = "correct-horse-battery";
  private static final Path BROKER = Path.of("..", "docker", "kafka", "server.properties");

  @TempDir private Path folder;

  private ProcessCluster cluster;

  @Thorough
  @Test
  void aConfigRunsOnAClusterUntilItIsStopped() throws Exception {
    Path secrets = Files.createDirectory(folder.resolve("secrets"));
    Files.writeString(secrets.resolve("kafka_password"), PASSWORD);
    try (ProcessCluster started = ProcessCluster.start(folder.resolve("cluster"), 2, Map.of())) {
      cluster = started;
      askForPasswords(secrets);
      Path config = config("ledger", secrets.resolve("kafka_password"));

      refusesWhatBreaksTheProtocol(config);
      ProcessCluster.Outcome missing =
          cluster.submit(List.of(), config("ledger", secrets.resolve("none")));
      assertThat(missing.status()).as(missing.toString()).isEqualTo(2);
      assertThat(missing.err()).contains("refers to the file " + secrets.resolve("none"));

      ProcessCluster.Outcome first = cluster.submit(List.of("-p", "2"), config);
      assertThat(first.status()).as(first.toString()).isZero();
      assertThat(first.err()).contains("Differentially private with epsilon 1.0");
      String job = cluster.runningJob(SketchJobName.of(List.of("remote"))).orElseThrow();
      assertThat(cluster.parallelism(job)).as("what -p says, not the config").contains(2);
      sendRow(config);
      Set<String> before = awaitReleases(config, Set.of());
      assertThat(cluster.must("checkpoints")).contains("job=" + job + " runs=yes name=gauze sket");
      assertThat(cluster.must("clean", "--yes")).isEmpty();
      noFileHoldsThePassword();
      ProcessCluster.await(
          "the metrics of the dashboard",
          () ->
              gauzeMetrics(job)
                  .containsAll(
                      List.of(
                          "rows",
                          "deadLetters",
                          "lateRows",
                          "clippedRows",
                          "column.x.clampedRows",
                          "sealedBlocks",
                          "lateBlocks",
                          "publishedReleases",
                          "repeatedReleases")));

      ProcessCluster.Outcome second = cluster.submit(List.of(), config);
      assertThat(second.status()).as(second.toString()).isEqualTo(1);
      assertThat(second.err()).contains("GZ-SAMEJOB", "runs already on this cluster", job);

      DemoIT.Outcome stopped = DemoIT.run("stop", "--config", config.toString());
      assertThat(stopped.status()).as(stopped.err()).isZero();
      String savepoint = stopped.out().strip();
      assertThat(stopped.err()).contains("flink run -d -s " + savepoint);

      Path others = config("another-ledger", secrets.resolve("kafka_password"));
      Files.writeString(
          others,
          Files.readString(others)
              .replace("  ledger: ", "  releases: {topic: others}\n  ledger: "));
      ProcessCluster.Outcome other = cluster.submit(List.of("-s", savepoint), others);
      assertThat(other.status()).as(other.toString()).isEqualTo(3);
      assertThat(other.err()).contains("The restored state of stream remote was made under");

      String restored = submitAsContainersDo(config);
      assertThat(restored).contains("going on from ", savepoint.replaceAll(".*/", ""));
      awaitReleases(config, before);
      ProcessCluster.Outcome last =
          cluster.flink(
              "run", ProcessCluster.JAR.toString(), "stop", "--config", config.toString());
      assertThat(last.status()).as(last.toString()).isZero();
      assertThat(last.out()).contains("file:" + cluster.folder().resolve("savepoints"));
      noFileHoldsThePassword();
      cluster.must("stop");
      assertThat(OwnersFiles.openToOthers(cluster.folder())).isEmpty();
    }
  }

  /** Its worker is killed twice; each epoch is released once, and the restart is waited for. */
  @Test
  void aConfigRunsOnAndIsStoppedAfterItsWorkerIsKilled() throws Exception {
    try (ProcessCluster started = ProcessCluster.start(folder.resolve("cluster"), 1, Map.of())) {
      cluster = started;
      TwoColumns columns =
          new TwoColumns("killed", TwoColumns.EPSILON_1, "{length: PT1S, sealDelay: PT0.5S}");
      Path config = Files.writeString(folder.resolve("killed.yaml"), columns.on(cluster, ""));
      ProcessCluster.Outcome submitted = cluster.submit(List.of(), config);
      assertThat(submitted.status()).as(submitted.toString()).isZero();
      String job = cluster.runningJob(SketchJobName.of(List.of("killed"))).orElseThrow();
      sendRow(config);
      awaitReleases(config, Set.of());
      ProcessCluster.kill(cluster.taskManagers().values().iterator().next());
      cluster.must("add-taskmanager");
      ProcessCluster.await(
          "a restore",
          () -> cluster.get("/jobs/" + job + "/checkpoints").at("/counts/restored").asLong() > 0);
      awaitReleases(config, Set.copyOf(releases(config)));
      ProcessCluster.kill(cluster.taskManagers().values().iterator().next());
      ProcessCluster.await("the loss of all tasks", () -> runningTasks(job) == 0);
      StringWriter err = new StringWriter();
      CompletableFuture<Integer> stopped = CompletableFuture.supplyAsync(() -> stop(config, err));
      ProcessCluster.await(
          "a stop that waits",
          () -> err.toString().contains("waiting until Flink takes a savepoint"));
      cluster.must("add-taskmanager");
      assertThat(stopped.get(ProcessCluster.PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as(err.toString())
          .isZero();
      assertThat(releases(config)).as("of the epochs").isNotEmpty().doesNotHaveDuplicates();
    }
  }

  private static int stop(Path config, StringWriter err) {
    return Main.commandLine()
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(err))
        .execute("stop", "--config", config.toString());
  }

  private long runningTasks(String job) {
    long running = 0;
    for (JsonNode vertex : cluster.get("/jobs/" + job).path("vertices")) {
      running += vertex.at("/tasks/RUNNING").asLong();
    }
    return running;
  }

  private void refusesWhatBreaksTheProtocol(Path config) {
    for (String wrong :
        List.of("execution.checkpointing.unaligned.enabled=true", "state.backend.type=rocksdb")) {
      ProcessCluster.Outcome refused = cluster.submit(List.of("-D", wrong), config);
      assertThat(refused.status()).as(refused.toString()).isEqualTo(2);
      assertThat(refused.err()).contains(wrong.split("=", 2)[0] + " must be");
    }
  }

  /** The script of the containers, with Flink and the jar where they are here. */
  private String submitAsContainersDo(Path config) throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path submit = bin.resolve("submit");
    Files.writeString(
        submit,
        Files.readString(Path.of("..", "docker", "submit"))
            .replace("/opt/flink/usrlib/gauze-cluster.jar", ProcessCluster.JAR.toString()));
    Path flink = bin.resolve("flink");
    Files.writeString(flink, "#!/bin/sh\nexec \"$CLUSTER\" flink --dir \"$CLUSTER_DIR\" \"$@\"\n");
    assertThat(flink.toFile().setExecutable(true)).isTrue();
    String name = config.getFileName().toString().replace(".yaml", "");
    Path store = Files.createDirectories(folder.resolve("store").resolve("run-" + name));
    Files.createSymbolicLink(store.resolve("savepoints"), cluster.folder().resolve("savepoints"));
    Path log = folder.resolve("submit.log");
    ProcessBuilder builder =
        new ProcessBuilder("bash", submit.toString(), "run", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("PATH", bin + ":" + environment.get("PATH"));
    environment.put("CLUSTER", ProcessCluster.SCRIPT.toString());
    environment.put("CLUSTER_DIR", cluster.folder().toString());
    environment.put("GAUZE_STORE", folder.resolve("store").toString());
    environment.put("GAUZE_JOBMANAGER", cluster.rest().replace("http://", ""));
    environment.put("GAUZE_PARALLELISM", "1");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    int status = ProcessCluster.statusOf(builder.start());
    String said = Files.readString(log);
    assertThat(status).as(said).isZero();
    return said;
  }

  /** The broker with the config of the container files. */
  private void askForPasswords(Path secrets) throws IOException {
    Path file = cluster.folder().resolve("conf").resolve("server.properties");
    Properties local = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      local.load(reader);
    }
    String controller = local.getProperty("controller.quorum.voters").replace("1@", "");
    String text =
        Files.readString(BROKER)
            .replace("@kafka:9093", "@" + controller)
            .replace("CLIENTS://kafka:9092", "CLIENTS://" + cluster.bootstrap())
            .replace("CLIENTS://:9092", "CLIENTS://" + cluster.bootstrap())
            .replace("CONTROLLER://:9093", "CONTROLLER://" + controller)
            .replace("/run/secrets", secrets.toString())
            .replace("/var/lib/kafka/data", local.getProperty("log.dirs"));
    Files.writeString(file, text);
    cluster.must("stop-kafka");
    cluster.must("start-kafka");
  }

  private static KafkaAccess access(Path config) throws Exception {
    KafkaSettings kafka = StreamConfig.read(config).kafka();
    return new KafkaAccess(kafka.requireBootstrap(), kafka.properties());
  }

  private static void sendRow(Path config) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = access(config).producer(Map.of())) {
      byte[] row = "{\"x\":0.5,\"y\":0.25}".getBytes(UTF_8);
      producer.send(new ProducerRecord<>("rows", row)).get();
    }
  }

  /** The ids that are there, once some are that {@code known} lacks. */
  private static Set<String> awaitReleases(Path config, Set<String> known) throws Exception {
    Set<String> ids = new TreeSet<>();
    try (KafkaConsumer<byte[], byte[]> consumer = access(config).consumer()) {
      List<TopicPartition> partition = List.of(new TopicPartition("releases", 0));
      consumer.assign(partition);
      consumer.seekToBeginning(partition);
      ProcessCluster.await(
          "a new release",
          () -> {
            consumer
                .poll(Duration.ofMillis(100))
                .forEach(release -> ids.add(new String(release.key(), UTF_8)));
            return !ids.isEmpty() && !known.containsAll(ids);
          });
    }
    return ids;
  }

  /** The id of each committed record. */
  private static List<String> releases(Path config) throws Exception {
    List<String> ids = new ArrayList<>();
    TopicPartition partition = new TopicPartition("releases", 0);
    try (KafkaConsumer<byte[], byte[]> consumer = access(config).consumer()) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      ProcessCluster.await(
          "the last release",
          () -> {
            consumer
                .poll(Duration.ofMillis(100))
                .forEach(release -> ids.add(new String(release.key(), UTF_8)));
            return consumer.position(partition) >= end;
          });
    }
    return ids;
  }

  /** Logs, configs, checkpoints, savepoints, job graphs and topics. */
  private void noFileHoldsThePassword() throws IOException {
    try (Stream<Path> files = Files.walk(cluster.folder())) {
      assertThat(files.filter(Files::isRegularFile).filter(FlinkRunIT::holdsPassword)).isEmpty();
    }
    for (JsonNode job : cluster.get("/jobs").path("jobs")) {
      String id = job.path("id").asText();
      assertThat(cluster.get("/jobs/" + id + "/config").toString()).doesNotContain(PASSWORD);
      assertThat(cluster.get("/jobs/" + id + "/plan").toString()).doesNotContain(PASSWORD);
    }
  }

  private static boolean holdsPassword(Path file) {
    try {
      return Files.readString(file, ISO_8859_1).contains(PASSWORD);
    } catch (NoSuchFileException e) {
      return false; // a checkpoint that was replaced meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of the metrics in group gauze, as the job manager knows them. */
  private Set<String> gauzeMetrics(String job) {
    Set<String> names = new TreeSet<>();
    for (JsonNode vertex : cluster.get("/jobs/" + job).path("vertices")) {
      String path = "/jobs/" + job + "/vertices/" + vertex.path("id").asText() + "/metrics";
      cluster
          .get(path)
          .forEach(
              metric -> {
                String id = metric.path("id").asText();
                int group = id.indexOf(".gauze.");
                if (group >= 0) {
                  names.add(id.substring(group + ".gauze.".length()));
                }
              });
    }
    return names;
  }

  private Path config(String ledger, Path password) throws IOException {
    TwoColumns config =
        new TwoColumns("remote", TwoColumns.EPSILON_1, "{length: PT2S, sealDelay: PT0.5S}");
    String kafka =
        String.format(
            Locale.ROOT,
            """
            properties:
              security.protocol: SASL_PLAINTEXT
              sasl.mechanism: PLAIN
              sasl.jaas.config: >-
                org.apache.kafka.common.security.plain.PlainLoginModule required
                username="gauze" password="${file:%s}";
            ledger: {topic: %s}
            """,
            password,
            ledger);
    return Files.writeString(
        folder.resolve(ledger + "-" + password.getFileName() + ".yaml"), config.on(cluster, kafka));
  }
}

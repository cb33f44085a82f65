package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.cli.flink.LocalBroker;
import io.gauze.cli.flink.StatusLines;
import io.gauze.cli.rows.LiveMeters;
import io.gauze.testing.HttpProbe;
import io.gauze.testing.TestJava;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.topic.KafkaAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verb up as a process of its own, asked from here, ended by SIGTERM. */
final class UpIT {
  private static final String SERIES = "v1/series?response=kwh&sketch=moments&window=20&format=csv";

  @TempDir private Path folder;

  private Path config(String name, String epochs, String kafka) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        String.format(
            Locale.ROOT,
            """
            stream: up
            columns:
              - {name: x1, lower: 0, upper: 1}
              - {name: x2, lower: 0, upper: 1}
              - {name: kind, categories: [a, b]}
              - {name: y, lower: 0, upper: 1}
            intercept: 0.5590169943749475
            rowBound: 1.5309310892394863
            privacy: {epsilon: 20, delta: 1.0e-6, neighbours: replace-one}
            epochs: %s
            expectedRows: 2_000
            sketches:
              - {name: moments, mechanism: noisy-moments}
            kafka:
              %s
              requests: {topic: questions}
            flink:
              properties: {parallelism.default: 1, execution.checkpointing.interval: 500 ms}
            """,
            epochs,
            kafka));
  }

  @Test
  void saysThatItsPortIsTakenBeforeItStartsAnything() throws Exception {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    try (ServerSocket taken = new ServerSocket(0, 1, loopback)) {
      String address = "localhost:" + taken.getLocalPort();
      Path config = config("up.yaml", "{length: PT2S}", "bootstrap: '" + address + "'");

      DemoIT.Outcome up = DemoIT.run("up", "--config", config.toString());

      assertThat(up.status()).isEqualTo(1);
      assertThat(up.err())
          .startsWith("gauze: kafka.bootstrap: port " + taken.getLocalPort() + " on 127.0.0.1")
          .contains("gauze run and gauze solver")
          .hasLineCount(1);
    }
  }

  @Test
  void sketchesAndAnswersUntilASignal() throws Exception {
    String epochs = "{length: PT2S, sealDelay: PT1S}";
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process up = start(temporary, config("up.yaml", epochs, "properties: {}"));
    try (BufferedReader out = up.inputReader(UTF_8)) {
      JsonNode said = JsonMapper.builder().build().readTree(out.readLine());
      assertThat(said.at("/stream").asText()).isEqualTo("up");
      assertThat(said.at("/topics/requests").asText()).isEqualTo("questions");
      assertThat(HttpProbe.get(said.at("/service").asText() + "/readyz").statusCode())
          .isEqualTo(200);
      String address = said.at("/bootstrap").asText();
      Instant epoch = send(address, said.at("/topics/rows").asText());
      Path there = config("there.yaml", epochs, "bootstrap: " + address);
      asks(there, "up/all/" + epoch + "/moments");
      awaitLine(
          "\\S+Z rows 1,000, late 0, dead 0, clamped 0, clipped 187, dropped 0, last release of epoch"
              + " \\S+Z \\d+ s ago, oldest unreleased epoch \\S+Z.*, lag 0");
      canOnlyBeEnded(there, up.pid());
      tellsThatAnEpochIsEmpty(there);
      up.destroy(); // SIGTERM
      assertThat(up.waitFor(60, SECONDS)).isTrue();
      assertThat(up.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
      assertThat(temporary).isDirectoryNotContaining("glob:**/gauze-*");
    } finally {
      up.destroyForcibly();
    }
  }

  /** All epochs after that of the rows are empty, and most of them seem so. */
  private static void tellsThatAnEpochIsEmpty(Path config) {
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    String err = "";
    while (!err.contains("seems empty") && System.nanoTime() - deadline < 0) {
      DemoIT.Outcome answer = ask(config, "--response", "y");
      assertThat(answer.status()).as(answer.err()).isZero();
      err = answer.err();
    }
    assertThat(err)
        .contains(
            "the number of rows cannot be told from the noise. Take an earlier one with --id ID");
  }

  private void canOnlyBeEnded(Path config, long process) {
    String home = System.getProperty("user.home");
    System.setProperty("user.home", folder.toString());
    try {
      String remedy = "end it with Ctrl-C in its terminal, or with kill " + process;
      DemoIT.Outcome stop = DemoIT.run("stop", "--config", config.toString());
      assertThat(stop.status()).isEqualTo(1);
      assertThat(stop.err()).contains("is one of gauze up", remedy);
      DemoIT.Outcome run = DemoIT.run("run", "--config", config.toString());
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err())
          .contains("GZ-UPJOB: A job of gauze up on this machine runs stream", "process " + process)
          .contains("End it first, with Ctrl-C in its terminal or with kill.")
          .doesNotContain("gauze stop");
    } finally {
      System.setProperty("user.home", home);
    }
  }

  @Test
  void withoutAConfigMetersFlowInAndIntervalsShrink() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process up = start(temporary, List.of("-D" + LiveMeters.EPOCH + "=PT3S"), List.of());
    try (BufferedReader out = up.inputReader(UTF_8)) {
      assertThat(out.readLine()).matches("Kafka    127\\.0\\.0\\.1:\\d+");
      String console = out.readLine();
      assertThat(console).matches("console  http://127\\.0\\.0\\.1:\\d+/#/fit\\?epochs=all");
      Matcher curl = Pattern.compile("try      curl '(http://\\S+)'").matcher(out.readLine());
      assertThat(curl.matches()).isTrue();
      String fit = HttpProbe.await(curl.group(1), Optional::of);
      // The truth is -0.3; an epoch without rows would answer with next to nothing.
      assertThat(fit).startsWith("term,estimate,").contains("\nhour_cos,-0.");
      String series = console.replaceAll("console  |#.*", "") + SERIES;
      List<Double> errors = HttpProbe.await(series, UpIT::errorsOfSixEpochs);
      // Alike epochs: an error falls as one over the root of their number, from one epoch to six to
      // 0.41. The noise of the first ones may be too large for an interval: from three to eight,
      // 0.61.
      assertThat(errors.get(5)).isLessThan(0.8 * errors.get(0));
      up.destroy(); // SIGTERM
      assertThat(up.waitFor(60, SECONDS)).isTrue();
      assertThat(up.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
      assertThat(temporary).isDirectoryNotContaining("glob:**/gauze-*");
    } finally {
      up.destroyForcibly();
    }
  }

  /** The standard errors of a coefficient over all epochs until each; empty before six have one. */
  private static Optional<List<Double>> errorsOfSixEpochs(String csv) {
    List<Double> errors =
        csv.lines()
            .map(line -> line.split(",", -1))
            .filter(cells -> cells[1].equals("hour_cos") && !cells[3].isEmpty())
            .map(cells -> Double.parseDouble(cells[3]))
            .toList();
    return Optional.of(errors).filter(found -> found.size() >= 6);
  }

  /** The rows of the first epoch that has any are counted. */
  @Thorough
  @Test
  void rangesAreChosenBeforeTheJobsBegin() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path config = config("up.yaml", "{length: PT2S, sealDelay: PT0.5S}", "properties: {}");
    Files.writeString(
        config,
        Files.readString(config)
            .replace("x1, lower: 0, upper: 1", "x1, range: estimate")
            .replaceAll("(intercept|rowBound): .*\n", ""));
    Process up = start(temporary, config);
    try (BufferedReader out = up.inputReader(UTF_8)) {
      JsonNode said = JsonMapper.builder().build().readTree(out.readLine());
      Instant unused = send(said.at("/bootstrap").asText(), said.at("/topics/rows").asText());
      awaitLine("ranges are chosen from up/all/\\S+Z/ranges, as columns of a config:");
      awaitLine("running until Ctrl-C");
      up.destroy(); // SIGTERM
      assertThat(up.waitFor(60, SECONDS)).isTrue();
      assertThat(up.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    } finally {
      up.destroyForcibly();
    }
  }

  /** The second reads the same rows, for which the account has room. */
  @Thorough
  @Test
  void twoStreamsAreOneJobWithASolverEach() throws Exception {
    String epochs = "{length: PT2S, sealDelay: PT1S}";
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Path first = config("up.yaml", epochs, "properties: {}");
    Files.writeString(
        first,
        Files.readString(first)
            .replace("epsilon: 20,", "epsilon: 20, totalBudget: {epsilon: 50, delta: 2.0e-6},"));
    Path second = second(first, "second.yaml", "questions", "more-questions");
    Process up = start(temporary, first, second);
    try (BufferedReader out = up.inputReader(UTF_8)) {
      JsonMapper json = JsonMapper.builder().build();
      JsonNode said = json.readTree(out.readLine());
      JsonNode next = json.readTree(out.readLine());
      assertThat(said.at("/stream").asText()).isEqualTo("up");
      assertThat(next.at("/stream").asText()).isEqualTo("second");
      assertThat(next.at("/topics/requests").asText()).isEqualTo("more-questions");
      String address = said.at("/bootstrap").asText();
      assertThat(next.at("/bootstrap").asText()).isEqualTo(address);
      Instant epoch = send(address, said.at("/topics/rows").asText());
      for (Path config : List.of(first, second)) {
        Path there =
            Files.writeString(
                config,
                Files.readString(config).replace("properties: {}", "bootstrap: " + address));
        String stream = config.equals(first) ? "up" : "second";
        String id = stream + "/all/" + epoch + "/moments";
        DemoIT.Outcome answer = ask(there, "--response", "y", "--id", id, "--timeout", "PT2M");
        assertThat(answer.status()).as(answer.err()).isZero();
      }
      up.destroy(); // SIGTERM
      assertThat(up.waitFor(60, SECONDS)).isTrue();
      assertThat(up.exitValue()).as(Files.readString(folder.resolve("err"))).isZero();
    } finally {
      up.destroyForcibly();
    }
  }

  private Path second(Path first, String name, String from, String to) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        Files.readString(first).replace("stream: up", "stream: second").replace(from, to));
  }

  /** Of those that the process writes to standard error. */
  private void awaitLine(String pattern) throws IOException {
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    Path err = folder.resolve("err");
    while (Files.readAllLines(err).stream().noneMatch(line -> line.matches(pattern))) {
      assertThat(System.nanoTime() - deadline).as(Files.readString(err)).isNegative();
      LockSupport.parkNanos(50_000_000); // the process needs the cores
    }
  }

  private static void asks(Path config, String id) throws IOException {
    DemoIT.Outcome json =
        ask(config, "--response", "y", "--id", id, "--timeout", "PT2M", "--format", "json");
    assertThat(json.status()).as(json.err()).isZero();
    JsonNode answer = JsonMapper.builder().build().readTree(json.out());
    assertThat(answer.at("/releases/0").asText()).isEqualTo(id);
    // Of 500 rows, the fewest, 0.495 with standard deviation 0.0115 over 600 draws of the noise,
    // nearly Gaussian: 8 of them, 1.3e-15 of all runs.
    assertThat(answer.at("/coefficients/x1").asDouble()).isBetween(0.4, 0.6);
    DemoIT.Outcome table = ask(config, "--response", "y", "--id", id, "--lambda", "1");
    assertThat(table.status()).as(table.err()).isZero();
    assertThat(table.out())
        .contains("What explains y, by ridge, in the user's units", "Guarantee: ");
    DemoIT.Outcome column = ask(config, "--response", "z", "--id", id);
    assertThat(column.status()).isEqualTo(2);
    assertThat(column.err()).contains("must be one of x1, x2, kind=b, y. Provided value: z");
    DemoIT.Outcome refused =
        ask(config, "--response", "y", "--id", id, "--loss", "lad", "--strict");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err()).contains("refused: " + id);
    String other = "up/all/2001-01-01T00:00:00Z/moments";
    DemoIT.Outcome unknown = ask(config, "--response", "y", "--id", other, "--timeout", "PT2S");
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("no release " + other + " came within the --timeout of PT2S");
  }

  private static DemoIT.Outcome ask(Path config, String... options) {
    List<String> words = new ArrayList<>(List.of("ask", "--config", config.toString()));
    words.addAll(List.of(options));
    return DemoIT.run(words.toArray(new String[0]));
  }

  /** The epoch of the row in the middle, and so of half of the rows at least. */
  private static Instant send(String address, String topic) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaAccess(address, Map.of()).producer(Map.of())) {
      for (String row : RowsFile.json(1000, 5)) {
        sent.add(producer.send(new ProducerRecord<>(topic, row.getBytes(UTF_8))));
      }
      producer.flush();
    }
    long time = sent.get(500).get().timestamp();
    return Instant.ofEpochMilli(time - time % 2000);
  }

  private static Process start(Path temporary, Path... configs) throws IOException {
    List<String> options = new ArrayList<>(List.of("--format", "json"));
    for (Path config : configs) {
      options.addAll(List.of("--config", config.toString()));
    }
    return start(temporary, List.of("-D" + StatusLines.PERIOD_MILLIS + "=200"), options);
  }

  private static Process start(Path temporary, List<String> java, List<String> options)
      throws IOException {
    List<String> folders =
        List.of("-Duser.home=" + temporary.getParent(), "-Djava.io.tmpdir=" + temporary);
    List<String> words =
        TestJava.gauze(Stream.of(folders, java).flatMap(List::stream).toList(), "up");
    words.addAll(options);
    return new ProcessBuilder(words)
        .redirectError(temporary.resolveSibling("err").toFile())
        .start();
  }

  @Test
  void configsThatCannotBeServedAreRefused() throws Exception {
    Path bounded = config("bounded.yaml", "{length: all}", "properties: {}");
    DemoIT.Outcome outcome = DemoIT.run("up", "--config", bounded.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("up begins with an empty topic of rows");
    Path far = config("far.yaml", "{length: PT1H}", "bootstrap: 'kafka.example:9092'");
    outcome = DemoIT.run("up", "--config", far.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("kafka.bootstrap must be localhost:PORT", "kafka.example:9092");
    Path near = config("near.yaml", "{length: PT1H}", "bootstrap: 'localhost:9092'");
    Path same = second(near, "same.yaml", "none", "none");
    outcome = DemoIT.run("up", "--config", near.toString(), "--config", same.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains(same + ": kafka.requests.topic must be another one than that of " + near);
    Path port = second(near, "port.yaml", ":9092", ":9093");
    outcome = DemoIT.run("up", "--config", near.toString(), "--config", port.toString());
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err())
        .contains(port + ": kafka.bootstrap must be the same in all configs of up", ":9093");
    assertThat(LocalBroker.port(Optional.of("localhost:9092"))).isEqualTo(9092);
    assertThat(LocalBroker.port(Optional.empty())).isZero();
  }
}

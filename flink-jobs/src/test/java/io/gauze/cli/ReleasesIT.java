package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.Main;
import io.gauze.config.StreamConfig;
import io.gauze.local.LocalSketch;
import io.gauze.mechanism.ReleaseId;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestJava;
import io.gauze.testing.TestTopics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the topic of releases holds, listed, exported and fitted, as a user does it. */
@ExtendWith(SharedCluster.class)
final class ReleasesIT {
  private static final String SKETCHES =
      "- {name: moments, mechanism: noisy-moments}\n"
          + "  - {name: buckets, mechanism: count-sketch, buckets: 256}";
  private static final String OTHERS =
      """
      - {name: strata, mechanism: stratified-moments}
        - {name: drawn, mechanism: jl, rows: 2048}
        - {name: noise, mechanism: wishart}\
      """;

  @TempDir private Path folder;

  /** A config for a topic of releases; the rows are wanted only by {@code run}. */
  private Path config(String stream, String rows, String releases, String more) throws IOException {
    return config(stream, SKETCHES, rows, releases, more);
  }

  private Path config(String stream, String sketches, String rows, String releases, String more)
      throws IOException {
    String kafka =
        String.format(
            Locale.ROOT,
            """
            kafka:
              bootstrap: %s
              rows: {topic: %s, bounded: true}
              releases: {topic: %s}
              ledger: {topic: %s-ledger}
              deadLetters: {topic: %s-dead}
              late: {topic: %s-late}
              %s
            flink:
              properties: {parallelism.default: 2, execution.checkpointing.interval: 300 ms}
            """,
            SharedCluster.broker().bootstrapServers(),
            rows,
            releases,
            rows,
            rows,
            rows,
            more);
    return Files.writeString(
        folder.resolve(stream + ".yaml"), RowsFile.config(stream, sketches, kafka));
  }

  private static DemoIT.Outcome run(int status, String... words) {
    DemoIT.Outcome outcome = DemoIT.run(words);
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  private static JsonNode json(String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--format", "json"));
    return JsonMapper.builder().build().readTree(run(0, all.toArray(new String[0])).out());
  }

  private static JsonNode solve(Path config, String id, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("fit", "--config", config.toString()));
    words.addAll(List.of("--id", id));
    words.addAll(List.of(options));
    return json(words.toArray(new String[0]));
  }

  /**
   * One release of a job answers seven regressions. The rows are always the same and only the noise
   * differs: over 300 draws of it the coefficient of y was 1.72 with standard deviation 0.041, that
   * of the net 0.4267 (0.0037), that of ridge 0.1945 (0.0013), nearly Gaussian; and lasso dropped
   * kind=b from a lambda of 130 (6) on. So y is 29 standard deviations from its bound, the net's 8
   * and ridge's 7.7 from theirs, lasso's lambda 300: at most 2e-14 of all runs fail.
   */
  @Test
  void oneReleaseOfAJobAnswersManyRegressions() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, RowsFile.json(2000, 3));
    Path config = config("many", rows, rows + "-releases", "create: {partitions: 2, replicas: 1}");
    run(0, "run", "--config", config.toString());
    String id = "many/all/all/moments";

    JsonNode all = solve(config, id, "--response", "y");
    close(all, "x1", 0.5);
    close(all, "x2", -0.3);
    close(all, "kind=b", 0.1);
    JsonNode some = solve(config, id, "--response", "y", "--features", "x1,kind=b");
    assertThat(some.at("/coefficients").properties()).hasSize(3);
    close(some, "x1", 0.5);
    JsonNode other = solve(config, id, "--response", "x1", "--features", "y,x2");
    assertThat(other.at("/coefficients/y").asDouble()).isGreaterThan(0.5);
    JsonNode lasso = solve(config, id, "--response", "y", "--loss", "lasso", "--lambda", "2000");
    assertThat(lasso.at("/loss").asText()).isEqualTo("lasso");
    assertThat(lasso.at("/coefficients/kind=b").asDouble()).isEqualTo(0.0);
    JsonNode net = solve(config, id, "--response", "y", "--loss", "elastic-net", "--lambda", "100");
    assertThat(net.at("/alpha").asDouble()).isEqualTo(0.5);
    assertThat(net.at("/coefficients/x1").asDouble()).isCloseTo(0.4267, within(0.03));
    JsonNode ridge = solve(config, id, "--response", "y", "--loss", "ridge", "--lambda", "1000");
    assertThat(ridge.at("/coefficients/x1").asDouble()).isCloseTo(0.1945, within(0.01));
    JsonNode encoded = solve(config, id, "--response", "y", "--scale", "encoded");
    assertThat(encoded.at("/coefficients/x1").asDouble())
        .isCloseTo(all.at("/coefficients/x1").asDouble(), within(1e-12));
    assertThat(all.at("/guarantee/private").asBoolean()).isTrue();

    DemoIT.Outcome best = run(0, "fit", "--config", config.toString(), "--response", "y");
    assertThat(best.err())
        .contains(
            "many/all/all/buckets: ", "taken: many/all/all/moments, the smallest predicted excess");
    DemoIT.Outcome lad =
        run(
            1,
            "fit",
            "--config",
            config.toString(),
            "--response",
            "y",
            "--loss",
            "lad",
            "--strict");
    assertThat(lad.err()).contains(id + ": ", "many/all/all/buckets: ");
    lists(config, rows + "-releases", id);
  }

  /**
   * Losses that bend from strata, and mechanisms whose noise is drawn when the epoch is sealed.
   * Over 3,000 draws of the strata's noise the intercept of the quantile 0.9 was 0.049 to 0.213
   * above that of 0.1, a tenth of the draws below 0.064: the law is skewed, with an edge far above
   * 0.
   */
  @Test
  void otherMechanismsOfAJobAnswerToo() throws Exception {
    String rows = TestTopics.createRows("rows", 2);
    TestTopics.send(rows, 0, RowsFile.json(2000, 4));
    Path config =
        config("others", OTHERS, rows, rows + "-releases", "create: {partitions: 2, replicas: 1}");
    run(0, "run", "--config", config.toString());
    String strata = "others/all/all/strata";
    // the standard error of strata holds what they leave out
    close(solve(config, strata, "--response", "y", "--loss", "lad"), "x1", 0.5, 0.06);
    JsonNode low =
        solve(config, strata, "--response", "y", "--loss", "quantile", "--quantile", "0.1");
    JsonNode high =
        solve(config, strata, "--response", "y", "--loss", "quantile", "--quantile", "0.9");
    assertThat(high.at("/coefficients/(intercept)").asDouble())
        .isGreaterThan(low.at("/coefficients/(intercept)").asDouble());
    for (String sketch : List.of("strata", "drawn", "noise")) {
      JsonNode ridge = solve(config, "others/all/all/" + sketch, "--response", "y");
      close(ridge, "x1", 0.5);
      close(ridge, "x2", -0.3);
    }
  }

  /**
   * Ten standard errors. Over the noise alone the estimates have a standard deviation of at most
   * 1.1 of them, and these rows' own fit is at most 1 of them from the truth: beyond 8 standard
   * deviations of a Gaussian, in 1.3e-15 of all runs. Over 300 to 3,000 draws the errors were
   * 0.0042 to 0.0226, that of lad the largest.
   */
  private static void close(JsonNode fit, String name, double truth) {
    close(fit, name, truth, 0.03);
  }

  private static void close(JsonNode fit, String name, double truth, double mostError) {
    double error = fit.at("/standardErrors").get(name).asDouble();
    assertThat(error).isBetween(1e-5, mostError);
    assertThat(fit.at("/coefficients").get(name).asDouble()).isCloseTo(truth, within(10 * error));
  }

  private void lists(Path config, String topic, String id) throws IOException {
    String file = config.toString();
    DemoIT.Outcome table = run(0, "releases", "--config", file);
    assertThat(table.out().lines().findFirst().orElseThrow())
        .startsWith("release ")
        .contains("mechanism", "contents", "epsilon", "delta", "bytes");
    assertThat(table.out().lines()).hasSize(3);
    JsonNode list = json("releases", "--config", file);
    assertThat(list.at("/topic").asText()).isEqualTo(topic);
    assertThat(list.at("/releases")).hasSize(2);
    assertThat(list.at("/releases").findValuesAsText("id"))
        .containsExactlyInAnyOrder(id, "many/all/all/buckets");
    assertThat(list.at("/damaged")).isEmpty();

    JsonNode header = json("releases", "--config", file, "--id", id);
    assertThat(header.at("/columns/0/name").asText()).isEqualTo("x1");
    assertThat(header.at("/guarantee/epsilon").asDouble()).isEqualTo(20.0);
    assertThat(header.has("payload")).isFalse();
    Path[] files = {folder.resolve("m.avro"), folder.resolve("m.json"), folder.resolve("m.npz")};
    for (Path export : files) {
      run(0, "releases", "--config", file, "--id", id, "--export", export.toString());
    }
    Release release = ReleaseFile.read(files[0]);
    assertThat(release.id().toString()).isEqualTo(id);
    assertThat(ReleaseFile.read(files[1])).isEqualTo(release);
    assertThat(ReleaseFile.read(files[2])).isEqualTo(release);

    DemoIT.Outcome again =
        run(2, "releases", "--config", file, "--id", id, "--export", files[0].toString());
    assertThat(again.err()).contains("--export must be a new file");
    assertThat(run(2, "releases", "--config", file, "--export", "x.avro").err())
        .contains("--export needs --id");
    assertThat(run(2, "releases", "--config", file, "--id", id, "--export", "x.csv").err())
        .contains("must end with .avro, .json or .npz");
    assertThat(run(2, "releases", "--config", file, "--id", "many/all/all/moment").err())
        .contains("the nearest is " + id + ". Provided value: many/all/all/moment");
    assertThat(
            run(2, "fit", "--config", file, "--id", "many/all/al/moments", "--response", "y").err())
        .contains("the nearest is " + id);
    assertThat(run(2, "fit", "--config", file, "--id", "x", "--response", "y").err())
        .contains("release id must be stream/group/epoch/sketch");
  }

  private static Release release(StreamPlan plan, String epoch, long seed) throws Exception {
    LocalSketch sketch = new LocalSketch(plan, Randomness.SYSTEM);
    for (String row : RowsFile.json(1000, seed)) {
      sketch.add(row.getBytes(UTF_8));
    }
    Release release = sketch.release().get(0);
    ReleaseId id = new ReleaseId(plan.stream(), "all", epoch, "moments");
    return Release.of(plan, id, Randomness.SYSTEM, release.numbers());
  }

  private static void send(String topic, byte[]... bodies) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (byte[] body : bodies) {
        producer.send(new ProducerRecord<>(topic, body)).get();
      }
    }
  }

  @Test
  void epochsAreMergedAndBadRecordsReported() throws Exception {
    String topic = TestTopics.create("releases", 1);
    Path config = config("hours", "no-rows", topic, "properties: {}");
    StreamPlan plan = RunCommand.plan(StreamConfig.read(config));
    List<byte[]> bodies = new ArrayList<>();
    for (int hour = 0; hour < 4; hour++) {
      String epoch = "2026-01-01T0" + hour + ":00:00Z";
      bodies.add(release(plan, epoch, hour).toBytes());
    }
    send(topic, bodies.get(2), bodies.get(0), bodies.get(1), bodies.get(1), bodies.get(3));
    String from = "hours/all/2026-01-01T00:00:00Z/moments";
    String to = "hours/all/2026-01-01T02:00:00Z/moments";

    assertThat(json("releases", "--config", config.toString()).findValuesAsText("epoch"))
        .containsExactly(
            "2026-01-01T00:00:00Z",
            "2026-01-01T01:00:00Z",
            "2026-01-01T02:00:00Z",
            "2026-01-01T03:00:00Z");

    JsonNode one = solve(config, from, "--response", "y");
    JsonNode three = solve(config, from + ".." + to, "--response", "y");
    // Gaussian, of standard deviation 10.6 over 900 draws of one and so of 18.4 for three: 8 of
    // them, 1.3e-15 of all runs each.
    assertThat(one.at("/rowsEstimate").asDouble()).isCloseTo(1000, within(85.0));
    assertThat(three.at("/rowsEstimate").asDouble()).isCloseTo(3000, within(150.0));
    assertThat(three.at("/guarantee/releases")).hasSize(3);
    assertThat(three.at("/guarantee/sentence").asText())
        .contains("Merged from 3 releases, each with this guarantee");
    close(three, "x1", 0.5);
    String[] backwards = {
      "fit", "--config", config.toString(), "--id", to + ".." + from, "--response", "y"
    };
    assertThat(run(2, backwards).err()).contains("the earlier epoch first");
    String elsewhere = to.replace("/all/", "/fr/");
    String[] groups = {
      "fit", "--config", config.toString(), "--id", from + ".." + elsewhere, "--response", "y"
    };
    assertThat(run(2, groups).err()).contains("--id must stay inside one group");
    assertThat(run(2, "releases", "--config", config.toString(), "--id", from + ".." + to).err())
        .contains("--id must be one release here; ranges are for gauze fit and gauze ask");
    DemoIT.Outcome latest =
        run(0, "fit", "--config", config.toString(), "--response", "y", "--format", "json");
    assertThat(latest.out()).contains("hours/all/2026-01-01T03:00:00Z/moments");

    byte[] other = release(plan, "2026-01-01T01:00:00Z", 9).toBytes();
    send(topic, "rubbish".getBytes(UTF_8), other);
    DemoIT.Outcome listed = run(1, "releases", "--config", config.toString());
    assertThat(listed.out().lines()).hasSize(5);
    assertThat(listed.err())
        .contains(
            "GZ-UNREADABLE: ",
            "It is at partition 0, offset 5: ",
            "offset 6: a second, different body of release hours/all/2026-01-01T01:00:00Z/moments");
    run(0, "fit", "--config", config.toString(), "--id", from, "--response", "y");
    assertThat(
            run(
                    1,
                    "fit",
                    "--config",
                    config.toString(),
                    "--id",
                    from + ".." + to,
                    "--response",
                    "y")
                .err())
        .contains("not fitted: ", "a second, different body");
  }

  @Test
  void anEmptyLatestEpochIsTold() throws Exception {
    String topic = TestTopics.create("releases", 1);
    Path config = config("hours", "no-rows", topic, "properties: {}");
    StreamPlan plan = RunCommand.plan(StreamConfig.read(config));
    String line = "the latest epoch, ";
    String[] fit = {"fit", "--config", config.toString(), "--response", "y"};
    send(topic, release(plan, "2026-01-01T01:00:00Z", 1).toBytes());
    assertThat(run(0, fit).err()).doesNotContain(line);
    send(topic, empty(plan, "2026-01-01T03:00:00Z").toBytes());
    send(topic, release(plan, "2026-01-01T02:00:00Z", 2).toBytes());
    String said =
        "the latest epoch, 2026-01-01T03:00:00Z, seems empty: the number of rows cannot be told"
            + " from the noise. Take an earlier one with --id"
            + " hours/all/2026-01-01T02:00:00Z/moments, or";
    assertThat(run(0, fit).err()).contains(said);
    String[] predict = {
      "predict", "--config", config.toString(), "--response", "y", "--features", "x1", "--row", "{}"
    };
    predict[8] = "{\"x1\": 0.5}";
    assertThat(run(0, predict).err()).contains(said);
    send(topic, release(plan, "2026-01-01T04:00:00Z", 3).toBytes());
    assertThat(run(0, fit).err()).doesNotContain(line);
  }

  /** Its noise happens to be 0, since with real noise it seems to have rows now and then. */
  private static Release empty(StreamPlan plan, String epoch) throws Exception {
    Release release = new LocalSketch(plan, Randomness.SYSTEM).release().get(0);
    ReleaseId id = new ReleaseId(plan.stream(), "all", epoch, "moments");
    return Release.of(plan, id, Randomness.SYSTEM, new long[release.numbers().length]);
  }

  @Test
  void saysWhatIsNotThere() throws Exception {
    Path missing = config("none", "no-rows", "no-such-releases", "properties: {}");
    assertThat(run(2, "releases", "--config", missing.toString()).err())
        .contains("topic no-such-releases does not exist", "gauze run makes it");
    String topic = TestTopics.create("releases", 1);
    Path empty = config("empty", "no-rows", topic, "properties: {}");
    assertThat(run(0, "releases", "--config", empty.toString()).out()).contains("no release yet");
    assertThat(run(1, "fit", "--config", empty.toString(), "--response", "y").err())
        .contains("holds no release of stream empty yet");
    assertThat(run(2, "releases", "--config", empty.toString(), "--follow", "--id", "x").err())
        .contains("--follow lists all releases");
  }

  /** As {@code gauze releases --follow | head -1}: one more release finds nobody. */
  @Test
  void followsUntilNobodyTakesIt() throws Exception {
    String topic = TestTopics.create("releases", 1);
    Path config = config("left", "no-rows", topic, "properties: {}");
    StreamPlan plan = RunCommand.plan(StreamConfig.read(config));
    send(topic, release(plan, "2026-01-01T00:00:00Z", 1).toBytes());
    StringWriter err = new StringWriter();
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int each) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(closed, true, UTF_8))
            .setErr(new PrintWriter(err))
            .execute("releases", "--config", config.toString(), "--follow");
    assertThat(status).isEqualTo(1);
    assertThat(err.toString()).doesNotContain("gauze:");
  }

  @Test
  void followsUntilASignal() throws Exception {
    String topic = TestTopics.create("releases", 1);
    Path config = config("live", "no-rows", topic, "properties: {}");
    StreamPlan plan = RunCommand.plan(StreamConfig.read(config));
    send(topic, release(plan, "2026-01-01T00:00:00Z", 1).toBytes());
    Process follow =
        new ProcessBuilder(
                TestJava.gauze(List.of(), "releases", "--config", config.toString(), "--follow"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = follow.inputReader(UTF_8)) {
      assertThat(out.readLine()).startsWith("live/all/2026-01-01T00:00:00Z/moments  noisy-moments");
      send(topic, release(plan, "2026-01-01T01:00:00Z", 2).toBytes());
      assertThat(out.readLine()).startsWith("live/all/2026-01-01T01:00:00Z/moments  ");
      follow.destroy(); // SIGTERM
      assertThat(follow.waitFor(60, SECONDS)).isTrue();
      assertThat(follow.exitValue()).isZero();
    } finally {
      follow.destroyForcibly();
    }
  }
}

package io.gauze.solver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.ReleaseBodies;
import io.gauze.answer.ReleaseTopic;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The solver job on a real broker and a real cluster. */
@ExtendWith(SharedCluster.class)
final class SolverJobIT {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private SolverSettings settings;
  private final List<JobHandle> jobs = new ArrayList<>();

  @BeforeEach
  void makeTopics() {
    settings =
        new SolverSettings(
            SolverFixture.STREAM,
            new KafkaAccess(
                SharedCluster.broker().bootstrapServers(), Map.of("metadata.max.age.ms", "200")),
            new SolverSettings.Topics(
                TestTopics.create("requests", 4),
                TestTopics.create("releases", 1),
                TestTopics.create("answers", 2)));
  }

  @AfterEach
  void cancelJobs() throws Exception {
    for (JobHandle job : jobs) {
      if (!job.result().isDone()) {
        job.cancel().get();
      }
    }
  }

  private JobHandle start(LocalCluster cluster, Configuration extra) throws IOException {
    Configuration config = new Configuration();
    config.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(200));
    config.setString("restart-strategy.exponential-delay.initial-backoff", "100 ms");
    config.addAll(extra);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(SolverJob.configuration(config));
    env.setParallelism(2);
    SolverJob.build(env, SolverPreflight.prepare(settings, Optional.empty()).settings());
    JobHandle job = cluster.submit(env, "solver");
    jobs.add(job);
    return job;
  }

  private JobHandle start() throws IOException {
    return start(SharedCluster.cluster(), new Configuration());
  }

  private void publish(Release... releases) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (Release release : releases) {
        byte[] key = release.id().toString().getBytes(UTF_8);
        producer
            .send(new ProducerRecord<>(settings.topics().releases(), key, release.toBytes()))
            .get();
      }
    }
  }

  private static Release release(int hour, String sketch) {
    return SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(hour), sketch, hour);
  }

  private void ask(Map<String, String> requests) {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      requests.forEach(
          (id, json) -> {
            var unused =
                producer.send(
                    new ProducerRecord<>(
                        settings.topics().requests(), id.getBytes(UTF_8), json.getBytes(UTF_8)));
          });
      producer.flush();
    }
  }

  private static String at(int hour, String sketch, String more) {
    String id = SolverFixture.id(hour, sketch);
    return "{\"response\":\"y\",\"release\":\"" + id + "\"" + more + "}";
  }

  /** Every body of each id, once at least {@code atLeast} records are there. */
  private Map<String, Set<String>> answers(int atLeast) {
    Map<String, Set<String>> bodies = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record :
        TestTopics.read(settings.topics().answers(), atLeast)) {
      bodies
          .computeIfAbsent(new String(record.key(), UTF_8), id -> new LinkedHashSet<>())
          .add(new String(record.value(), UTF_8));
    }
    return bodies;
  }

  private static JsonNode only(Map<String, Set<String>> answers, String id) throws IOException {
    assertThat(answers.get(id)).as(id).hasSize(1);
    JsonNode json = JSON.readTree(answers.get(id).iterator().next());
    assertThat(json.at("/id").asText()).isEqualTo(id);
    return json;
  }

  @Test
  void everyKindOfRequestHasItsAnswer() throws Exception {
    publish(release(1, "moments"), release(2, "moments"), release(2, "strata"));
    start();
    String range = SolverFixture.id(1, "moments") + ".." + SolverFixture.id(2, "moments");
    Map<String, String> requests = new HashMap<>();
    requests.put("early", at(3, "moments", ",\"deadline\":\"PT10M\""));
    requests.put("unknown", at(9, "moments", ",\"deadline\":\"PT1S\""));
    requests.put("column", at(1, "moments", ",\"features\":[\"aa\"]"));
    requests.put("penalty", at(1, "moments", ",\"lambda\":-1"));
    requests.put("lasso-lad", at(2, "strata", ",\"loss\":\"lad\",\"lambda\":5"));
    requests.put("lad", at(2, "strata", ",\"loss\":\"lad\""));
    requests.put("malformed", "{\"response\"");
    requests.put("range", "{\"response\":\"y\",\"releases\":\"" + range + "\"}");
    requests.put("latest", "{\"response\":\"y\"}");
    requests.put("plain", at(1, "moments", ""));
    TestTopics.send(settings.topics().requests(), 0, "{\"response\":\"y\"}");
    ask(requests);
    Map<String, Set<String>> before = answers(10);
    assertThat(before).doesNotContainKey("early");
    publish(release(3, "moments"));
    Map<String, Set<String>> answers = answers(11);

    assertThat(answers).hasSize(11);
    assertThat(only(answers, "early").at("/releases/0").asText())
        .isEqualTo(SolverFixture.id(3, "moments"));
    assertThat(only(answers, "unknown").at("/error/code").asText()).isEqualTo("unknown-release");
    assertThat(only(answers, "column").at("/error/code").asText()).isEqualTo("bad-column");
    assertThat(only(answers, "penalty").at("/error/message").asText())
        .contains("lambda must be >= 0");
    assertThat(only(answers, "lasso-lad").at("/error/code").asText()).isEqualTo("refused");
    assertThat(only(answers, "lad").at("/loss").asText()).isEqualTo("lad");
    assertThat(only(answers, "malformed").at("/error/code").asText()).isEqualTo("bad-request");
    assertThat(only(answers, "range").at("/releases")).hasSize(2);
    assertThat(only(answers, "latest").at("/releases/0").asText())
        .startsWith(SolverFixture.id(2, ""));
    assertThat(only(answers, "plain").at("/coefficients/a").asDouble()).isBetween(0.3, 0.7);
    assertThat(only(answers, settings.topics().requests() + "-0-0").at("/error/message").asText())
        .contains("needs a key");
  }

  private Map<String, String> mixed(int count, String prefix) {
    Map<String, String> requests = new HashMap<>();
    for (int i = 0; i < count; i++) {
      String json =
          switch (i % 8) {
            case 0 -> at(1, "moments", "");
            case 1 -> at(1 + i % 3, "moments", ",\"lambda\":" + i);
            case 2 -> at(1, "moments", ",\"features\":[\"a\"],\"scale\":\"encoded\"");
            case 3 -> at(2, "moments", ",\"loss\":\"lasso\",\"lambda\":" + i);
            case 4 -> at(2, "moments", ",\"features\":[\"b\"]");
            case 5 -> at(1, "moments", ",\"loss\":\"lad\"");
            case 6 -> at(7, "moments", ",\"deadline\":\"PT0.1S\"");
            default -> "\u0000{" + i;
          };
      requests.put(prefix + i, json);
    }
    return requests;
  }

  @Test
  void aThousandRequestsHaveOneAnswerEachAndSurviveACrash() throws Exception {
    publish(release(1, "moments"), release(2, "moments"), release(3, "moments"));
    try (LocalCluster cluster = LocalCluster.start(1, 2, new Configuration())) {
      JobHandle job = start(cluster, new Configuration());
      ask(mixed(1000, "a"));
      ask(Map.of("waits", at(4, "moments", ",\"deadline\":\"PT10M\"")));
      assertThat(answers(1000)).hasSize(1000);
      SharedCluster.checkpoint(job);
      ask(mixed(500, "b"));
      cluster.terminateTaskManager(0).get();
      cluster.startTaskManager();
      ask(mixed(500, "c"));
      publish(release(4, "moments"));
      Map<String, Set<String>> answers = answersOf(2001);
      for (Map.Entry<String, Set<String>> each : answers.entrySet()) {
        assertThat(each.getValue()).as("bodies of " + each.getKey()).hasSize(1);
      }
      assertThat(only(answers, "waits").at("/releases/0").asText())
          .isEqualTo(SolverFixture.id(4, "moments"));
      assertThat(only(answers, "a1").at("/lambda").asDouble()).isEqualTo(1.0);
    }
  }

  /** Waits for as many ids: some may be answered twice. */
  private Map<String, Set<String>> answersOf(int ids) {
    Map<String, Set<String>> found = answers(ids);
    for (int records = ids + 1; found.size() < ids; records++) {
      found = answers(records);
    }
    return found;
  }

  @Test
  void aSavepointHoldsWhatWaits() throws Exception {
    JobHandle job = start();
    ask(Map.of("waits", at(1, "moments", ",\"deadline\":\"PT10M\""), "bad", "{"));
    assertThat(answers(1)).containsOnlyKeys("bad");
    SharedCluster.checkpoint(job);
    String savepoint = job.stopWithSavepoint().get();
    publish(release(1, "moments"));
    Configuration restore = new Configuration();
    restore.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    start(SharedCluster.cluster(), restore);
    Map<String, Set<String>> answers = answers(2);
    assertThat(only(answers, "waits").at("/releases")).hasSize(1);
    assertThat(answers.get("bad")).hasSize(1);
  }

  /** Without state a job takes up what may have waited, and need not answer all that ever was. */
  @Test
  void aFreshStartForgetsNoWaitingRequest() throws Exception {
    JobHandle job = start();
    ask(Map.of("waits", at(1, "moments", ",\"deadline\":\"PT10M\""), "bad", "{"));
    assertThat(answers(1)).containsOnlyKeys("bad");
    SharedCluster.checkpoint(job);
    job.cancel().get();
    publish(release(1, "moments"));
    start();
    Map<String, Set<String>> answers = answersOf(2);
    assertThat(only(answers, "waits").at("/releases")).hasSize(1);
    assertThat(answers.get("bad")).as("the same bytes again").hasSize(1);
  }

  @Test
  void contestedAndDamagedReleasesAreNotAnsweredFrom() throws Exception {
    publish(
        release(1, "moments"),
        SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(1), "moments", 99));
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      byte[] key = SolverFixture.id(2, "moments").getBytes(UTF_8);
      producer
          .send(new ProducerRecord<>(settings.topics().releases(), key, "rubbish".getBytes(UTF_8)))
          .get();
    }
    start();
    ask(
        Map.of(
            "contested", at(1, "moments", ""),
            "damaged", at(2, "moments", ",\"deadline\":\"PT0S\"")));
    Map<String, Set<String>> answers = answers(2);
    assertThat(only(answers, "contested").at("/error/code").asText())
        .isEqualTo("contested-release");
    assertThat(only(answers, "damaged").at("/error/code").asText()).isEqualTo("damaged-release");
  }

  @Test
  void aReleaseThatTheTopicLostIsFoundOnceItIsSentAgain() throws Exception {
    publish(release(1, "moments"));
    start();
    ask(Map.of("other", at(2, "moments", ",\"deadline\":\"PT0S\"")));
    assertThat(only(answers(1), "other").at("/error/message").asText())
        .contains("the topic holds one release of this sketch");
    TopicPartition partition = new TopicPartition(settings.topics().releases(), 0);
    try (Admin admin = TestTopics.admin()) {
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(1))).all().get();
    }
    ask(Map.of("lost", at(1, "moments", ",\"deadline\":\"PT0S\"")));
    assertThat(only(answers(2), "lost").at("/error/code").asText()).isEqualTo("unknown-release");
    ask(Map.of("waits", at(1, "moments", ",\"deadline\":\"PT60S\"")));
    publish(release(1, "moments"));
    assertThat(only(answers(3), "waits").has("coefficients")).isTrue();
  }

  /** Each once, whatever is there twice; a second body is found out however late. */
  @Test
  void copiesAreToldAsSuch() throws Exception {
    publish(release(1, "moments"), release(2, "moments"), release(1, "moments"));
    publish(SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(1), "moments", 99));
    List<String> told = new ArrayList<>();
    try (ReleaseTopic topic = new ReleaseTopic(settings.kafka(), settings.topics().releases())) {
      topic.readToEnd(
          new ReleaseTopic.Reader() {
            @Override
            public void release(Release release, ReleaseTopic.Place place) {
              told.add(place.offset() + " " + release.id());
            }

            @Override
            public void copy(Release release, ReleaseTopic.Place place) {
              told.add(place.offset() + " copy of " + release.id());
            }

            @Override
            public void damaged(ReleaseTopic.Damage damage) {
              told.add(damage.offset() + " another " + damage.contested().orElseThrow());
            }
          });
    }
    String first = SolverFixture.id(1, "moments");
    String second = SolverFixture.id(2, "moments");
    assertThat(told)
        .containsExactly("0 " + first, "1 " + second, "2 copy of " + first, "3 another " + first);
  }

  @Test
  void manyEpochsAreReadFromTheTopicAndAddedUp() throws Exception {
    List<Release> releases = new ArrayList<>();
    for (int hour = 0; hour < 20; hour++) {
      releases.add(release(hour, "moments"));
    }
    publish(releases.toArray(new Release[0]));
    start();
    String range = SolverFixture.id(2, "moments") + ".." + SolverFixture.id(18, "moments");
    ask(Map.of("range", "{\"response\":\"y\",\"releases\":\"" + range + "\"}"));
    JsonNode json = only(answers(1), "range");
    assertThat(json.at("/releases")).hasSize(17);
    assertThat(json.at("/releases/16").asText()).isEqualTo(SolverFixture.id(18, "moments"));
    assertThat(json.at("/rowsEstimate").asDouble()).isBetween(15_000.0, 19_000.0);
  }

  @Test
  void releasesOfALaterPartitionAreSeen() throws Exception {
    publish(release(1, "moments"));
    start();
    ask(Map.of("first", at(1, "moments", "")));
    assertThat(only(answers(1), "first").has("coefficients")).isTrue();
    TestTopics.grow(settings.topics().releases(), 2);
    ask(Map.of("later", at(2, "moments", ",\"deadline\":\"PT60S\"")));
    publishTo(1, release(2, "moments"));
    publishTo(0, release(3, "moments"));
    assertThat(only(answers(2), "later").at("/releases/0").asText())
        .isEqualTo(SolverFixture.id(2, "moments"));
    String range = SolverFixture.id(1, "moments") + ".." + SolverFixture.id(3, "moments");
    long deadline = System.nanoTime() + TestTopics.PATIENCE.toNanos();
    JsonNode found;
    int asked = 0;
    do { // of several subtasks each looks for new partitions itself
      String id = "range" + asked++;
      ask(Map.of(id, "{\"response\":\"y\",\"releases\":\"" + range + "\"}"));
      found = only(answers(2 + asked), id).at("/releases");
    } while (found.size() < 3 && System.nanoTime() - deadline < 0);
    assertThat(found).hasSize(3);
  }

  private void publishTo(int partition, Release release) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      byte[] key = release.id().toString().getBytes(UTF_8);
      producer
          .send(
              new ProducerRecord<>(settings.topics().releases(), partition, key, release.toBytes()))
          .get();
    }
  }

  /** Places are read in the order that is asked for, whatever partition and window they are in. */
  @Test
  void releasesAreReadInTheOrderOfTheirPlaces() throws Exception {
    String topic = TestTopics.create("releases", 2);
    SolverSettings.Topics topics = settings.topics();
    settings =
        new SolverSettings(
            SolverFixture.STREAM,
            settings.kafka(),
            new SolverSettings.Topics(topics.requests(), topic, topics.answers()));
    for (int hour : List.of(5, 1, 4, 2, 3, 0)) {
      publishTo(hour % 2, release(hour, "moments"));
    }
    Map<ReleaseId, ReleaseTopic.Place> places =
        new TreeMap<>(Comparator.comparing(ReleaseId::epoch));
    try (ReleaseTopic releases = new ReleaseTopic(settings.kafka(), topic)) {
      releases.readToEnd(
          new ReleaseTopic.Reader() {
            @Override
            public void release(Release release, ReleaseTopic.Place place) {
              places.put(release.id(), place);
            }

            @Override
            public void damaged(ReleaseTopic.Damage damage) {
              throw new AssertionError(damage);
            }
          });
    }
    int numbers = release(1, "moments").payload().length();
    for (long window : new long[] {1, 2L * numbers, 4L * numbers, 1000L * numbers}) {
      try (ReleaseBodies bodies = new ReleaseBodies(settings.kafka(), topic, window)) {
        List<ReleaseId> found = new ArrayList<>();
        bodies.read(List.copyOf(places.values()), release -> found.add(release.id()));
        assertThat(found).as("window " + window).containsExactlyElementsOf(places.keySet());
      }
    }
  }

  /** Ten seconds of waiting for what is gone, in each partition, would outlast the limit. */
  @Thorough
  @Test
  void aStartAfterTheRequestsAreGoneIsTheCommittedOffset() throws Exception {
    int partitions = 16;
    String requests = TestTopics.create("requests", partitions);
    SolverSettings.Topics topics = settings.topics();
    settings =
        new SolverSettings(
            requests,
            settings.kafka(),
            new SolverSettings.Topics(requests, topics.releases(), topics.answers()));
    for (int partition = 0; partition < partitions; partition++) {
      TestTopics.send(requests, partition, "{", "{", "{");
    }
    try (Admin admin = TestTopics.admin()) {
      Map<TopicPartition, OffsetAndMetadata> done = new HashMap<>();
      Map<TopicPartition, RecordsToDelete> gone = new HashMap<>();
      for (int partition = 0; partition < partitions; partition++) {
        TopicPartition each = new TopicPartition(requests, partition);
        done.put(each, new OffsetAndMetadata(2 + partition % 2));
        gone.put(each, RecordsToDelete.beforeOffset(3));
      }
      admin.alterConsumerGroupOffsets(settings.group(), done).all().get();
      admin.deleteRecords(gone).all().get();
    }
    SolverPreflight.Prepared prepared =
        assertTimeoutPreemptively(
            Duration.ofSeconds(90), () -> SolverPreflight.prepare(settings, Optional.empty()));
    assertThat(prepared.warnings()).isEmpty();
    assertThat(prepared.settings().starts()).hasSize(partitions);
    prepared
        .settings()
        .starts()
        .forEach((partition, start) -> assertThat(start).isEqualTo(2L + partition % 2));
  }

  /** Of a topic that was made anew nothing has been answered, whatever the group says. */
  @Test
  void offsetsBeyondTheEndAreOfAnotherTopic() throws Exception {
    String requests = settings.topics().requests();
    TestTopics.send(requests, 0, "{", "{");
    TestTopics.send(requests, 1, "{", "{");
    try (Admin admin = TestTopics.admin()) {
      Map<TopicPartition, OffsetAndMetadata> done =
          Map.of(
              new TopicPartition(requests, 0), new OffsetAndMetadata(2),
              new TopicPartition(requests, 1), new OffsetAndMetadata(1000));
      admin.alterConsumerGroupOffsets(settings.group(), done).all().get();
    }
    SolverPreflight.Prepared prepared = SolverPreflight.prepare(settings, Optional.empty());
    assertThat(prepared.settings().starts()).containsOnlyKeys(0);
    assertThat(prepared.warnings()).hasSize(1);
    assertThat(prepared.warnings().get(0))
        .contains(
            requests + " seems to have been made anew, or to have lost records: of partition 1")
        .contains("taken up all before offset 1000, and it ends at 2. So all requests");
  }

  @Test
  void topicsAreChecked() {
    SolverSettings.Topics topics = settings.topics();
    String small = TestTopics.create("answers", 1, Map.of("max.message.bytes", "10000"));
    assertThatThrownBy(() -> prepare(topics.requests(), topics.releases(), small))
        .isInstanceOf(TopicException.class)
        .hasMessageContaining("max.message.bytes must be at least 1016384")
        .hasMessageContaining("Provided value: 10000");
    assertThatThrownBy(() -> prepare("no-such", topics.releases(), topics.answers()))
        .isInstanceOf(TopicException.Missing.class)
        .hasMessageContaining("topic no-such does not exist");
    assertThatThrownBy(() -> prepare(topics.requests(), "no-such", topics.answers()))
        .isInstanceOf(TopicException.Missing.class);
  }

  private void prepare(String requests, String releases, String answers) throws IOException {
    SolverPreflight.prepare(
        new SolverSettings(
            "s", settings.kafka(), new SolverSettings.Topics(requests, releases, answers)),
        Optional.empty());
  }

  @Test
  void theClientSendsAndWaits() throws Exception {
    publish(release(1, "moments"));
    start();
    SolverSettings.Topics topics = settings.topics();
    try (SolverClient client =
        new SolverClient(settings.kafka(), topics.requests(), topics.answers())) {
      client.send("one", JSON.readTree(at(1, "moments", "")));
      Map<String, JsonNode> found = client.await(Set.of("one"), TestTopics.PATIENCE);
      assertThat(found).containsOnlyKeys("one");
      assertThat(client.await(Set.of("never"), Duration.ofSeconds(1))).isEmpty();
      assertThat(found.get("one").at("/coefficients/a").asDouble()).isBetween(0.3, 0.7);
    }
  }
}

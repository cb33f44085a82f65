package io.gauze.solver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.answer.ReleaseTopic;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.release.Release;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The solver job on a real broker and a real cluster. */
@ExtendWith(SharedCluster.class)
final class SolverJobIT extends SolverJobCase {
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
    requests.put("labels", at(2, "strata", ",\"loss\":\"logistic\""));
    requests.put("ridge-lad", at(2, "strata", ",\"loss\":\"lad\",\"lambda\":5"));
    requests.put("lad", at(2, "strata", ",\"loss\":\"lad\""));
    requests.put("malformed", "{\"response\"");
    requests.put("range", "{\"response\":\"y\",\"releases\":\"" + range + "\"}");
    requests.put("latest", "{\"response\":\"y\"}");
    requests.put("plain", at(1, "moments", ""));
    TestTopics.send(settings.topics().requests(), 0, "{\"response\":\"y\"}");
    ask(requests);
    Map<String, Set<String>> before = answers(11);
    assertThat(before).doesNotContainKey("early");
    publish(release(3, "moments"));
    Map<String, Set<String>> answers = answers(12);

    assertThat(answers).hasSize(12);
    assertThat(only(answers, "early").at("/releases/0").asText())
        .isEqualTo(SolverFixture.id(3, "moments"));
    assertThat(only(answers, "unknown").at("/error/code").asText()).isEqualTo("unknown-release");
    assertThat(only(answers, "column").at("/error/code").asText()).isEqualTo("bad-column");
    assertThat(only(answers, "penalty").at("/error/message").asText())
        .contains("lambda must be >= 0");
    assertThat(only(answers, "labels").at("/error/code").asText()).isEqualTo("refused");
    assertThat(only(answers, "ridge-lad").at("/lambda").asDouble()).isEqualTo(5.0);
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
    String savepoint = SharedCluster.stopWithSavepoint(job);
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
        .contains("there is one release of this sketch");
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

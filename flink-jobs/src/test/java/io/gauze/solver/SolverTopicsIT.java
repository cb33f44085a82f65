package io.gauze.solver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import io.gauze.answer.ReleaseBodies;
import io.gauze.answer.ReleaseTopic;
import io.gauze.mechanism.ReleaseId;
import io.gauze.release.Release;
import io.gauze.stream.JobMessage;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The topics of the solver job: partitions, places, offsets and settings. */
@ExtendWith(SharedCluster.class)
final class SolverTopicsIT extends SolverJobCase {
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
    assertThat(prepared.warnings().get(0).is(JobMessage.ANSWERED)).isTrue();
    assertThat(prepared.warnings().get(0).text())
        .contains("partition 1 ends at 2, but was read up to 1000");
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
}

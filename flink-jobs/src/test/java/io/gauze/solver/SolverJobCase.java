package io.gauze.solver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.local.JobHandle;
import io.gauze.local.LocalCluster;
import io.gauze.release.Release;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A solver job on a real broker and a real cluster, with topics of its own. */
@ExtendWith(SharedCluster.class)
abstract class SolverJobCase {
  static final JsonMapper JSON = JsonMapper.builder().build();

  SolverSettings settings;
  final List<JobHandle> jobs = new ArrayList<>();

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

  JobHandle start(LocalCluster cluster, Configuration extra) throws IOException {
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

  JobHandle start() throws IOException {
    return start(SharedCluster.cluster(), new Configuration());
  }

  void publish(Release... releases) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of())) {
      for (Release release : releases) {
        byte[] key = release.id().toString().getBytes(UTF_8);
        producer
            .send(new ProducerRecord<>(settings.topics().releases(), key, release.toBytes()))
            .get();
      }
    }
  }

  static Release release(int hour, String sketch) {
    return SolverFixture.release(SolverFixture.STREAM, SolverFixture.epoch(hour), sketch, hour);
  }

  void ask(Map<String, String> requests) {
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

  static String at(int hour, String sketch, String more) {
    String id = SolverFixture.id(hour, sketch);
    return "{\"response\":\"y\",\"release\":\"" + id + "\"" + more + "}";
  }

  /** Every body of each id, once at least {@code atLeast} records are there. */
  Map<String, Set<String>> answers(int atLeast) {
    Map<String, Set<String>> bodies = new TreeMap<>();
    for (ConsumerRecord<byte[], byte[]> record :
        TestTopics.read(settings.topics().answers(), atLeast)) {
      bodies
          .computeIfAbsent(new String(record.key(), UTF_8), id -> new LinkedHashSet<>())
          .add(new String(record.value(), UTF_8));
    }
    return bodies;
  }

  static JsonNode only(Map<String, Set<String>> answers, String id) throws IOException {
    assertThat(answers.get(id)).as(id).hasSize(1);
    JsonNode json = JSON.readTree(answers.get(id).iterator().next());
    assertThat(json.at("/id").asText()).isEqualTo(id);
    return json;
  }
}

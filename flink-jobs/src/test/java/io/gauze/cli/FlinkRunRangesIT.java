package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.cli.flink.SketchJobName;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.testing.TwoColumns;
import io.gauze.topic.KafkaAccess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stream whose ranges nobody knows, submitted to a real cluster: two jobs, one after the other.
 */
@Thorough
final class FlinkRunRangesIT {
  private static final long LENGTH = 3000;

  @TempDir private Path folder;

  @Test
  void rangesAreChosenBeforeTheJobBegins() throws Exception {
    try (ProcessCluster cluster = ProcessCluster.start(folder.resolve("cluster"), 1, Map.of())) {
      KafkaAccess kafka = new KafkaAccess(cluster.bootstrap(), Map.of());
      try (Admin admin = kafka.admin()) {
        NewTopic rows = new NewTopic("rows", 1, (short) 1);
        TestTopics.make(admin, rows.configs(Map.of("message.timestamp.type", "LogAppendTime")));
      }
      long first = System.currentTimeMillis() / LENGTH + 1;
      ProcessCluster.await("the epoch", () -> System.currentTimeMillis() > first * LENGTH + 100);
      send(kafka);
      String epochs =
          "{length: PT3S, sealDelay: PT0.5S, from: " + Instant.ofEpochMilli(first * LENGTH) + "}";
      TwoColumns columns =
          new TwoColumns("unknown", TwoColumns.EPSILON_1.replace("1,", "20,"), epochs);
      String text =
          columns
              .on(cluster, "")
              .replace("lower: 0, upper: 1", "range: estimate")
              .replace("intercept: 1\n", "");
      Path config = Files.writeString(folder.resolve("unknown.yaml"), text);

      ProcessCluster.Outcome submitted = cluster.submit(List.of("-d"), config);
      assertThat(submitted.status()).as(submitted.toString()).isZero();
      assertThat(submitted.err())
          .contains("counting the rows of calibration epoch", "waiting for the end of job")
          .contains("ranges are chosen from unknown/all/")
          .contains("first epoch: " + Instant.ofEpochMilli((first + 1) * LENGTH));
      assertThat(cluster.runningJob(SketchJobName.of(List.of("unknown")))).isPresent();
      DemoIT.Outcome stopped = DemoIT.run("stop", "--config", config.toString());
      assertThat(stopped.status()).as(stopped.err()).isZero();
    }
  }

  private static void send(KafkaAccess kafka) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = kafka.producer(Map.of())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        String row = "{\"x\":" + (100 + i % 800) + ",\"y\":" + (2 + i % 7) + "}";
        sent.add(producer.send(new ProducerRecord<>("rows", row.getBytes(UTF_8))));
      }
      for (Future<RecordMetadata> each : sent) {
        each.get();
      }
    }
  }
}

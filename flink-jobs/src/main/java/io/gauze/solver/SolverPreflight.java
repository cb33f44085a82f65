package io.gauze.solver;

import io.gauze.answer.AnswerBody;
import io.gauze.answer.SolveRequest;
import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The preparation of the solver job before it is submitted: checks or creates the topics, and finds
 * the offsets from which a job without state reads the requests.
 */
public final class SolverPreflight {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /**
   * A job that is ready to be submitted.
   *
   * @param warnings the warnings for the owner
   */
  public record Prepared(SolverSettings settings, List<Message> warnings) {}

  private SolverPreflight() {}

  /**
   * Checks or creates the topics of requests and answers, and completes {@code settings}.
   *
   * @throws TopicException.Missing if a topic is missing and is not created; the topic of releases
   *     never is
   * @throws TopicException if the topic of answers does not take the longest answer
   * @throws IOException if the broker does not answer
   */
  public static Prepared prepare(SolverSettings settings, Optional<TopicAdmin.Creation> creation)
      throws IOException {
    KafkaAccess kafka = settings.kafka();
    try (TopicAdmin admin = new TopicAdmin(kafka, Optional.empty())) {
      admin.plain(settings.topics().releases());
    }
    try (TopicAdmin admin = new TopicAdmin(kafka, creation)) {
      admin.plain(settings.topics().requests());
      admin.answers(settings.topics().answers(), AnswerBody.MAX_BYTES);
    }
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(settings)) {
      List<Message> warnings = new ArrayList<>();
      Map<Integer, Long> starts = starts(consumer, settings.topics().requests(), warnings);
      return new Prepared(settings.withStarts(starts), warnings);
    } catch (KafkaException e) {
      throw new IOException(
          "topic " + settings.topics().requests() + " could not be read: " + e.getMessage(), e);
    }
  }

  /**
   * Checks the topics of requests and answers, if they exist, and creates none.
   *
   * @param patience how long the broker may take for an answer
   * @throws TopicException if the topic of answers does not take the longest answer
   * @throws IOException if the broker does not answer
   */
  public static TopicAdmin.Checked check(
      SolverSettings settings, Optional<TopicAdmin.Creation> creation, Duration patience)
      throws IOException {
    List<Message> warnings = new ArrayList<>();
    try (TopicAdmin admin =
        TopicAdmin.readOnly(settings.kafka(), creation, Optional.of(patience))) {
      List<TopicAdmin.Demand> demands =
          List.of(
              () -> admin.plain(settings.topics().requests()),
              () -> admin.answers(settings.topics().answers(), AnswerBody.MAX_BYTES));
      List<String> missing = new ArrayList<>();
      for (TopicAdmin.Demand demand : demands) {
        try {
          demand.check();
        } catch (TopicException.Missing e) {
          missing.add(e.faults().get(0).topic());
        }
      }
      if (!missing.isEmpty()) {
        warnings.add(JobMessage.NOREQUESTS.of(String.join(" and ", missing)));
      }
      return new TopicAdmin.Checked(admin.wouldCreate(), warnings);
    }
  }

  private static KafkaConsumer<byte[], byte[]> consumer(SolverSettings settings) {
    Properties properties = settings.kafka().properties();
    properties.setProperty("isolation.level", "read_committed");
    properties.setProperty("enable.auto.commit", "false");
    properties.setProperty("auto.offset.reset", "earliest");
    properties.setProperty("group.id", settings.group());
    properties.setProperty("max.poll.records", "1");
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  // A request that waited when the job died had reached the solver at most LONGEST_WAIT earlier. So
  // it is at most about LONGEST_WAIT older than the last request that the job read, which is the
  // one before the committed offset. The job begins at the time of that request less LONGEST_WAIT,
  // however long ago it died.
  private static Map<Integer, Long> starts(
      KafkaConsumer<byte[], byte[]> consumer, String topic, List<Message> warnings) {
    List<TopicPartition> partitions = Partitions.of(consumer, topic);
    Map<TopicPartition, OffsetAndMetadata> committed =
        consumer.committed(partitions.stream().collect(Collectors.toSet()));
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions); // ends never decrease
    Map<Integer, Long> starts = new HashMap<>();
    for (TopicPartition partition : partitions) {
      OffsetAndMetadata done = committed.get(partition);
      if (done != null && done.offset() > ends.get(partition)) {
        warnings.add(
            JobMessage.ANSWERED.of(
                topic, partition.partition(), ends.get(partition), done.offset()));
      } else if (done != null && done.offset() > 0) {
        starts.put(partition.partition(), start(consumer, partition, done.offset()));
      }
    }
    return starts;
  }

  private static long start(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long done) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, Math.max(0, done - 2)); // the last may be a transaction's end marker
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    // If no record is left before the committed offset, the position moves on by itself.
    while (consumer.position(partition) < done && System.nanoTime() - deadline < 0) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        long time = Math.max(0, record.timestamp() - SolveRequest.LONGEST_WAIT.toMillis());
        OffsetAndTimestamp first = consumer.offsetsForTimes(Map.of(partition, time)).get(partition);
        return first == null ? done : Math.min(done, first.offset());
      }
    }
    return done; // all earlier records were deleted
  }
}

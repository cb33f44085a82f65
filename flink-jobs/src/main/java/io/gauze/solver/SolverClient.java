package io.gauze.solver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ReleaseRange;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.NameList;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.Partitions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** A client that sends requests to a running solver and waits for its answers. Not thread-safe. */
public final class SolverClient implements AutoCloseable {
  private static final int SLASHES = 3; // of a release id
  private static final Duration POLL = Duration.ofMillis(100);

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final String requests;
  private final KafkaProducer<byte[], byte[]> producer;
  private final KafkaConsumer<byte[], byte[]> consumer;

  /**
   * Creates a client that sees the answers from now on.
   *
   * @throws IOException if the broker does not answer
   */
  public SolverClient(KafkaAccess kafka, String requests, String answers) throws IOException {
    this.requests = requests;
    this.consumer = kafka.consumer();
    try {
      List<TopicPartition> partitions = Partitions.of(consumer, answers);
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      partitions.forEach(consumer::position); // resolves the position now, not at the first poll
      this.producer = kafka.producer(Map.of("linger.ms", "0"));
    } catch (KafkaException e) {
      consumer.close();
      throw new IOException("topic " + answers + " could not be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns a request.
   *
   * @param releases one id, or ranges and ids as {@link #ids} reads them; empty: the latest epoch
   *     of the solver's stream
   * @param deadline how long the request may wait for its releases
   */
  public static ObjectNode request(
      Optional<String> releases, FitQuestion question, Duration deadline) {
    ObjectNode request = question.json();
    releases.ifPresent(
        text -> {
          List<String> ids = ids("releases", text);
          boolean isOne = ids.size() == 1 && !ReleaseRange.isRange(ids.get(0));
          request.put(isOne ? "release" : "releases", isOne ? ids.get(0) : text);
        });
    return request.put("deadline", deadline.toString());
  }

  /**
   * Returns the ids and ranges of a text, which has commas between them. A single id needs no
   * quotes, whatever its group is.
   *
   * @param what the name of the text in messages
   * @throws IllegalArgumentException if a quote is not closed
   */
  public static List<String> ids(String what, String text) {
    boolean isOne = text.chars().filter(each -> each == '/').count() == SLASHES;
    return isOne && !text.startsWith("\"") ? List.of(text) : NameList.parse(what, text);
  }

  /**
   * Sends a request and returns when the broker has it.
   *
   * @throws IOException if the broker does not take it
   */
  public void send(String id, JsonNode request) throws IOException {
    try {
      producer
          .send(
              new ProducerRecord<>(
                  requests, id.getBytes(StandardCharsets.UTF_8), JSON.writeValueAsBytes(request)))
          .get();
    } catch (ExecutionException e) {
      throw new IOException(
          "topic " + requests + " did not take the request: " + e.getCause().getMessage(), e);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("request must be JSON: " + e.getOriginalMessage(), e);
    } catch (KafkaException e) {
      throw new IOException(
          "topic " + requests + " did not take the request: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while sending a request", e);
    }
  }

  /**
   * Waits for answers.
   *
   * @return the answers by id; those that did not come in time are missing
   * @throws IOException if the broker refuses
   */
  public Map<String, JsonNode> await(Set<String> ids, Duration patience) throws IOException {
    Map<String, JsonNode> found = new HashMap<>();
    Set<String> missing = new HashSet<>(ids);
    long deadline = System.nanoTime() + patience.toNanos();
    try {
      while (!missing.isEmpty() && System.nanoTime() - deadline < 0) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          String id = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
          if (missing.remove(id)) {
            found.put(id, JSON.readTree(record.value()));
          }
        }
      }
    } catch (KafkaException e) {
      throw new IOException("the answers could not be read: " + e.getMessage(), e);
    }
    return found;
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(1));
    consumer.close();
  }
}

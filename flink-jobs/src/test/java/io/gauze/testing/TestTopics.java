package io.gauze.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gauze.topic.TopicReadiness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics on the shared broker: made, written and read by tests. */
public final class TestTopics {
  /** How long a reader waits for records that should come; only a broken test waits so long. */
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final AtomicInteger NEXT = new AtomicInteger();

  private TestTopics() {}

  /** Makes a topic with a name that no other test uses and returns the name. */
  public static String create(String prefix, int partitions) {
    return create(prefix, partitions, Map.of());
  }

  /** Makes a topic for rows: the broker's clock decides their epoch. */
  public static String createRows(String prefix, int partitions) {
    return create(prefix, partitions, Map.of("message.timestamp.type", "LogAppendTime"));
  }

  /** Makes a topic with Kafka's own settings, such as {@code message.timestamp.type}. */
  public static String create(String prefix, int partitions, Map<String, String> settings) {
    return make(prefix + "-" + NEXT.incrementAndGet(), partitions, settings);
  }

  /** Makes a topic with just this name, and returns it. */
  public static String make(String name, int partitions, Map<String, String> settings) {
    try (Admin admin = admin()) {
      NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
      make(admin, topic.configs(settings));
    }
    return name;
  }

  /** Makes topics of other settings, and returns when records can be sent to them. */
  public static void make(Admin admin, NewTopic... topics) {
    get(admin.createTopics(List.of(topics)).all());
    for (NewTopic topic : topics) {
      awaitLeaders(admin, topic.name());
    }
  }

  private static void awaitLeaders(Admin admin, String name) {
    try {
      TopicReadiness.awaitKnown(admin, name);
      TopicReadiness.awaitLeaders(admin, name);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Gives a topic more partitions, and returns when the broker lists them. */
  public static void grow(String name, int partitions) {
    try (Admin admin = admin()) {
      get(admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions))).all());
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (partitionsOf(admin, name) < partitions) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError("partitions of topic " + name + " were made but are not listed");
        }
      }
      awaitLeaders(admin, name);
    }
  }

  private static int partitionsOf(Admin admin, String name) {
    return get(admin.describeTopics(List.of(name)).allTopicNames()).get(name).partitions().size();
  }

  /** A client for the administration of the shared broker; the caller closes it. */
  public static Admin admin() {
    return Admin.create(clientSettings());
  }

  /**
   * A producer of bytes for the shared broker, with settings beyond the address; the caller closes
   * it.
   */
  public static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
    Map<String, Object> all = clientSettings();
    all.putAll(settings);
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Appends values as UTF-8 to one partition, without keys, and returns when they are acknowledged.
   */
  public static void send(String topic, int partition, String... values) {
    try (KafkaProducer<byte[], byte[]> producer = producer(Map.of("linger.ms", 0))) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String value : values) {
        sent.add(
            producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(UTF_8))));
      }
      for (Future<RecordMetadata> each : sent) {
        get(each);
      }
    }
  }

  /**
   * The committed records of a topic from its beginning: at least {@code atLeast} of them, in the
   * order of each partition.
   *
   * @throws AssertionError if there are fewer after {@link #PATIENCE}
   */
  public static List<ConsumerRecord<byte[], byte[]>> read(String topic, int atLeast) {
    return read(topic, atLeast, "read_committed");
  }

  /** As {@link #read(String, int)}, with Kafka's {@code isolation.level}. */
  public static List<ConsumerRecord<byte[], byte[]>> read(
      String topic, int atLeast, String isolation) {
    Map<String, Object> settings = clientSettings();
    settings.put("isolation.level", isolation);
    settings.put("auto.offset.reset", "earliest");
    settings.put("enable.auto.commit", false);
    settings.put("max.partition.fetch.bytes", 64 << 20);
    settings.put("fetch.max.wait.ms", 20); // closing waits for the last fetch
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(info.topic(), info.partition()))
              .toList();
      consumer.assign(partitions);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (records.size() < atLeast) {
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError(
              topic + " holds " + records.size() + " records, expected at least " + atLeast);
        }
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
    }
    return records;
  }

  /** The values of records as text. */
  public static List<String> texts(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(found -> new String(found.value(), UTF_8)).toList();
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Map<String, Object> clientSettings() {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", SharedCluster.broker().bootstrapServers());
    return settings;
  }
}

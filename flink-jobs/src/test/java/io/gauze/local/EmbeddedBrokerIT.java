package io.gauze.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedCluster.class)
final class EmbeddedBrokerIT {
  @Test
  void keepsTheOrderOfAPartition() {
    String topic = TestTopics.create("order", 2);

    TestTopics.send(topic, 1, "a", "b", "c");

    List<ConsumerRecord<byte[], byte[]>> records = TestTopics.read(topic, 3);
    assertThat(TestTopics.texts(records)).containsExactly("a", "b", "c");
    assertThat(records).allMatch(found -> found.partition() == 1);
  }

  @Test
  void committedReadersDoNotSeeAnAbortedTransaction() throws Exception {
    String topic = TestTopics.create("transaction", 1);
    Map<String, Object> settings = Map.of("transactional.id", topic);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(settings)) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "aborted".getBytes(UTF_8))).get();
      producer.abortTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "committed".getBytes(UTF_8))).get();
      producer.commitTransaction();
    }

    assertThat(TestTopics.texts(TestTopics.read(topic, 1))).containsExactly("committed");
    assertThat(TestTopics.texts(TestTopics.read(topic, 2, "read_uncommitted")))
        .containsExactly("aborted", "committed");
  }

  @Test
  void takesALargeRecord() throws Exception {
    String topic = TestTopics.create("large", 1);
    byte[] value = new byte[20 << 20];
    value[value.length - 1] = 7;
    Map<String, Object> settings = Map.of("max.request.size", 32 << 20);
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(settings)) {
      producer.send(new ProducerRecord<>(topic, value)).get();
    }

    assertThat(TestTopics.read(topic, 1).get(0).value()).isEqualTo(value);
  }

  @Test
  void doesNotCreateTopicsByItself() throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = TestTopics.producer(Map.of("max.block.ms", 300));
        Admin admin = TestTopics.admin()) {
      assertThatThrownBy(() -> producer.partitionsFor("never-made"))
          .isInstanceOf(TimeoutException.class);
      assertThat(admin.listTopics().names().get()).doesNotContain("never-made");
    }
  }

  @Test
  void closeDeletesItsFolderAndFreesItsPort(@TempDir Path parent) throws IOException {
    EmbeddedBroker broker = EmbeddedBroker.start(parent, 0);
    assertThat(children(parent)).hasSize(1);

    broker.close();
    broker.close();

    assertThat(children(parent)).isEmpty();
    assertThat(broker.failure()).isNotDone();
    int port = Integer.parseInt(broker.bootstrapServers().replaceFirst(".*:", ""));
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(socket.isBound()).isTrue();
    }
  }

  @Test
  void saysWhichPortIsTaken(@TempDir Path parent) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = socket.getLocalPort();

      assertThatThrownBy(() -> EmbeddedBroker.start(parent, port))
          .isInstanceOf(BindException.class)
          .hasMessageContaining("port " + port + " on 127.0.0.1 cannot be bound")
          .hasMessageContaining("choose another port");
    }
    assertThat(children(parent)).isEmpty();
  }

  @Test
  void refusesAPortOutOfRange(@TempDir Path parent) {
    assertThatThrownBy(() -> EmbeddedBroker.start(parent, 65536))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("port must be in [0, 65535]. Provided value: 65536");
  }

  /** Kafka would end the JVM here. */
  @Test
  void reportsThatItDied(@TempDir Path parent) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start(parent, 0)) {
      deleteFiles(parent);
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
        admin.createTopics(List.of(new NewTopic("any", 1, (short) 1)));

        assertThat(broker.failure().get(60, SECONDS)).contains("the embedded broker failed");
      }
    }
  }

  private static void deleteFiles(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(folder)) {
          Files.delete(path);
        }
      }
    }
  }

  private static List<Path> children(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children.toList();
    }
  }
}

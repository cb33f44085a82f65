package io.gauze.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedCluster.class)
final class TopicAdminIT {
  private static final int LARGEST = 2_000_000;

  @Test
  void refusesTopicsWhoseSettingsDoNotDo() throws IOException {
    String compacted = TestTopics.create("compacted", 1, Map.of("cleanup.policy", "compact"));
    String both = TestTopics.create("both", 1, Map.of("cleanup.policy", "compact,delete"));
    String plain = TestTopics.create("plain", 1);
    String tiny = TestTopics.create("tiny", 1, Map.of("max.message.bytes", "100000"));
    String few =
        TestTopics.create(
            "few", 1, Map.of("max.message.bytes", "65535", "cleanup.policy", "compact"));
    try (TopicAdmin admin = admin(Optional.empty())) {
      refused(
          () -> admin.rows(compacted, false, false), compacted, "cleanup.policy must be delete");
      refused(() -> admin.rows(both, false, false), both, "cleanup.policy must be delete");
      refused(
          () -> admin.rows(plain, true, false),
          plain,
          "message.timestamp.type must be LogAppendTime");
      refused(() -> admin.ledger(plain), plain, "cleanup.policy must be compact");
      refused(() -> admin.ledger(both), both, "cleanup.policy must be compact");
      refused(
          () -> admin.letters(compacted, DeadLetterSchema.MAX_BYTES),
          compacted,
          "cleanup.policy must be delete");
      refused(
          () -> admin.letters(tiny, DeadLetterSchema.MAX_BYTES),
          tiny,
          "max.message.bytes must be at least 147456");
      refused(() -> admin.ledger(few), few, "max.message.bytes must be at least 524288");
    }
  }

  /** A listener whose queue is full takes no connection: as a host that is down. */
  @Thorough
  @Test
  void oneOfTwoBrokersIsEnough() throws IOException {
    List<Socket> queue = new ArrayList<>();
    try (ServerSocket down = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 4; i++) {
        Socket socket = new Socket();
        queue.add(socket);
        try {
          socket.connect(down.getLocalSocketAddress(), 200);
        } catch (SocketTimeoutException e) {
          break; // the queue is full
        }
      }
      String both =
          "127.0.0.1:" + down.getLocalPort() + "," + SharedCluster.broker().bootstrapServers();
      KafkaAccess kafka = new KafkaAccess(both, Map.of());
      for (int i = 0; i < 6; i++) { // either of them may be asked first
        TopicAdmin.reach(kafka, Duration.ofSeconds(5));
      }
    } finally {
      for (Socket socket : queue) {
        socket.close();
      }
    }
  }

  /**
   * A day ahead is taken, a millisecond more is not; of epochs of a second no more than may be open
   * at once.
   */
  @Test
  void refusesProducersTimesThatAreFarAhead() throws IOException {
    String key = "message.timestamp.after.max.ms";
    String day = TestTopics.create("day", 1, Map.of(key, "86400000"));
    String more = TestTopics.create("more", 1, Map.of(key, "86400001"));
    String any = TestTopics.create("any", 1, Map.of(key, Long.toString(Long.MAX_VALUE)));
    String open = TestTopics.create("open", 1, Map.of(key, "10000000"));
    String tooMany = TestTopics.create("too-many", 1, Map.of(key, "10000001"));
    try (TopicAdmin admin = admin(Optional.empty())) {
      Duration hours = Duration.ofHours(10_000);
      Duration seconds = Duration.ofSeconds(10_000);
      admin.producerTime(day, hours);
      admin.producerTime(day, Duration.ofDays(1));
      refused(() -> admin.producerTime(more, hours), more, key + " must be at most 86400000");
      refused(() -> admin.producerTime(any, hours), any, "Provided value: 9223372036854775807");
      admin.producerTime(open, seconds);
      refused(
          () -> admin.producerTime(day, seconds),
          day,
          key
              + " must be at most 10000000 with producers' timestamps and epochs as short as these,"
              + " since each epoch ahead takes memory. Provided value: 86400000. Lower it, raise"
              + " epochs.length, or name another topic.");
      refused(() -> admin.producerTime(tooMany, seconds), tooMany, "Provided value: 10000001");
    }
  }

  @Test
  void refusesAMissingTopic() throws IOException {
    try (TopicAdmin admin = admin(Optional.empty())) {
      refused(() -> admin.rows("absent", true, false), "absent", "does not exist");
      refused(() -> admin.releases("absent", LARGEST), "absent", "does not exist");
      refused(() -> admin.ledger("absent"), "absent", "does not exist");
      refused(
          () -> admin.letters("absent", DeadLetterSchema.MAX_BYTES), "absent", "does not exist");
    }
  }

  @Test
  void refusesReleasesThatTakeTooFewBytes() throws IOException {
    String small =
        TestTopics.create("small", 1, Map.of("max.message.bytes", "1999999", "retention.ms", "-1"));
    try (TopicAdmin admin = admin(Optional.empty())) {
      refused(
          () -> admin.releases(small, LARGEST),
          small,
          "max.message.bytes must be at least 2000000");
    }
  }

  /** Brokers take 100 MiB unless they are told otherwise. */
  @Test
  void refusesReleasesThatTheBrokersDoNotTake() throws IOException {
    int most = 100 << 20;
    String large =
        TestTopics.create(
            "large", 1, Map.of("max.message.bytes", "200000000", "retention.ms", "-1"));
    try (TopicAdmin admin = admin(Optional.empty())) {
      assertThat(admin.releases(large, most)).isEmpty();
      refused(
          () -> admin.releases(large, most + 1),
          large,
          "socket.request.max.bytes of broker 1 must be at least 104857601");
    }
  }

  @Test
  void warnsOfReleasesThatAreForgotten() throws IOException {
    String hour = releases(Map.of("retention.ms", "3600000"));
    String few = releases(Map.of("retention.ms", "-1", "retention.bytes", "3600000"));
    String compacted = releases(Map.of("retention.ms", "3600000", "cleanup.policy", "compact"));
    String always = releases(Map.of("retention.ms", "-1"));
    try (TopicAdmin admin = admin(Optional.empty())) {
      assertThat(admin.releases(hour, LARGEST))
          .singleElement()
          .asString()
          .contains("GZ-FORGETS", hour, "retention.ms is 3600000", "releases are lost");
      assertThat(admin.releases(few, LARGEST))
          .singleElement()
          .asString()
          .contains(few, "retention.bytes is 3600000", "releases are lost");
      assertThat(admin.releases(compacted, LARGEST)).as("keys that differ").isEmpty();
      assertThat(admin.releases(always, LARGEST)).isEmpty();
    }
  }

  private static String releases(Map<String, String> retention) {
    Map<String, String> settings = new HashMap<>(retention);
    settings.put("max.message.bytes", "2000000");
    return TestTopics.create("releases", 1, settings);
  }

  /** They could be read, but no record would ever be acknowledged by two replicas. */
  @Test
  void refusesTopicsThatCannotAcknowledge() throws IOException {
    Map<String, String> two = Map.of("min.insync.replicas", "2");
    String plain = TestTopics.create("two", 1, two);
    String ledger =
        TestTopics.create(
            "two", 1, Map.of("min.insync.replicas", "2", "cleanup.policy", "compact"));
    String why = "min.insync.replicas must be at most 1";
    try (TopicAdmin admin = admin(Optional.empty())) {
      refused(() -> admin.releases(plain, 1000), plain, why);
      refused(() -> admin.letters(plain, DeadLetterSchema.MAX_BYTES), plain, why);
      refused(() -> admin.answers(plain, 1000), plain, why);
      refused(() -> admin.ledger(ledger), ledger, why);
      admin.rows(plain, false, false); // which others write
    }
  }

  @Test
  void aReadOnlyCheckCreatesNothing() throws Exception {
    String name = TestTopics.create("prefix", 1);
    KafkaAccess kafka = new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of());
    try (TopicAdmin one = readOnly(kafka, 1);
        TopicAdmin three = readOnly(kafka, 3)) {
      one.rows(name + "-rows", true, false);
      one.producerTime(name + "-rows", Duration.ofDays(1));
      one.letters(name, DeadLetterSchema.MAX_BYTES);
      one.ledger(name + "-ledger");
      assertThat(one.wouldCreate()).containsExactly(name + "-rows", name + "-ledger");
      assertThatThrownBy(() -> three.ledger(name + "-ledger"))
          .isInstanceOf(TopicException.class)
          .hasMessageContaining("could not create topic " + name + "-ledger")
          .hasMessageContaining("kafka.create says replicas 3");
    }
    try (Admin admin = TestTopics.admin()) {
      assertThat(admin.listTopics().names().get()).contains(name).doesNotContain(name + "-rows");
    }
  }

  private static TopicAdmin readOnly(KafkaAccess kafka, int replicas) throws IOException {
    return TopicAdmin.readOnly(
        kafka, Optional.of(new TopicAdmin.Creation(2, (short) replicas)), Optional.empty());
  }

  @Test
  void createsTopicsThatItThenAccepts() throws IOException {
    String name = TestTopics.create("prefix", 1);
    for (Optional<TopicAdmin.Creation> creation :
        List.of(
            Optional.of(new TopicAdmin.Creation(2, (short) 1)),
            Optional.<TopicAdmin.Creation>empty())) {
      try (TopicAdmin admin = admin(creation)) {
        admin.rows(name + "-rows", true, false);
        assertThat(admin.releases(name + "-releases", LARGEST)).as("warning").isEmpty();
        admin.ledger(name + "-ledger");
        admin.letters(name + "-letters", DeadLetterSchema.MAX_BYTES);
      }
    }
  }

  /** What must never be forgotten; whatever the broker's own settings are. */
  @Test
  void newTopicsOfTheLedgerAndOfReleasesOutliveABroker() throws Exception {
    String name = TestTopics.create("prefix", 1);
    List<String> lasting = List.of(name + "-ledger", name + "-releases");
    try (TopicAdmin admin = admin(Optional.of(new TopicAdmin.Creation(1, (short) 1)))) {
      admin.ledger(name + "-ledger");
      admin.releases(name + "-releases", LARGEST);
      admin.letters(name + "-letters", DeadLetterSchema.MAX_BYTES);
      assertThat(admin.durability(lasting)).as("one broker is all there is").isEmpty();
    }
    for (String topic : lasting) {
      assertThat(own(topic))
          .containsEntry("min.insync.replicas", "1")
          .containsEntry("unclean.leader.election.enable", "false");
    }
    assertThat(own(name + "-letters")).doesNotContainKey("unclean.leader.election.enable");
  }

  /** The settings that a topic has of its own. */
  private static Map<String, String> own(String topic) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Map<String, String> own = new HashMap<>();
    try (Admin admin = TestTopics.admin()) {
      for (ConfigEntry entry :
          admin.describeConfigs(List.of(resource)).all().get().get(resource).entries()) {
        if (entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG) {
          own.put(entry.name(), entry.value());
        }
      }
    }
    return own;
  }

  private static TopicAdmin admin(Optional<TopicAdmin.Creation> creation) throws IOException {
    return new TopicAdmin(
        new KafkaAccess(SharedCluster.broker().bootstrapServers(), Map.of()), creation);
  }

  private static void refused(ThrowingCallable call, String topic, String why) {
    assertThatThrownBy(call)
        .isInstanceOf(TopicException.class)
        .hasMessageContaining("topic " + topic)
        .hasMessageContaining(why);
  }
}

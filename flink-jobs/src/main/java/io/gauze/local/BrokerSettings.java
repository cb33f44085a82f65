package io.gauze.local;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Kafka's settings for a broker with one node, few threads and a quick start. */
final class BrokerSettings {
  static final String HOST = "127.0.0.1"; // "localhost" may be IPv6 or missing
  static final String CONTROLLER = "CONTROLLER";
  static final int NODE = 1;

  /** The largest record in bytes: a release is a single record of some megabytes. */
  private static final int LARGEST_RECORD = 64 << 20;

  private BrokerSettings() {}

  static Map<String, String> of(Path data, int port, int controllerPort) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", Integer.toString(NODE));
    settings.put("controller.quorum.voters", NODE + "@" + HOST + ":" + controllerPort);
    settings.put(
        "listeners",
        "PLAINTEXT://"
            + HOST
            + ":"
            + port
            + ","
            + CONTROLLER
            + "://"
            + HOST
            + ":"
            + controllerPort);
    settings.put("controller.listener.names", CONTROLLER);
    settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("log.dirs", data.toString());
    settings.put("auto.create.topics.enable", "false");
    settings.put("log.retention.ms", "-1");
    settings.put("message.max.bytes", Integer.toString(LARGEST_RECORD));
    settings.put("replica.fetch.max.bytes", Integer.toString(LARGEST_RECORD));
    addInternalTopics(settings);
    addSmallFootprint(settings);
    return settings;
  }

  private static void addInternalTopics(Map<String, String> settings) {
    for (String topic :
        new String[] {"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
      settings.put(topic + ".replication.factor", "1");
      settings.put(topic + ".num.partitions", "1");
    }
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
  }

  private static void addSmallFootprint(Map<String, String> settings) {
    settings.put("num.network.threads", "1");
    settings.put("num.io.threads", "2");
    settings.put("background.threads", "2");
    settings.put("num.recovery.threads.per.data.dir", "1");
    settings.put("log.cleaner.dedupe.buffer.size", Integer.toString(4 << 20));
    settings.put("log.index.size.max.bytes", Integer.toString(1 << 20));
    settings.put("server.max.startup.time.ms", "60000");
  }
}

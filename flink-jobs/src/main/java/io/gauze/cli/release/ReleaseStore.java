package io.gauze.cli.release;

import io.gauze.answer.ReleaseTopic;
import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;

/** Opens the topic of releases of a config. */
public final class ReleaseStore {
  private ReleaseStore() {}

  /**
   * Opens the topic and reports the connection.
   *
   * @throws ConfigException if the config names no broker, or the topic does not exist
   * @throws IOException if the broker does not answer
   */
  public static ReleaseTopic open(StreamConfig stream, PrintWriter err)
      throws ConfigException, IOException {
    KafkaAccess kafka = BrokerCheck.connect(stream, err);
    String topic = stream.kafka().topics().releases();
    try {
      return new ReleaseTopic(kafka, topic);
    } catch (TopicException.Missing e) {
      String problem =
          "topic "
              + topic
              + " does not exist on "
              + kafka
              + ", so nothing was released to it: gauze run makes it (kafka.create), or kafka.releases"
              + " names another topic";
      throw new ConfigException(ConfigLocation.key(stream, "kafka.releases.topic", problem), e);
    }
  }
}

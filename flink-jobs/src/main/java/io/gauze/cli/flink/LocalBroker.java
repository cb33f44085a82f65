package io.gauze.cli.flink;

import io.gauze.cli.option.CommandMessage;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.KafkaSettings;
import io.gauze.config.StreamConfig;
import io.gauze.local.EmbeddedBroker;
import io.gauze.report.Messages;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code gauze up} makes of the broker's settings in configs, since it starts its own. */
public final class LocalBroker {
  private LocalBroker() {}

  /**
   * Refuses a port that cannot be bound.
   *
   * @param port 0 for any
   * @throws IOException if another program has it
   */
  public static void requireFree(int port) throws IOException {
    try {
      EmbeddedBroker.requireFree(port);
    } catch (BindException e) {
      throw new IOException(
          "kafka.bootstrap: "
              + e.getMessage()
              + "; if that is your broker: gauze run and gauze solver",
          e);
    }
  }

  /**
   * Refuses a topic of requests that streams share: each stream's solver would answer all its
   * requests.
   */
  public static void checkRequests(JobStreams job) throws ConfigException {
    Map<String, Path> files = new HashMap<>();
    for (int i = 0; i < job.configs().size(); i++) {
      String topic = job.configs().get(i).kafka().topics().requests();
      Path other = files.putIfAbsent(topic, job.files().get(i));
      if (other != null) {
        throw new ConfigException(
            job.files().get(i)
                + ": kafka.requests.topic must be another one than that of "
                + other
                + ", since each stream of up has a solver of its own. Provided value: "
                + topic);
      }
    }
  }

  /** Returns the port that the configs name, which must be the same in all: there is one broker. */
  public static int port(JobStreams job) throws ConfigException {
    int port = 0;
    for (int i = 0; i < job.configs().size(); i++) {
      Optional<String> bootstrap = job.configs().get(i).kafka().bootstrap();
      int wanted = port(bootstrap);
      if (port != 0 && wanted != 0 && wanted != port) {
        throw new ConfigException(
            job.files().get(i)
                + ": kafka.bootstrap must be the same in all configs of up, which starts one"
                + " broker. Provided value: "
                + bootstrap.orElseThrow());
      }
      port = Math.max(port, wanted);
    }
    return port;
  }

  /** Returns the port to which the config's clients will connect. */
  public static int port(Optional<String> bootstrap) throws ConfigException {
    if (bootstrap.isEmpty()) {
      return 0;
    }
    String address = bootstrap.get();
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon);
    if (address.contains(",") || !(host.equals("localhost") || host.equals("127.0.0.1"))) {
      throw new ConfigException(
          "kafka.bootstrap must be localhost:PORT for up, which starts its own broker here; for a"
              + " broker that is there already, use gauze run and gauze solver. Provided value: "
              + address);
    }
    return Integer.parseInt(address.substring(colon + 1));
  }

  public static void warn(JobStreams job, PrintWriter err) {
    for (StreamConfig stream : job.configs()) {
      KafkaSettings kafka = stream.kafka();
      String prefix = "warning: " + job.prefix(stream);
      if (!kafka.properties().isEmpty()) {
        Messages.all(prefix, List.of(CommandMessage.PLAINBROKER.of())).forEach(err::println);
      }
      if (kafka.create().filter(create -> create.replicas() > 1).isPresent()) {
        Messages.all(prefix, List.of(CommandMessage.ONEREPLICA.of())).forEach(err::println);
      }
    }
    err.println(
        "note: all topics end with this process, also the ledger, which counts the privacy budget."
            + " Rows that you send to another process spend their budget again.");
  }
}

package io.gauze.cli;

import io.gauze.answer.LedgerFeed;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseTopic;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.option.Version;
import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import io.gauze.config.StreamConfig;
import io.gauze.http.ServiceServer;
import io.gauze.http.ServiceSettings;
import io.gauze.http.ServiceSettings.Listen;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.local.CloseAtExit;
import io.gauze.local.EmbeddedBroker;
import io.gauze.report.AdvisedStream;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The HTTP services of {@code gauze up}: one for each topic of releases, at ports of this machine
 * that nothing else uses.
 */
final class LocalService implements AutoCloseable {
  private static final int PORTS = 100;

  private final Streams advised;
  private final Map<String, ServiceServer> byTopic = new HashMap<>();
  private final Map<String, URI> addresses = new LinkedHashMap<>();

  private LocalService(Streams advised) {
    this.advised = advised;
  }

  /** Returns the stream that advice is about, for one of the job's. */
  interface Streams {
    AdvisedStream of(int index) throws IOException, ConfigException;
  }

  /** Returns what serves nothing yet. */
  static LocalService create(Streams advised) {
    LocalService services = new LocalService(advised);
    CloseAtExit.register(services);
    return services;
  }

  /**
   * Starts the services, unless they are started. Returns whether it did.
   *
   * @param job streams whose topics exist, on brokers without properties
   * @throws IOException if a service cannot be started
   */
  synchronized boolean start(JobStreams job)
      throws IOException, ConfigException, PrivacyRefusalException {
    if (!addresses.isEmpty()) {
      return false;
    }
    for (int i = 0; i < job.configs().size(); i++) {
      StreamConfig stream = job.configs().get(i);
      String topic = stream.kafka().topics().releases();
      if (!byTopic.containsKey(topic)) {
        byTopic.put(topic, open(stream, advised.of(i)));
      }
      addresses.put(stream.stream(), byTopic.get(topic).address());
    }
    return true;
  }

  private static ServiceServer open(StreamConfig stream, AdvisedStream advised)
      throws IOException, ConfigException, PrivacyRefusalException {
    Listen listen = freeAddress();
    KafkaAccess kafka = new KafkaAccess(stream.kafka().bootstrap().orElseThrow(), Map.of());
    LedgerFeed ledger = LedgerCommand.view(stream);
    ReleaseTopic feed = new ReleaseTopic(kafka, stream.kafka().topics().releases());
    ReleaseLibrary library;
    try {
      library = new ReleaseLibrary(Optional.empty(), feed, Clock.systemUTC());
    } catch (IOException e) {
      feed.close();
      throw e;
    }
    ServiceSettings settings =
        new ServiceSettings(
            listen,
            Optional.empty(),
            Optional.empty(),
            ServeCommand.TOPIC,
            ClientLimits.USUAL,
            Version.ofProgram());
    return ServiceServer.start(
        settings, library, new ServiceExtras(Optional.of(ledger), Optional.of(advised)));
  }

  /** Returns the usual address, or the next one whose port can be bound. */
  private static Listen freeAddress() throws IOException {
    Listen usual = Listen.USUAL;
    for (int port = usual.port(); port < usual.port() + PORTS; port++) {
      if (isFree(port)) {
        return new Listen(usual.host(), port);
      }
    }
    throw new IOException(
        "the service finds no free port: those from "
            + usual.port()
            + " to "
            + (usual.port() + PORTS - 1)
            + " are taken. End the programs that hold them");
  }

  private static boolean isFree(int port) throws IOException {
    try {
      EmbeddedBroker.requireFree(port);
      return true;
    } catch (BindException e) {
      return false;
    }
  }

  /** The address of a stream's service. */
  URI of(StreamConfig stream) {
    return addresses.get(stream.stream());
  }

  /** Ends the services; does nothing if called again. */
  @Override
  public synchronized void close() {
    CloseAtExit.forget(this);
    byTopic.values().forEach(ServiceServer::close);
    byTopic.clear();
  }
}

package io.gauze.http;

import io.gauze.answer.LedgerFeed;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.http.protocol.BearerAuth;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.ProblemErrors;
import io.gauze.http.protocol.ReleaseSignal;
import io.gauze.http.protocol.ServiceMetrics;
import io.gauze.http.protocol.SlowClients;
import io.gauze.http.resource.EventHandler;
import io.gauze.http.resource.EventHub;
import io.gauze.http.resource.Resource;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.http.resource.ServiceResources;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running service: a server of HTTP over a library of releases, which it keeps up to date. */
public final class ServiceServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceServer.class);
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final Duration STOP = Duration.ofSeconds(5);
  private static final Duration BEAT = Duration.ofSeconds(15);
  private static final int MOST_THREADS = 200;
  private static final int MOST_WAITING = 64;
  private static final int WAITING_SHARE = 16;

  private final ReleaseLibrary library;
  private final ServiceSettings settings;
  private final ServiceExtras extras;
  private final ServiceMetrics metrics = new ServiceMetrics();
  private final ReleaseSignal signal = new ReleaseSignal(MOST_WAITING, WAITING_SHARE);
  private final FitExecutor executor;
  private final FitExecutor reads;
  private final EventHub hub;
  private final CacheWarmer warmer;
  private final SlowClients slow;
  private final Server server;
  private final ServerConnector connector;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "gauze-refresh");
            thread.setDaemon(true);
            return thread;
          });
  private volatile boolean upToDate = true;

  private ServiceServer(ServiceSettings settings, ReleaseLibrary library, ServiceExtras extras) {
    this.library = library;
    this.extras = extras;
    this.settings = settings;
    this.executor = new FitExecutor("gauze-fit", FitExecutor.Limits.fits(), metrics);
    this.reads = new FitExecutor("gauze-read", FitExecutor.Limits.reads(), metrics);
    this.hub = new EventHub(EventHub.Limits.USUAL, library.state().entries());
    this.warmer = new CacheWarmer(library);
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS);
    threads.setName("gauze-http");
    threads.setDaemon(true);
    this.server = new Server(threads);
    this.slow = new SlowClients(settings.clients());
    this.connector = connector();
    connector.addBean(slow); // told of connections
    server.addConnector(connector);
    server.setErrorHandler(new ProblemErrors());
    BearerAuth auth = new BearerAuth(settings.token());
    List<Resource> resources =
        ServiceResources.all(
            new ServiceResources.Parts(
                library,
                executor,
                reads,
                signal,
                metrics,
                settings.version(),
                extras,
                () -> upToDate));
    slow.setHandler(
        new Handler.Sequence(
            new EventHandler(hub, auth, slow), new ServiceHandler(resources, auth, metrics, slow)));
    server.setHandler(new GracefulHandler(slow));
    server.setStopTimeout(STOP.toMillis());
    metrics.gauge("gauze_releases", "Known releases", () -> library.state().entries().size());
    metrics.gauge("gauze_fits_waiting", "Fits that wait for a worker", executor::waiting);
    metrics.gauge("gauze_requests_waiting", "Requests that wait for releases", signal::waiting);
    metrics.gauge(
        "gauze_releases_warmed", "Releases that were fitted when they came", warmer::warmed);
    metrics.gauge("gauze_http_connections", "Open connections", slow::connections);
    metrics.gauge("gauze_event_clients", "Clients that listen to events", hub::size);
  }

  /**
   * Starts a service that tells of releases alone.
   *
   * @param library is closed with the service
   * @throws IOException if it cannot listen at the address
   */
  public static ServiceServer start(ServiceSettings settings, ReleaseLibrary library)
      throws IOException {
    return start(settings, library, ServiceExtras.NONE);
  }

  /**
   * Starts the service.
   *
   * @param library is closed with the service
   * @param extras what the service tells beside releases; closed with the service
   * @throws IOException if it cannot listen at the address
   */
  public static ServiceServer start(
      ServiceSettings settings, ReleaseLibrary library, ServiceExtras extras) throws IOException {
    ServiceServer service = new ServiceServer(settings, library, extras);
    try {
      service.server.start();
    } catch (IOException e) {
      service.close();
      throw new IOException(
          "the service cannot listen at "
              + settings.listen()
              + ": "
              + e.getMessage()
              + "; end what listens there, or name another address or port with --listen",
          e);
    } catch (Exception e) {
      service.close();
      throw new IllegalStateException("the service could not be started", e);
    }
    service.warmer.arrived(library.state().entries());
    long every = settings.refresh().toMillis();
    Future<?> unusedLooks =
        service.clock.scheduleWithFixedDelay(service::refresh, every, every, TimeUnit.MILLISECONDS);
    Future<?> unusedBeats =
        service.clock.scheduleAtFixedRate(
            service::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    return service;
  }

  private ServerConnector connector() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(true);
    // A percent sign may be in the id of a release, and a path is decoded once, see ServiceHandler.
    http.setUriCompliance(
        UriCompliance.DEFAULT.with("ids", UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING));
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    ServerConnector made =
        settings
            .tls()
            .map(
                context -> {
                  SslContextFactory.Server tls = new SslContextFactory.Server();
                  tls.setSslContext(context);
                  return new ServerConnector(
                      server, new SslConnectionFactory(tls, plain.getProtocol()), plain);
                })
            .orElseGet(() -> new ServerConnector(server, plain));
    made.setHost(settings.listen().host());
    made.setPort(settings.listen().port());
    made.setIdleTimeout(IDLE.toMillis());
    return made;
  }

  /** Reads what is new, and tells who waits for it. */
  private void refresh() {
    String before = library.state().tag();
    try {
      List<Entry> added = library.refresh();
      upToDate = true;
      if (!added.isEmpty()) {
        hub.publish(added);
        warmer.arrived(added);
      }
    } catch (IOException e) {
      if (upToDate) {
        LOG.warn("New releases cannot be read, and the known ones are served: {}", e.getMessage());
      }
      upToDate = false;
    } catch (Throwable e) { // whatever it is, it would end the schedule
      LOG.error("Looking for new releases failed; it is tried again", e);
      upToDate = false;
    } finally {
      if (!library.state().tag().equals(before)) {
        signal.arrived();
      }
    }
  }

  private void beat() {
    try {
      hub.beat();
    } catch (RuntimeException | Error e) { // it would end the schedule
      LOG.error("Clients that listen to events could not be told that the service is there", e);
    }
  }

  /** The address of the service, with the port that was found. */
  public URI address() {
    ServiceSettings.Listen listen = settings.listen();
    String scheme = settings.tls().isPresent() ? "https" : "http";
    return URI.create(
        scheme + "://" + new ServiceSettings.Listen(listen.host(), connector.getLocalPort()));
  }

  /** Waits until the service ends. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Ends the service: requests that run are answered for at most five seconds. */
  @Override
  public void close() {
    clock.shutdownNow();
    hub.close();
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("The service did not stop in order: {}", e.toString());
    }
    executor.close();
    reads.close();
    warmer.close();
    extras.ledger().ifPresent(LedgerFeed::close);
    library.close();
  }
}

package io.gauze.local;

import io.gauze.internal.Checks;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker (KRaft, one node) inside this process, reachable from this machine only. Its
 * data are in a temporary folder that is deleted on {@link #close} and at the end of the JVM, also
 * after Ctrl-C. Topics are not created automatically.
 *
 * <p>Kafka ends the whole process when it cannot go on, for instance when the disk is full. The
 * first broker that is started here replaces this behaviour for the whole JVM: the failure is
 * logged and completes {@link #failure}. Thread-safe.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
  private static final List<EmbeddedBroker> OPEN = new CopyOnWriteArrayList<>();
  private static final int ATTEMPTS = 5;
  private static final String FOLDER = "gauze-broker-";
  private static final long NEEDED_MEBIBYTES = 256;

  private final TempFolder folder;
  private final int port;
  private final KafkaRaftServer server;
  private final CompletableFuture<String> failure = new CompletableFuture<>();
  private boolean closed;

  private EmbeddedBroker(TempFolder folder, int port, KafkaRaftServer server) {
    this.folder = folder;
    this.port = port;
    this.server = server;
  }

  /**
   * Starts a broker on a free port, with its data in the system's temporary folder. Returns when it
   * serves: about 5 s in a cold JVM, 1 s later.
   *
   * @throws IOException if there is too little space, or if the broker does not start
   */
  public static EmbeddedBroker start() throws IOException {
    return start(TempFolder.systemDefault(), 0);
  }

  /**
   * Starts a broker.
   *
   * @param parent an existing folder, in which the broker creates its own
   * @param port the port on the loopback address, in [0, 65535]; 0 for a free one
   * @throws IOException as {@link #start()}, and if the port cannot be bound
   */
  public static EmbeddedBroker start(Path parent, int port) throws IOException {
    Checks.within("port", port, 0, 65535);
    requireFree(port);
    // Another program may take a free port before it is bound here: then choose another one.
    int attempts = port == 0 ? ATTEMPTS : 1;
    for (int attempt = 1; ; attempt++) {
      try {
        return startOnce(parent, port == 0 ? freePort() : port);
      } catch (BindException e) {
        if (attempt == attempts) {
          throw e;
        }
      }
    }
  }

  /**
   * Checks that a port of the loopback address can be bound, which takes no time.
   *
   * @param port the port; 0 for any
   * @throws BindException if it cannot be bound
   */
  public static void requireFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as Kafka does: a recently used port is free
      socket.bind(new InetSocketAddress(loopback(), port));
    } catch (BindException e) {
      throw taken(port, e);
    }
  }

  /** The address that clients connect to, as {@code host:port}. */
  public String bootstrapServers() {
    return BrokerSettings.HOST + ":" + port;
  }

  /** Completes with the reason if the broker fails; never completes if it is closed. */
  public CompletableFuture<String> failure() {
    return failure.copy();
  }

  /** Stops the broker and deletes its data; does nothing if called again. */
  @Override
  public synchronized void close() {
    CloseAtExit.forget(this);
    if (closed) {
      return;
    }
    closed = true;
    try {
      server.shutdown();
      server.awaitShutdown();
    } finally {
      OPEN.remove(this);
      folder.close();
    }
  }

  @Override
  public String toString() {
    return "embedded broker at " + bootstrapServers();
  }

  private static EmbeddedBroker startOnce(Path parent, int port) throws IOException {
    Leftovers.clear(parent, FOLDER);
    TempFolder folder = TempFolder.create(parent, FOLDER, NEEDED_MEBIBYTES);
    try {
      Path data = folder.folder("data");
      KafkaConfig config = new KafkaConfig(BrokerSettings.of(data, port, freePortBut(port)), false);
      format(data);
      Exit.setHaltProcedure(EmbeddedBroker::failed);
      Exit.setExitProcedure(EmbeddedBroker::failed);
      EmbeddedBroker broker =
          new EmbeddedBroker(folder, port, new KafkaRaftServer(config, Time.SYSTEM));
      broker.serve();
      return broker;
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  // Holds the lock of close(), so Ctrl-C during the start waits for it and leaves nothing behind.
  private synchronized void serve() throws IOException {
    CloseAtExit.register(this);
    OPEN.add(this);
    try {
      server.startup();
    } catch (RuntimeException e) {
      close();
      throw startFailure(e);
    }
  }

  private IOException startFailure(RuntimeException e) {
    Optional<BindException> bind = ExceptionUtils.findThrowable(e, BindException.class);
    return bind.isPresent()
        ? taken(port, bind.get())
        : new IOException("the embedded broker did not start: " + e.getMessage(), e);
  }

  private static BindException taken(int port, BindException e) {
    BindException clear =
        new BindException(
            String.format(
                Locale.ROOT,
                "port %d on %s cannot be bound (%s). Stop the program that holds it, or choose another port",
                port,
                BrokerSettings.HOST,
                e.getMessage()));
    clear.initCause(e);
    return clear;
  }

  private static void failed(int status, String message) {
    String reason =
        "the embedded broker failed with status "
            + status
            + (message == null ? "" : ": " + message)
            + ". Is the disk full?";
    // Several threads of a failing broker call this.
    if (OPEN.stream().filter(broker -> broker.failure.complete(reason)).count() > 0) {
      LOG.error(reason);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
      return socket.getLocalPort();
    }
  }

  private static InetAddress loopback() throws IOException {
    return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
  }

  // Another call may return the same free port as long as it is not bound.
  private static int freePortBut(int taken) throws IOException {
    int port;
    do {
      port = freePort();
    } while (port == taken);
    return port;
  }

  private static void format(Path data) throws IOException {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try {
      new Formatter()
          .setPrintStream(nowhere)
          .setNodeId(BrokerSettings.NODE)
          .setClusterId(Uuid.randomUuid().toString())
          .setDirectories(List.of(data.toString()))
          .setMetadataLogDirectory(data.toString())
          .setControllerListenerName(BrokerSettings.CONTROLLER)
          .run();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the broker's folder " + data + " could not be prepared", e);
    }
  }
}

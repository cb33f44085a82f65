package io.gauze.http.protocol;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes the connections of clients that send or read too slowly. The server's own idle timeout
 * starts anew with each byte, so a client with a byte a second would keep its connection for hours.
 */
public final class SlowClients extends Handler.Wrapper implements Connection.Listener {
  /** How often connections are looked at in the time that a request may take. */
  private static final int LOOKS = 20;

  private static final Logger LOG = LoggerFactory.getLogger(SlowClients.class);

  private final ClientLimits limits;
  private final Map<Connection, Waiting> connections = new ConcurrentHashMap<>();

  public SlowClients(ClientLimits limits) {
    this.limits = limits;
  }

  /** Since when a connection has waited for a request; not while one is answered. */
  private static final class Waiting {
    private long since = System.nanoTime();
    private boolean answering;

    synchronized void answering(boolean now) {
      answering = now;
      since = System.nanoTime();
    }

    /** Whether nothing has come for so long, or the answer is written and nobody has left. */
    synchronized boolean isLongerThan(Duration limit, boolean isWritten) {
      return (!answering || isWritten) && System.nanoTime() - since > limit.toNanos();
    }
  }

  /** The number of open connections. */
  public int connections() {
    return connections.size();
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof SslConnection)) { // which carries another one, of HTTP
      connections.put(connection, new Waiting());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    connections.remove(connection);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Waiting waiting = connections.get(request.getConnectionMetaData().getConnection());
    if (waiting != null) { // else it is closed already
      waiting.answering(true);
      Request.addCompletionListener(request, unusedFailure -> waiting.answering(false));
    }
    return super.handle(request, response, callback);
  }

  @Override
  protected void doStart() throws Exception {
    super.doStart();
    look();
  }

  private void look() {
    try {
      closeWaiting();
    } catch (RuntimeException | Error e) { // it would be the last look
      LOG.error("Connections of slow clients could not be closed", e);
    }
    if (isRunning()) {
      long pause = Math.max(1, limits.request().toMillis() / LOOKS);
      Scheduler.Task unusedTask =
          getServer().getScheduler().schedule(this::look, pause, TimeUnit.MILLISECONDS);
    }
  }

  /** Closes connections whose next request has not come, or only its beginning, for too long. */
  private void closeWaiting() {
    connections.forEach(
        (connection, waiting) -> {
          EndPoint end = connection.getEndPoint();
          if (waiting.isLongerThan(limits.request(), end.isOutputShutdown())) {
            end.close();
          }
        });
  }

  /** Reads the body of a request; see {@link RequestBody}. */
  public void body(Request request, Consumer<Call.Body> then) {
    RequestBody.read(request, limits.request(), then);
  }

  /** Writes an answer. */
  public void reply(Request request, Response response, Reply reply, Callback callback) {
    Replies.begin(response, reply);
    write(request, response, true, reply.body(), callback);
  }

  /** Writes a part of an answer. The client must read it in the time that the limits give it. */
  public void write(
      Request request, Response response, boolean last, byte[] bytes, Callback callback) {
    Written written = new Written(callback);
    response.write(last, ByteBuffer.wrap(bytes), written);
    written.closeAfter(request, limits.reading(bytes.length));
  }

  /** A write that may not be done yet. */
  private static final class Written extends Callback.Nested {
    private boolean done;
    private Scheduler.Task task = () -> false;

    Written(Callback callback) {
      super(callback);
    }

    /** Usually the write is done by now, and needs no clock. */
    synchronized void closeAfter(Request request, Duration limit) {
      if (!done) {
        Connection connection = request.getConnectionMetaData().getConnection();
        task =
            request
                .getComponents()
                .getScheduler()
                .schedule(
                    () ->
                        connection
                            .getEndPoint()
                            .close(new TimeoutException("the client reads too slowly")),
                    limit.toMillis(),
                    TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public synchronized void completed() {
      done = true;
      task.cancel();
    }
  }
}

package io.gauze.http.protocol;

import io.gauze.answer.RequestBytes;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * The body of a request. It holds no thread while the client sends it.
 *
 * <p>The server does not allow that a request is answered while another thread reads it: its
 * connection would stay open for ever. So what reads and what runs out of time exclude each other.
 */
final class RequestBody {
  private static final Map<String, String> CLOSE = Map.of("Connection", "close");

  private final Request request;
  private final Consumer<Call.Body> then;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Scheduler.Task timeout;
  private boolean ended;

  private RequestBody(Request request, Duration limit, Consumer<Call.Body> then) {
    this.request = request;
    this.then = then;
    Scheduler clock = request.getComponents().getScheduler();
    this.timeout =
        clock.schedule(() -> end(RequestBody::late), limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Reads the body.
   *
   * @param limit the time in which it must be there
   * @param then is called once, with the body, or with what throws the problem of it
   */
  static void read(Request request, Duration limit, Consumer<Call.Body> then) {
    new RequestBody(request, limit, then).readOn();
  }

  private void readOn() {
    Optional<Call.Body> end = Optional.empty();
    synchronized (this) {
      while (!ended && end.isEmpty()) {
        Content.Chunk chunk = request.read();
        if (chunk == null) {
          request.demand(this::readOn);
          return;
        }
        end = taken(chunk);
      }
    }
    end.ifPresent(this::end);
  }

  /** Takes a part of the body. Returns the end of it, if this is the last part or a failure. */
  private Optional<Call.Body> taken(Content.Chunk chunk) {
    if (Content.Chunk.isFailure(chunk)) {
      boolean silent = chunk.getFailure() instanceof TimeoutException;
      return Optional.of(silent ? RequestBody::late : RequestBody::broken);
    }
    boolean last = chunk.isLast();
    bytes.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
    chunk.release();
    if (bytes.size() > RequestBytes.MAX_BYTES) {
      return Optional.of(RequestBody::large);
    }
    return last ? Optional.of(bytes::toByteArray) : Optional.empty();
  }

  private void end(Call.Body body) {
    synchronized (this) {
      if (ended) {
        return;
      }
      ended = true;
    }
    timeout.cancel();
    then.accept(body);
  }

  private static byte[] late() throws Problem {
    throw new Problem(408, "timeout", "the body did not come to its end in time", CLOSE);
  }

  private static byte[] broken() throws Problem { // the client's doing: it is told, not the log
    throw Problem.bad("the body could not be read to its end");
  }

  private static byte[] large() throws Problem {
    throw new Problem(
        413, "too-large", "the body must have at most " + RequestBytes.MAX_BYTES + " bytes", CLOSE);
  }
}

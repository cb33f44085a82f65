package io.gauze.http.resource;

import io.gauze.http.protocol.BearerAuth;
import io.gauze.http.protocol.ClientAddress;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Replies;
import io.gauze.http.protocol.SlowClients;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Server-sent events of new releases: {@code GET /v1/events}. A client holds no thread. All other
 * requests, also those to this path that are wrong, go on to the next handler.
 */
public final class EventHandler extends Handler.Abstract.NonBlocking {
  static final String PATH = "/v1/events";

  /** The most bytes that wait for a client which does not read. */
  private static final int MOST_BYTES = 1 << 20;

  /** A write ends with the event that makes it as large as this. */
  private static final int WRITE_BYTES = 16 << 10;

  private final EventHub hub;
  private final BearerAuth auth;
  private final SlowClients slow;

  public EventHandler(EventHub hub, BearerAuth auth, SlowClients slow) {
    this.hub = hub;
    this.auth = auth;
    this.slow = slow;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    boolean mine =
        PATH.equals(request.getHttpURI().getPath())
            && request.getMethod().equals("GET")
            && Optional.ofNullable(request.getHttpURI().getQuery()).orElse("").isEmpty();
    if (!mine) {
      return false;
    }
    try {
      auth.check(Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)));
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      Replies.secure(response);
      Stream client = new Stream(request, response, callback);
      hub.add(
          client,
          ClientAddress.of(request),
          Optional.ofNullable(request.getHeaders().get("Last-Event-ID")));
      client.open();
    } catch (Problem e) {
      slow.reply(request, response, e.reply(), callback);
    }
    return true;
  }

  /** A client's stream: one write at a time, of some of what has come meanwhile. */
  private final class Stream implements EventHub.Client {
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Deque<byte[]> waiting = new ArrayDeque<>(); // shared by all clients
    private int waitingBytes;
    private boolean writing = true; // until it is opened
    private boolean ending;

    Stream(Request request, Response response, Callback callback) {
      this.request = request;
      this.response = response;
      this.callback = callback;
    }

    void open() {
      written();
    }

    @Override
    public void send(byte[] bytes) {
      boolean slowReader;
      synchronized (this) {
        if (ending) {
          return;
        }
        slowReader = waitingBytes + bytes.length > MOST_BYTES;
        if (!slowReader) {
          waiting.add(bytes);
          waitingBytes += bytes.length;
        } else {
          ending = true; // it comes back with the id of the last event that it got
        }
      }
      pump();
      if (slowReader) {
        hub.remove(this);
      }
    }

    @Override
    public void end() {
      synchronized (this) {
        ending = true;
      }
      pump();
    }

    private void written() {
      synchronized (this) {
        writing = false;
      }
      pump();
    }

    private void pump() {
      byte[] bytes;
      boolean last;
      synchronized (this) {
        if (writing || (waiting.isEmpty() && !ending)) {
          return;
        }
        writing = true;
        bytes = next();
        last = ending && waiting.isEmpty();
      }
      slow.write(
          request,
          response,
          last,
          bytes,
          last ? callback : Callback.from(this::written, this::failed));
    }

    private byte[] next() {
      ByteArrayOutputStream some = new ByteArrayOutputStream();
      while (!waiting.isEmpty() && some.size() < WRITE_BYTES) {
        some.writeBytes(waiting.remove());
      }
      waitingBytes -= some.size();
      return some.toByteArray();
    }

    private void failed(Throwable gone) {
      hub.remove(this);
      callback.failed(gone);
    }
  }
}

package io.gauze.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
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
final class EventHandler extends Handler.Abstract.NonBlocking {
  static final String PATH = "/v1/events";

  /** The most bytes that wait for a client which does not read. */
  private static final int MOST_BYTES = 1 << 20;

  private final EventHub hub;
  private final Gate gate;

  EventHandler(EventHub hub, Gate gate) {
    this.hub = hub;
    this.gate = gate;
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
      gate.check(Optional.ofNullable(request.getHeaders().get(HttpHeader.AUTHORIZATION)));
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      Replies.secure(response);
      Stream client = new Stream(response, callback);
      hub.add(client, Optional.ofNullable(request.getHeaders().get("Last-Event-ID")));
      client.open();
    } catch (Problem e) {
      Replies.write(response, e.reply(), callback);
    }
    return true;
  }

  /** A client's stream: one write at a time, of all that has come meanwhile. */
  private final class Stream implements EventHub.Client {
    private final Response response;
    private final Callback callback;
    private ByteArrayOutputStream waiting = new ByteArrayOutputStream();
    private boolean writing = true; // until it is opened
    private boolean ending;

    Stream(Response response, Callback callback) {
      this.response = response;
      this.callback = callback;
    }

    void open() {
      written();
    }

    @Override
    public void send(byte[] bytes) {
      boolean slow;
      synchronized (this) {
        slow = waiting.size() + bytes.length > MOST_BYTES;
        if (!slow) {
          waiting.writeBytes(bytes);
        } else {
          ending = true; // it comes back with the id of the last event that it got
        }
      }
      pump();
      if (slow) {
        hub.remove(this);
      }
    }

    @Override
    public synchronized void end() {
      ending = true;
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
        if (writing || (waiting.size() == 0 && !ending)) {
          return;
        }
        writing = true;
        bytes = waiting.toByteArray();
        last = ending;
        waiting = new ByteArrayOutputStream();
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      response.write(last, buffer, last ? callback : Callback.from(this::written, this::failed));
    }

    private void failed(Throwable gone) {
      hub.remove(this);
      callback.failed(gone);
    }
  }
}

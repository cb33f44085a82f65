package io.gauze.http.protocol;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Writes answers to Jetty. */
public final class Replies {
  /** The header that says what a browser may load for an answer. */
  public static final String POLICY = "Content-Security-Policy";

  private Replies() {}

  /** Writes an answer that is small, to a client who is hardly there any more. */
  static void write(Response response, Reply reply, Callback callback) {
    begin(response, reply);
    response.write(true, ByteBuffer.wrap(reply.body()), callback);
  }

  /** Sets the status and the headers of an answer. */
  static void begin(Response response, Reply reply) {
    response.setStatus(reply.status());
    reply.headers().forEach((name, value) -> response.getHeaders().put(name, value));
    secure(response);
    if (reply.status() != 304) {
      response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.body().length);
    }
  }

  /** Adds what keeps a browser from taking an answer for something else. */
  public static void secure(Response response) {
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    if (!response.getHeaders().contains(POLICY)) {
      response.getHeaders().put(POLICY, "default-src 'none'; style-src 'unsafe-inline'");
    }
  }
}

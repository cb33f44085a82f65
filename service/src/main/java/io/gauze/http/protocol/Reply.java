package io.gauze.http.protocol;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** An answer to a request. Its bytes may be shared, and nobody may write to them. */
public final class Reply {
  public static final String JSON = "application/json";
  public static final String CSV = "text/csv; charset=utf-8";
  public static final String SVG = "image/svg+xml";
  public static final String TEXT = "text/plain; charset=utf-8";
  private static final byte[] NONE = {};

  private final int status;
  private final byte[] body;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private volatile byte[] compressed = NONE; // empty until somebody wants it

  private Reply(int status, byte[] body) {
    this.status = status;
    this.body = body;
  }

  public static Reply of(int status, String type, byte[] body) {
    return new Reply(status, body).with("Content-Type", type);
  }

  public static Reply json(Object value) {
    return of(200, JSON, Json.bytes(value));
  }

  public static Reply text(String type, String text) {
    return of(200, type, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Reply notModified() {
    return new Reply(304, NONE);
  }

  /** Returns a copy with another body. */
  public Reply as(byte[] other) {
    Reply copy = new Reply(status, other);
    copy.headers.putAll(headers);
    return copy;
  }

  /** Returns the compressed body, which is kept. */
  byte[] compressed(UnaryOperator<byte[]> compress) {
    byte[] known = compressed;
    if (known.length == 0) {
      known = compress.apply(body);
      compressed = known;
    }
    return known;
  }

  public Reply with(String header, String value) {
    headers.put(header, value);
    return this;
  }

  public int status() {
    return status;
  }

  public byte[] body() {
    return body;
  }

  public Map<String, String> headers() {
    return headers;
  }
}

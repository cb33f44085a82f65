package io.gauze.http.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses answers for clients that accept it. An answer that is kept is compressed once. The
 * compressed form has an entity tag of its own, which {@link Call#has} takes for that of the
 * answer.
 *
 * <p>Jetty's own handler compresses a stream anew for each request.
 */
public final class Gzip {
  private static final String SUFFIX = "-gzip\"";

  /** Shorter answers fit into a packet as they are. */
  private static final int LEAST_BYTES = 1024;

  private Gzip() {}

  /**
   * Returns an answer in the form that a client accepts.
   *
   * @param accepted the header Accept-Encoding; empty: none
   * @param ifNoneMatch the header If-None-Match; empty: none
   */
  public static Reply encoded(Reply reply, String accepted, String ifNoneMatch) {
    if (!isText(reply) && reply.status() != 304) {
      return reply;
    }
    String tag = reply.headers().getOrDefault("ETag", "");
    boolean gzip = accepts(accepted);
    if (reply.status() == 304) { // the tag of the form that the client has
      return gzip && !tag.isEmpty() && ifNoneMatch.contains(compressed(tag))
          ? reply.as(reply.body()).with("ETag", compressed(tag))
          : reply;
    }
    if (reply.body().length < LEAST_BYTES) {
      return reply;
    }
    String vary = reply.headers().getOrDefault("Vary", "");
    Reply form =
        reply
            .as(gzip ? reply.compressed(Gzip::compress) : reply.body())
            .with("Vary", vary.isEmpty() ? "Accept-Encoding" : vary + ", Accept-Encoding");
    if (gzip) {
      form.with("Content-Encoding", "gzip");
      if (!tag.isEmpty()) {
        form.with("ETag", compressed(tag));
      }
    }
    return form;
  }

  /** Returns the tag of the uncompressed form. */
  static String plain(String tag) {
    return tag.endsWith(SUFFIX) ? tag.substring(0, tag.length() - SUFFIX.length()) + '"' : tag;
  }

  private static String compressed(String tag) {
    return tag.substring(0, tag.length() - 1) + SUFFIX;
  }

  private static boolean isText(Reply reply) {
    String type = reply.headers().getOrDefault("Content-Type", "");
    return type.startsWith("text/") || type.contains("json") || type.contains("svg");
  }

  /** Whether the header names gzip, or anything, with a weight above 0 (RFC 9110, 12.5.3). */
  private static boolean accepts(String header) {
    Optional<Boolean> any = Optional.empty();
    for (String part : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] pieces = part.split(";", 2);
      boolean wanted = pieces.length == 1 || !pieces[1].strip().matches("q=0(\\.0*)?");
      if (pieces[0].strip().equals("gzip")) {
        return wanted;
      }
      if (pieces[0].strip().equals("*")) {
        any = Optional.of(wanted);
      }
    }
    return any.orElse(false);
  }

  private static byte[] compress(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(body.length / 2);
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return bytes.toByteArray();
  }
}

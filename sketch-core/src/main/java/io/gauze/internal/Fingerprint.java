package io.gauze.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of values that must stay the same. The hashed values and their order are part of the
 * stored form and never change.
 */
public final class Fingerprint {
  private final MessageDigest digest = newDigest();

  /** An empty one. */
  public Fingerprint() {}

  /** Returns a public number that differs between the sketches of a stream. */
  public static long seed(String stream, String sketch) {
    Fingerprint print = new Fingerprint().text("gauze-seed-1").text(stream).text(sketch);
    return ByteBuffer.wrap(print.digest.digest()).getLong();
  }

  /** Returns the SHA-256 of bytes. */
  public static byte[] sha256(byte[] bytes) {
    return newDigest().digest(bytes);
  }

  /** Adds a text, with its length. */
  public Fingerprint text(String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    number(bytes.length);
    digest.update(bytes);
    return this;
  }

  /** Adds a number. */
  public Fingerprint number(double value) {
    digest.update(ByteBuffer.allocate(Double.BYTES).putDouble(value).flip());
    return this;
  }

  /** Returns the digest in hexadecimal digits and begins anew. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }
}

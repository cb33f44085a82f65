package io.gauze.answer;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The SHA-256 of a release's bytes, in four numbers: a service may hold a million. Immutable. */
public record BodyHash(long first, long second, long third, long fourth) {
  /** Returns the hash of these bytes. */
  public static BodyHash of(byte[] bytes) {
    ByteBuffer hash = ByteBuffer.wrap(ReleaseHash.sha256().digest(bytes));
    return new BodyHash(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
  }

  /** The 64 hexadecimal digits. */
  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(first)
        + hex.toHexDigits(second)
        + hex.toHexDigits(third)
        + hex.toHexDigits(fourth);
  }
}

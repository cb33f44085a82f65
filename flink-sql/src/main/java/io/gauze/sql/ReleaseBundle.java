package io.gauze.sql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of several releases as one value, in which each release is as it was published: a magic
 * number, and each release after its length, big-endian. The value of one release is its own bytes.
 */
final class ReleaseBundle {
  /** No release begins with it: those begin with C3 01. */
  private static final int MAGIC = 0x475A4231; // GZB1

  private ReleaseBundle() {}

  /** Returns the value of at least one release. */
  static byte[] of(List<byte[]> releases) {
    if (releases.size() == 1) {
      return releases.get(0);
    }
    int size = Integer.BYTES;
    for (byte[] release : releases) {
      size = Math.addExact(size, Math.addExact(Integer.BYTES, release.length));
    }
    ByteBuffer all = ByteBuffer.allocate(size).putInt(MAGIC);
    releases.forEach(release -> all.putInt(release.length).put(release));
    return all.array();
  }

  /**
   * Returns the releases of a value.
   *
   * @throws IllegalArgumentException if it is a bundle whose lengths are wrong
   */
  static List<byte[]> releases(byte[] value) {
    ByteBuffer all = ByteBuffer.wrap(value);
    if (value.length < Integer.BYTES || all.getInt() != MAGIC) {
      return List.of(value);
    }
    List<byte[]> releases = new ArrayList<>();
    while (all.hasRemaining()) {
      int length = all.remaining() < Integer.BYTES ? -1 : all.getInt();
      if (length < 0 || length > all.remaining()) {
        throw new IllegalArgumentException(
            "the releases of GAUZE_MERGE must be whole. Provided value: a length of "
                + length
                + " bytes, "
                + all.remaining()
                + " bytes before the end");
      }
      byte[] release = new byte[length];
      all.get(release);
      releases.add(release);
    }
    return releases;
  }
}

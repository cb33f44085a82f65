package io.gauze.sql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of several releases as one value, in which each release is as it was published: a magic
 * number, the number of releases, and each release after its length, big-endian. The value of one
 * release is its own bytes.
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
    int size = 2 * Integer.BYTES;
    for (byte[] release : releases) {
      size = Math.addExact(size, Math.addExact(Integer.BYTES, release.length));
    }
    ByteBuffer all = ByteBuffer.allocate(size).putInt(MAGIC).putInt(releases.size());
    releases.forEach(release -> all.putInt(release.length).put(release));
    return all.array();
  }

  /**
   * Returns the releases of a value.
   *
   * @throws IllegalArgumentException if it is a bundle whose number or lengths are wrong
   */
  static List<byte[]> releases(byte[] value) {
    ByteBuffer all = ByteBuffer.wrap(value);
    if (value.length < Integer.BYTES || all.getInt() != MAGIC) {
      return List.of(value);
    }
    int count = all.remaining() < Integer.BYTES ? 0 : all.getInt();
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
    if (releases.isEmpty() || releases.size() != count) {
      throw new IllegalArgumentException(
          "the releases of GAUZE_MERGE must be whole, and as many as it says, "
              + count
              + ". Provided value: "
              + releases.size()
              + " releases");
    }
    return releases;
  }
}
